import { Connections } from '../../api/connections.ts';
import type { Reason } from '../../api/error.ts';
import type { Method } from '../../api/method.ts';
import { type AnswerObserver, ApiSession } from '../../api/session.ts';
import type { AccountConfig } from '../../config/values/config.ts';
import { countOf } from '../../config/values/wording.ts';
import { silentLog } from '../../log.ts';
import { Account } from '../../polling/account.ts';
import { isRefusal } from '../../polling/item-list.ts';
import { PollLog } from '../../polling/poll-log.ts';
import type { Poller } from '../../polling/poller.ts';
import { Clock } from '../../store/clock.ts';
import { dateOf } from '../../store/daily-memory.ts';
import { readSummary } from '../../store/summary-figures.ts';
import { timeZoneDoubt } from '../../store/time-zone-doubt.ts';
import { advise, adviseCollector, type ResultOfCheck } from './advice.ts';

export interface CollectorResult {
  readonly collector: string;
  readonly methods: readonly Method[];
  readonly state: 'ok' | 'not permitted' | 'failed' | 'skipped';
  readonly reason: Reason | undefined;
  /** The method for which the permission is missing; undefined if the API grants permissions per section. */
  readonly forbiddenMethod?: Method | undefined;
  /** Why the collector failed. For a fan-out collector that works: the number of its calls per poll. */
  readonly detail: string;
  readonly httpStatus?: number | undefined;
  readonly advice: string | undefined;
}

/** The result of an account's check, without advice. Undefined means that a value is unknown. */
export type Findings = Awaited<ReturnType<typeof examine>>;

export type AccountResult = Findings & { readonly advice: readonly string[] };

export function isHealthy({ connection, collectors }: AccountResult): boolean {
  return connection === 'ok' && collectors.every(({ state }) => state === 'ok');
}

interface CheckOptions {
  readonly signal: AbortSignal;
  readonly onPause: (milliseconds: number) => void;
  /** Receives each answer. If this function is set, the check polls all items of each collector. */
  readonly onAnswer?: AnswerObserver | undefined;
  /** Receives the result of each collector as soon as the collector is checked. */
  readonly onResult?: ((result: ResultOfCheck) => void) | undefined;
}

/** Checks an account. Without `onAnswer`, polls only one item of each fan-out collector, or up to three if items fail. */
export async function checkAccount(config: AccountConfig, options: CheckOptions): Promise<AccountResult> {
  const findings = await examine(config, options);
  return { ...findings, advice: advise(findings) };
}

async function examine(config: AccountConfig, options: CheckOptions) {
  const { signal, onAnswer } = options;
  signal.throwIfAborted();
  const connections = new Connections(config.api.caFile);
  const session = new ApiSession(config.api.requestsPerMinute, onAnswer);
  session.budget.onPause = options.onPause;
  const account = new Account(config, {
    connections,
    session,
    clock: new Clock(),
    log: silentLog,
    pollLog: new PollLog(silentLog),
  });
  const stop = () => account.stop();
  signal.addEventListener('abort', stop);
  try {
    const collectors = await pollEach(account, session, options);
    const { pollers, load } = account;
    const { skew } = session;
    const { diskUsed, diskLimit, suspension } = readSummary(account.store);
    return {
      account: config.name,
      baseUrl: config.api.baseUrl,
      connection: connectionOf(pollers),
      /** The time of the API minus the local time. */
      clockSkewSeconds: skew === undefined ? undefined : Math.round(skew / 1000),
      timeZoneDoubt: timeZoneDoubt(account.store, account.timeZone),
      credentials: credentialsOf(collectors),
      sites: lengthOf(account, 'sites') ?? lengthOf(account, 'site_load'),
      databases: lengthOf(account, 'databases') ?? lengthOf(account, 'database_load'),
      domains: lengthOf(account, 'domains'),
      diskUsedBytes: diskUsed,
      diskLimitBytes: diskLimit,
      paidUntil: suspension === undefined ? undefined : dateOf(suspension * 1000, account.timeZone),
      ...load,
      collectors,
    } as const;
  } finally {
    signal.removeEventListener('abort', stop);
    account.stop();
    session.budget.close();
    await connections.destroy();
  }
}

