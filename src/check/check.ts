import type { Api } from '../api/api.ts';
import { ApiClient } from '../api/client.ts';
import { Connections, trustedCertificates } from '../api/connections.ts';
import { ApiError } from '../api/error.ts';
import { ApiSession } from '../api/session.ts';
import { probeTls } from '../api/tls-probe.ts';
import type { Collector, FanOutCollector, ListCollector } from '../collectors/collector.ts';
import type { AccountConfig } from '../config/config.ts';
import { scalarsFor } from '../payloads/scalars.ts';
import { implausibleError, rejectImplausible } from '../polling/plausibility.ts';
import { readTimeOf } from '../polling/read-time.ts';
import { Schedule } from '../polling/schedule.ts';
import { advise, adviseCollector, type ResultOfCheck } from './advice.ts';
import type { AccountResult } from './result.ts';

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Whether calls go through a proxy, which hides the API's certificate. */
  readonly proxied: boolean;
  /** Called after each collector. */
  readonly onProgress: (collector: string) => void;
  /** Called before a pause that the API asked for, with its milliseconds. */
  readonly onPause: (milliseconds: number) => void;
}

/** Calls the API for each enabled collector, within the account's budget, and reports which collectors work. */
export async function checkAccount(
  config: AccountConfig,
  collectors: readonly Collector[],
  { signal, proxied, onProgress, onPause }: CheckOptions,
): Promise<AccountResult> {
  const enabled = collectors.filter(({ name }) => config.collectors[name]?.enabled === true);
  const connections = new Connections(config.api.caFile);
  const session = new ApiSession(config.api.requestsPerMinute);
  const client = new ApiClient(config.api, config.credentials, connections, session, {
    onSent: () => {},
    onEnd: () => {},
  });
  try {
    const check = new AccountCheck(config, client, session, signal);
    const byCollector = new Map<Collector, ResultOfCheck>();
    for (const collector of inCheckOrder(enabled)) {
      const unusable = isUnusable([...byCollector.values()]);
      // The check decides itself when rejected credentials end it.
      session.gate.accepted();
      const pause = session.budget.pauseRemaining;
      if (pause > 0 && !unusable) onPause(pause);
      byCollector.set(collector, unusable ? skip(collector) : await check.run(collector));
      onProgress(collector.name);
    }
    const checked = withPermissions(enabled.flatMap((collector) => byCollector.get(collector) ?? []));
    const results = checked.map((result) => ({ ...result, advice: adviseCollector(result) }));
    const result = {
      account: config.name,
      baseUrl: config.api.baseUrl,
      connection: check.answered ? 'ok' : connectionWithoutAnswer(results),
      tls: await findTls(config, proxied),
      clockSkewSeconds: session.clock.skew === undefined ? undefined : Math.round(session.clock.skew / 1000),
      credentials: credentialsOf(results),
      sites: check.countOf('site_load') ?? check.countOf('sites'),
      databases: check.countOf('databases') ?? check.countOf('database_load'),
      callsPerMinute: Number(check.callsPerMinute(enabled).toFixed(2)),
      budget: config.api.requestsPerMinute,
      collectors: results,
    } as const;
    return { ...result, advice: advise(result) };
  } finally {
    session.budget.close();
    await connections.destroy();
  }
}

/** Checks the collectors of one account. Keeps fetched lists for the fan-out collectors that depend on them. */
class AccountCheck {
  readonly #config: AccountConfig;
  readonly #client: ApiClient;
  readonly #session: ApiSession;
  readonly #signal: AbortSignal;
  readonly #lists = new Map<string, unknown>();
  /** Whether the API has answered a call, even with a rejection. */
  answered = false;

  constructor(config: AccountConfig, client: ApiClient, session: ApiSession, signal: AbortSignal) {
    this.#config = config;
    this.#client = client;
    this.#session = session;
    this.#signal = signal;
  }

