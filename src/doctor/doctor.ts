import type { Api } from '../api/api.ts';
import { Budget } from '../api/budget.ts';
import { ApiClient } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { probeTls } from '../api/tls-probe.ts';
import { createDispatcher, readAuthorities } from '../api/transport.ts';
import type { Collector, FanOutCollector } from '../collectors/collector.ts';
import type { AccountConfig } from '../config/config.ts';
import { scalarsFor } from '../payloads/scalars.ts';
import { Schedule } from '../polling/schedule.ts';
import { advise, type Finding } from './advice.ts';
import type { AccountFinding, CollectorFinding } from './finding.ts';

/** What an examination is told of while it goes on. */
export interface Examination {
  readonly signal: AbortSignal;
  /** Whether calls go through a proxy, which hides the API's certificate. */
  readonly proxied: boolean;
  /** After each collector. */
  readonly onProgress: (collector: string) => void;
}

/** Calls each method that an account's collectors need once, within its budget, and says what will work. */
export async function examine(
  config: AccountConfig,
  collectors: readonly Collector[],
  examination: Examination,
): Promise<AccountFinding> {
  const enabled = collectors.filter(({ name }) => config.collectors[name]?.enabled === true);
  const dispatcher = createDispatcher(config.api.caFile);
  const budget = new Budget(config.api.requestsPerMinute);
  let skew: number | undefined;
  const client = new ApiClient(config.api, config.credentials, dispatcher, budget, {
    onStart: () => {},
    onDate: (date) => {
      skew = Math.round((date - Date.now()) / 1000);
    },
    onEnd: () => {},
  });
  try {
    const patient = new Patient(config, client, examination.signal);
    const findings: CollectorFinding[] = [];
    for (const collector of enabled) {
      findings.push(isHopeless(findings) ? skip(collector) : await patient.examine(collector));
      examination.onProgress(collector.name);
    }
    const finding: Finding = {
      account: config.name,
      baseUrl: config.api.baseUrl,
      connection: patient.answered ? 'ok' : connectionWithout(findings),
      tls: await findTls(config, examination.proxied),
      clockSkewSeconds: skew,
      credentials: credentialsOf(findings),
      sites: patient.countOf('site_load') ?? patient.countOf('sites'),
      databases: patient.countOf('databases') ?? patient.countOf('database_load'),
      callsPerMinute: Number(patient.callsPerMinute(enabled).toFixed(2)),
      budget: config.api.requestsPerMinute,
      collectors: findings,
    };
    return { ...finding, advice: advise(finding) };
  } finally {
    budget.close();
    await dispatcher.destroy();
  }
}

/** One account under examination: what its lists held is kept for the collectors that follow them. */
class Patient {
  readonly #config: AccountConfig;
  readonly #client: ApiClient;
  readonly #signal: AbortSignal;
  readonly #lists = new Map<string, unknown>();
  answered = false;

  constructor(config: AccountConfig, client: ApiClient, signal: AbortSignal) {
    this.#config = config;
    this.#client = client;
    this.#signal = signal;
  }

  async examine(collector: Collector): Promise<CollectorFinding> {
    const { name, methods } = collector;
    const issues: ApiError[] = [];
    const api = this.#client.forPoll({
      priority: collector.priority,
      signal: this.#signal,
      onIssue: (error) => issues.push(error),
    });
    try {
      const detail = await (collector.kind === 'list'
        ? this.#fetchList(collector, api)
        : this.#fetchOne(collector, api));
      this.answered = true;
      const [issue] = issues;
      if (issue === undefined) return { collector: name, methods, state: 'ok', reason: undefined, detail };
      return { collector: name, methods, state: 'failed', reason: 'payload', detail: issue.message };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { reason, message } = error;
      if (error.accepted || reason === 'auth') this.answered = true;
      const state = reason === 'permission' ? 'not permitted' : 'failed';
      return { collector: name, methods, state, reason, detail: message };
    }
  }

  /** Entries of a list that was fetched; undefined where it was not. */
  countOf(collector: string): number | undefined {
    const list = this.#lists.get(collector);
    return Array.isArray(list) ? list.length : undefined;
  }

  /** What the schedules ask for, with a call for each item as far as items are known. */
  callsPerMinute(enabled: readonly Collector[]): number {
    return enabled.reduce((total, collector) => {
      const config = this.#config.collectors[collector.name];
      if (config === undefined) return total;
      const calls = collector.kind === 'list' ? 1 : (this.#itemsOf(collector)?.length ?? 1);
      return total + (calls * 60_000) / new Schedule(config.schedule, '').interval(Date.now());
    }, 0);
  }

  async #fetchList(collector: Extract<Collector, { kind: 'list' }>, api: Api): Promise<string> {
    this.#lists.set(collector.name, await collector.fetch(api, scalarsFor(this.#config.api)));
    return '';
  }

  /** Of a fan-out the first item stands for all. */
  async #fetchOne(collector: FanOutCollector, api: Api): Promise<string> {
    const { itemsFrom } = collector;
    if (itemsFrom !== undefined && !this.#lists.has(itemsFrom.name)) await this.#fetchList(itemsFrom, api);
    const items = this.#itemsOf(collector) ?? [];
    const [first] = items;
    if (first === undefined) return 'nothing to call for yet';
    await collector.fetch(api, scalarsFor(this.#config.api), first);
    return `${items.length} ${items.length === 1 ? 'call' : 'calls'} a turn`;
  }

  #itemsOf(collector: FanOutCollector) {
    const { itemsFrom } = collector;
    if (itemsFrom === undefined) return collector.items(undefined);
    return this.#lists.has(itemsFrom.name) ? collector.items(this.#lists.get(itemsFrom.name)) : undefined;
  }
}

/** Failures from the first call on, after which more calls would only wait, or get the account locked. */
const hopeless = 3;

const reasonsOfTheWhole: ReadonlySet<string | undefined> = new Set(['auth', 'network', 'timeout', 'http']);

function isHopeless(findings: readonly CollectorFinding[]): boolean {
  return (
    findings.length >= hopeless &&
    findings.every(({ state, reason }) => state === 'skipped' || reasonsOfTheWhole.has(reason))
  );
}

function skip({ name, methods }: Collector): CollectorFinding {
  const detail = `not tried after ${hopeless} failures in a row`;
  return { collector: name, methods, state: 'skipped', reason: undefined, detail };
}

/** What a connection is where the API answered nothing. */
function connectionWithout(findings: readonly CollectorFinding[]): AccountFinding['connection'] {
  return findings.some(({ reason }) => reason === 'http' || reason === 'payload') ? 'foreign' : 'failed';
}

/** One method that was accepted proves the credentials; a refusal counts only where nothing was accepted. */
function credentialsOf(findings: readonly CollectorFinding[]): AccountFinding['credentials'] {
  if (findings.some(({ state }) => state === 'ok' || state === 'not permitted')) return 'accepted';
  return findings.some(({ reason }) => reason === 'auth') ? 'rejected' : 'unknown';
}

async function findTls({ api }: AccountConfig, proxied: boolean): Promise<AccountFinding['tls']> {
  const url = new URL(api.baseUrl);
  if (url.protocol !== 'https:' || proxied) return undefined;
  try {
    const { protocol, validTo } = await probeTls(url, readAuthorities(api.caFile));
    return { protocol, certificateEnds: new Date(validTo).toISOString() };
  } catch {
    // The calls' own failure says why.
    return undefined;
  }
}