async function pollEach({ pollers }: Account, { gate }: ApiSession, { signal, onAnswer, onResult }: CheckOptions) {
  const results = new Map<Poller, ResultOfCheck>();
  for (const poller of inCheckOrder(pollers)) {
    const unusable = isUnusable([...results.values()]);
    // Rejected credentials close the gate. Open it again, because `isUnusable` decides when the check ends.
    gate.open();
    if (!unusable) await poller.poll({ isTrial: onAnswer === undefined });
    signal.throwIfAborted();
    const { name: collector, methods } = poller.collector;
    const skipped = { collector, methods, state: 'skipped', reason: undefined, detail: afterFailures } as const;
    const result = unusable ? skipped : resultOf(poller);
    results.set(poller, result);
    onResult?.(result);
  }
  const checked = pollers.flatMap((poller) => results.get(poller) ?? []);
  const isAccepted = credentialsOf(checked) === 'accepted';
  return checked.map((one) => {
    // If another section accepted the credentials, a rejection means a missing permission.
    const isDenied = isAccepted && one.reason === 'auth';
    const result: ResultOfCheck = isDenied ? { ...one, state: 'not permitted', reason: 'permission' } : one;
    return { ...result, advice: adviseCollector(result) };
  });
}

/**
 * Puts `account` first, then the other list collectors from the last to the first, then fan-out collectors. The last list collectors most
 * often have permission. If a collector has no permission, the API may respond that the credentials are wrong.
 */
function inCheckOrder(pollers: readonly Poller[]): readonly Poller[] {
  const isAccount = ({ collector }: Poller) => collector.name === 'account';
  const fanOuts = pollers.filter(({ collector }) => collector.stretches);
  const lists = pollers.filter((poller) => !isAccount(poller) && !fanOuts.includes(poller));
  return [...pollers.filter(isAccount), ...lists.reverse(), ...fanOuts];
}

function resultOf({ collector, newest, items }: Poller): ResultOfCheck {
  const { name, methods, stretches, itemsFrom } = collector;
  const failures = newest?.failures ?? [];
  const [failure] = failures;
  const { listed = 0 } = items;
  const works = itemsFrom !== undefined && items.hasResult;
  if (failure === undefined || works) {
    const calls = listed === 0 ? 'no items yet' : `${countOf(listed, 'call')} per poll`;
    const failed = failure === undefined ? '' : `; ${countOf(failures.length, 'item')} failed: ${failure.message}`;
    return { collector: name, methods, state: 'ok', reason: undefined, detail: stretches ? calls + failed : '' };
  }
  const { reason, message, forbiddenMethod, stack, status: httpStatus } = failure;
  if (reason === 'bug') throw new Error(`bug in the exporter: ${stack ?? message}`);
  const state = reason === 'permission' ? 'not permitted' : 'failed';
  const isPartial = isRefusal(failure) && failures.length < listed;
  const detail = isPartial ? `the first ${countOf(failures.length, 'item')} failed: ${message}` : message;
  return { collector: name, methods, state, reason, forbiddenMethod, detail, httpStatus };
}

/** The length of the named list; undefined if no poll has fetched the list. */
function lengthOf({ store, pollers, exclusion }: Account, name: string): number | undefined {
  const collector = pollers.find((poller) => poller.collector.name === name)?.collector;
  const saved: unknown = JSON.parse(store.results(name).get('')?.payload ?? 'null');
  const payload = saved !== null && collector ? exclusion.apply(collector, saved).payload : saved;
  const list = typeof payload === 'object' && payload && 'domains' in payload ? payload.domains : payload;
  return Array.isArray(list) ? list.length : undefined;
}

/** After this number of failures without a success, the check skips the remaining collectors. More calls could lock the account. */
const maxConsecutiveFailures = 3;
const afterFailures = `after ${maxConsecutiveFailures} consecutive failures`;

const accountReasons: ReadonlySet<string | undefined> = new Set(['auth', 'network', 'timeout', 'http']);

function isUnusable(results: readonly ResultOfCheck[]): boolean {
  const hasFailed = ({ state, reason }: ResultOfCheck) => state === 'skipped' || accountReasons.has(reason);
  return results.length >= maxConsecutiveFailures && results.every(hasFailed);
}

/**
 * `foreign`: the server responds, but is not the API. `failing`: the API responds with errors. `failed`: no response. Rejected credentials
 * count as `ok`, because the API responds.
 */
function connectionOf(pollers: readonly Poller[]) {
  const polls = pollers.flatMap(({ newest }) => newest ?? []);
  const failures = polls.flatMap((poll) => poll.failures);
  if (polls.some(({ accepted }) => accepted) || failures.some((one) => one.accepted || one.reason === 'auth'))
    return 'ok';
  if (failures.some(({ isForeign }) => isForeign)) return 'foreign';
  return failures.some(({ reason }) => respondingReasons.has(reason)) ? 'failing' : 'failed';
}

const respondingReasons: ReadonlySet<string> = new Set(['http', 'payload', 'limit']);

/** Whether the API accepted the credentials. One accepted call is sufficient, even if other calls fail. */
function credentialsOf(results: readonly ResultOfCheck[]) {
  if (results.some(({ state }) => state === 'ok' || state === 'not permitted')) return 'accepted';
  return results.some(({ reason }) => reason === 'auth') ? 'rejected' : 'unknown';
}
