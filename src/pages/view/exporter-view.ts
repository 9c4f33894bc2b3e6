import type { Account } from '../../accounts/account.ts';
import type { Budget } from '../../api/budget.ts';
import type { Build, MethodDuration, ProcessMetrics } from '../../exposition/process-metrics.ts';
import type { ReloadResult } from '../../reload/reload-results.ts';
import { TimeSlice } from '../../runtime/time-slice.ts';

/** The state of the exporter. Times are in Unix milliseconds, sizes are in bytes. */
export interface ExporterView {
  readonly build: Build;
  readonly started: number;
  /** Path of the configuration file; undefined if environment variables configure the exporter. */
  readonly configFile: string | undefined;
  /** The newest reload; undefined before the first reload. */
  readonly lastReload: ReloadResult | undefined;
  /** The web configuration file and its newest reload; undefined without a web configuration file. */
  readonly webConfig: { readonly file: string; readonly lastReload: ReloadResult | undefined } | undefined;
  readonly memory: { readonly resident: number; readonly heap: number };
  readonly accounts: number;
  /** The most important budgets. Budgets with waiting calls, or else with the largest required share, come first. */
  readonly budgets: readonly AccountBudget[];
  /** The slowest methods, the slowest first. */
  readonly methods: readonly MethodDuration[];
}

/** Reads the current state of the exporter. `fixed`: the values that the caller provides. */
export async function viewExporter(
  accounts: readonly BudgetedAccount[],
  metrics: Pick<ProcessMetrics, 'methodDurations'>,
  fixed: Omit<ExporterView, 'memory' | 'accounts' | 'budgets' | 'methods'>,
): Promise<ExporterView> {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    ...fixed,
    memory: { resident: rss, heap: heapUsed },
    accounts: accounts.length,
    budgets: await readBudgets(accounts),
    methods: (await metrics.methodDurations()).toSorted((a, b) => b.seconds - a.seconds).slice(0, maxMethods),
  };
}

export type AccountBudget = Pick<Account, 'name' | 'load' | 'stretch'> & Pick<Budget, 'queueLength' | 'pauseRemaining'>;

type BudgetedAccount = Pick<Account, 'name' | 'load' | 'stretch'> & {
  readonly budget: Pick<Budget, 'queueLength' | 'pauseRemaining'>;
};

const maxBudgets = 20;
const maxMethods = 10;

/** Reads the most important budgets: first the longest queues, then the largest required shares. */
async function readBudgets(accounts: readonly BudgetedAccount[]): Promise<readonly AccountBudget[]> {
  const slice = new TimeSlice();
  const budgets: AccountBudget[] = [];
  for (const { name, load, stretch, budget } of accounts) {
    const { queueLength, pauseRemaining } = budget;
    budgets.push({ name, load, queueLength, pauseRemaining, stretch });
    await slice.pause();
  }
  const share = ({ load }: AccountBudget) => load.callsPerMinute / load.budget;
  return budgets.sort((a, b) => b.queueLength - a.queueLength || share(b) - share(a)).slice(0, maxBudgets);
}
