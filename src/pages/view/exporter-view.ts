import type { Budget } from '../../api/budget.ts';
import type { ReloadResult } from '../../config/reload.ts';
import type { Account } from '../../polling/account.ts';
import type { Build, ProcessMetrics } from '../../store/process-metrics.ts';

/** The part of the view that the caller provides. Times are in Unix milliseconds. */
interface FixedView {
  readonly build: Build;
  readonly started: number;
  /** Path of the configuration file; undefined if environment variables configure the exporter. */
  readonly configFile: string | undefined;
  /** The newest reload; undefined before the first reload. */
  readonly lastReload: ReloadResult | undefined;
  /** The web configuration file and its newest reload; undefined without a web configuration file. */
  readonly webConfig: { readonly file: string; readonly lastReload: ReloadResult | undefined } | undefined;
}

/** The state of the exporter. Sizes are in bytes. The slowest methods and the longest queues come first. */
export type ExporterView = Awaited<ReturnType<typeof viewExporter>>;

export async function viewExporter(
  accounts: readonly BudgetedAccount[],
  metrics: Pick<ProcessMetrics, 'methodDurations'>,
  fixed: FixedView,
) {
  const { rss, heapUsed } = process.memoryUsage();
  const budgets = accounts.map(({ name, load, stretch, budget: { queueLength, pauseRemaining } }) => {
    return { name, load, queueLength, pauseRemaining, stretch };
  });
  const share = ({ load }: Pick<BudgetedAccount, 'load'>) => load.callsPerMinute / load.budget;
  // Sort by the length of the queue, then by the share of the budget that polls require.
  budgets.sort((a, b) => b.queueLength - a.queueLength || share(b) - share(a));
  return {
    ...fixed,
    memory: { resident: rss, heap: heapUsed },
    accounts: accounts.length,
    budgets: budgets.slice(0, maxBudgets),
    methods: (await metrics.methodDurations()).toSorted((a, b) => b.seconds - a.seconds).slice(0, maxMethods),
  };
}

type BudgetedAccount = Pick<Account, 'name' | 'load' | 'stretch'> & {
  readonly budget: Pick<Budget, 'queueLength' | 'pauseRemaining'>;
};

const maxBudgets = 20;
const maxMethods = 10;
