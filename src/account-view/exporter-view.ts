import { setImmediate } from 'node:timers/promises';
import type { Build, MethodDuration } from '../exposition/process-metrics.ts';

/** The exporter itself. Times in Unix milliseconds, sizes in bytes. */
export interface ExporterView {
  readonly build: Build;
  readonly started: number;
  /** Undefined if environment variables configure the exporter. */
  readonly configFile: string | undefined;
  /** Undefined before the first reload. */
  readonly lastReload: ReloadResult | undefined;
  /** Undefined without a web configuration file. */
  readonly webConfig: { readonly file: string; readonly lastReload: ReloadResult | undefined } | undefined;
  /** Bytes. */
  readonly memory: { readonly resident: number; readonly heap: number };
  readonly accounts: number;
  /** Of some accounts, those that wait or need the largest share of their budget first. */
  readonly budgets: readonly BudgetView[];
  /** The slowest first. */
  readonly methods: readonly MethodDuration[];
}

export interface ReloadResult {
  readonly time: number;
  /** Why it failed; undefined if it succeeded. */
  readonly problems: string | undefined;
}

/** API calls of one account. */
export interface BudgetView {
  readonly name: string;
  /** Calls per minute. */
  readonly budget: number;
  /** Calls per minute that the schedules require. */
  readonly required: number;
  /** Waiting calls. */
  readonly queue: number;
  /** Milliseconds that the API still asked to pause. */
  readonly pause: number;
  /** Factor by which the intervals of fan-outs are stretched. */
  readonly stretch: number;
}

/** What a view reads of an account and its budget. */
export interface BudgetedAccount {
  readonly name: string;
  readonly load: { readonly callsPerMinute: number; readonly budget: number };
  readonly queueLength: number;
  readonly pauseRemaining: number;
  readonly stretch: number;
}

/** Accounts and methods on the page. */
const maxBudgets = 20;
const maxMethods = 10;

/** Accounts to read before other work continues: about a millisecond. */
const accountsPerStep = 50;

/** The budgets that matter most. */
export async function readBudgets(accounts: readonly BudgetedAccount[]): Promise<readonly BudgetView[]> {
  const budgets: BudgetView[] = [];
  for (const [index, { name, load, queueLength, pauseRemaining, stretch }] of accounts.entries()) {
    const { callsPerMinute, budget } = load;
    budgets.push({ name, budget, required: callsPerMinute, queue: queueLength, pause: pauseRemaining, stretch });
    if (index % accountsPerStep === accountsPerStep - 1) await setImmediate();
  }
  const share = ({ required, budget }: BudgetView) => required / budget;
  return budgets.sort((a, b) => b.queue - a.queue || share(b) - share(a)).slice(0, maxBudgets);
}

/** The methods with the highest mean duration, the slowest first. */
export function slowestMethods(methods: readonly MethodDuration[]): readonly MethodDuration[] {
  return methods.toSorted((a, b) => b.seconds - a.seconds).slice(0, maxMethods);
}