  async run(collector: Collector): Promise<ResultOfCheck> {
    const { name, methods } = collector;
    const issues: ApiError[] = [];
    const api = this.#client.forPoll({
      priority: collector.priority,
      signal: this.#signal,
      onIssue: (error) => issues.push(error),
    });
    try {
      const detail = await (collector.kind === 'list'
        ? this.#fetchList(collector, api, issues)
        : this.#fetchOne(collector, api, issues));
      this.answered = true;
      const [issue] = issues;
      if (issue === undefined) return { collector: name, methods, state: 'ok', reason: undefined, detail };
      return { collector: name, methods, state: 'failed', reason: 'payload', detail: issue.message };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { reason, message, forbiddenMethod } = error;
      if (error.accepted || reason === 'auth') this.answered = true;
      const state = reason === 'permission' ? 'not permitted' : 'failed';
      return { collector: name, methods, state, reason, forbiddenMethod, detail: message };
    }
  }

  /** Number of elements of a fetched list; undefined if the list was not fetched. */
  countOf(collector: string): number | undefined {
    const list = this.#lists.get(collector);
    return Array.isArray(list) ? list.length : undefined;
  }

  /** Calls that the schedules require. A fan-out with unknown items counts as one call. */
  callsPerMinute(enabled: readonly Collector[]): number {
    return enabled.reduce((total, collector) => {
      const config = this.#config.collectors[collector.name];
      if (config === undefined) return total;
      const calls = collector.kind === 'list' ? 1 : (this.#itemsOf(collector)?.length ?? 1);
      return total + (calls * 60_000) / new Schedule(config.schedule, '').interval(Date.now());
    }, 0);
  }

  async #fetchList(collector: ListCollector, api: Api, issues: ApiError[]): Promise<string> {
    const payload = await collector.fetch(api, scalarsFor(this.#config.api));
    this.#lists.set(collector.name, payload);
    const families = collector.read(payload, this.#config.name, readTimeOf(this.#session, this.#config.api), true);
    issues.push(...implausibleErrors(collector, families));
    return '';
  }

  /** Fetches only the first item of a fan-out: the other calls differ only in their argument. */
  async #fetchOne(collector: FanOutCollector, api: Api, issues: ApiError[]): Promise<string> {
    const { itemsFrom } = collector;
    if (itemsFrom !== undefined && !this.#lists.has(itemsFrom.name)) await this.#fetchList(itemsFrom, api, issues);
    const items = this.#itemsOf(collector) ?? [];
    const [first] = items;
    if (first === undefined) return 'no items yet';
    const payload = await collector.fetch(api, scalarsFor(this.#config.api), first);
    const time = readTimeOf(this.#session, this.#config.api);
    issues.push(...implausibleErrors(collector, collector.read(payload, this.#config.name, first, time, true)));
    return `${items.length} ${items.length === 1 ? 'call' : 'calls'} per poll`;
  }

  #itemsOf(collector: FanOutCollector) {
    const { itemsFrom } = collector;
    if (itemsFrom === undefined) return collector.items(undefined);
    return this.#lists.has(itemsFrom.name) ? collector.items(this.#lists.get(itemsFrom.name)) : undefined;
  }
}

/** The failure of a poll with these figures, if one of them is impossible. */
function implausibleErrors(collector: Collector, families: ReturnType<ListCollector['read']>): readonly ApiError[] {
  const { issues } = rejectImplausible(families, collector.metrics);
  return issues.length === 0 ? [] : [implausibleError(collector, issues)];
}

/**
 * The account first, then lists, then fan-outs. Lists come in reverse: the API may reject a section without permission as if
 * the credentials were wrong, and owners permit the sections at the end most readily.
 */
function inCheckOrder(collectors: readonly Collector[]): readonly Collector[] {
  const lists = collectors.filter(({ kind }) => kind === 'list');
  const fanOuts = collectors.filter(({ kind }) => kind === 'fan-out');
  return [...lists.slice(0, 1), ...lists.slice(1).reverse(), ...fanOuts];
}

/** Skips the rest if this many collectors fail first: more calls could lock the account. */
const maxConsecutiveFailures = 3;

/** Reasons that affect the whole account, not only one collector. */
const accountReasons: ReadonlySet<string | undefined> = new Set(['auth', 'network', 'timeout', 'http']);

function isUnusable(results: readonly ResultOfCheck[]): boolean {
  return (
    results.length >= maxConsecutiveFailures &&
    results.every(({ state, reason }) => state === 'skipped' || accountReasons.has(reason))
  );
}

function skip({ name, methods }: Collector): ResultOfCheck {
  const detail = `after ${maxConsecutiveFailures} consecutive failures`;
  return { collector: name, methods, state: 'skipped', reason: undefined, detail };
}

function connectionWithoutAnswer(results: readonly ResultOfCheck[]): 'foreign' | 'failed' {
  return results.some(({ reason }) => reason === 'http' || reason === 'payload') ? 'foreign' : 'failed';
}

/** Takes rejected credentials for missing permissions if another section accepted the credentials. */
function withPermissions(results: readonly ResultOfCheck[]): readonly ResultOfCheck[] {
  if (credentialsOf(results) !== 'accepted') return results;
  return results.map((result) =>
    result.reason === 'auth' ? { ...result, state: 'not permitted', reason: 'permission' } : result,
  );
}

/** One accepted call proves the credentials. A rejected one counts only if none was accepted. */
function credentialsOf(results: readonly ResultOfCheck[]): AccountResult['credentials'] {
  if (results.some(({ state }) => state === 'ok' || state === 'not permitted')) return 'accepted';
  return results.some(({ reason }) => reason === 'auth') ? 'rejected' : 'unknown';
}

async function findTls({ api }: AccountConfig, proxied: boolean): Promise<AccountResult['tls']> {
  const url = new URL(api.baseUrl);
  if (url.protocol !== 'https:' || proxied) return undefined;
  try {
    const { protocol, validTo } = await probeTls(url, trustedCertificates(api.caFile));
    return { protocol, certificateEnds: new Date(validTo).toISOString() };
  } catch {
    // The failed calls report the reason.
    return undefined;
  }
}
