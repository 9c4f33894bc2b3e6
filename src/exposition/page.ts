import { setImmediate } from 'node:timers/promises';
import { accountMetrics } from './account-metrics.ts';
import type { AccountStore } from './account-store.ts';
import type { Slot } from './chunk.ts';
import { type EncodedChunk, encodeChunk } from './encoded-chunk.ts';
import type { Family, FamilyHead } from './family.ts';
import type { Representation } from './negotiation.ts';
import { PageIndex } from './page-index.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { openMetricsEnd, renderHead, renderSamples } from './render.ts';
import { RenderedResult } from './rendered-result.ts';

type Format = Representation['format'];

/** The part of the page that a scrape asks for; undefined means all. */
export interface PageFilter {
  readonly accounts?: ReadonlySet<string> | undefined;
  /** Collectors whose metrics are included. The exporter's own metrics are always included. */
  readonly collectors?: ReadonlySet<string> | undefined;
  /** `own` omits the `process_*` and `nodejs_*` metrics. */
  readonly process?: 'own' | undefined;
}

/** A collector on the page, with its metrics in the order of the page. */
export interface PageCollector {
  readonly name: string;
  readonly metrics: readonly { readonly name: string; readonly help: string }[];
}

/** An account on the page. */
export interface PageAccount {
  readonly name: string;
  readonly store: AccountStore;
  /** Differs from an earlier value when `ownFamilies` may return something else. */
  readonly revision: string;
  /** The exporter's own metrics of the account. */
  ownFamilies(): readonly Family[];
}

/** Accounts to refresh before other work continues: a few milliseconds even if everything changed. */
const accountsPerStep = 10;

/**
 * The page of all metrics, assembled from the newest results. All lines of a metric follow its HELP and TYPE, as both
 * formats require.
 */
export class Page {
  /** Receives the results of all account stores. */
  readonly index = new PageIndex();
  readonly #collectors: readonly PageCollector[];
  readonly #process: ProcessMetrics;
  readonly #accounts = new Map<string, ShownAccount>();
  readonly #heads = new Map<string, EncodedChunk>();

  constructor(collectors: readonly PageCollector[], processMetrics: ProcessMetrics) {
    this.#collectors = collectors;
    this.#process = processMetrics;
  }

  /** Adds an account in place of one with the same name. */
  add(account: PageAccount): void {
    const previous = this.#accounts.get(account.name);
    if (previous?.account.store !== account.store) previous?.account.store.clear();
    previous?.removeOwn();
    this.#accounts.set(account.name, new ShownAccount(account, this.index));
  }

  /** Removes an account with all of its series. */
  remove(name: string): void {
    const shown = this.#accounts.get(name);
    shown?.account.store.clear();
    shown?.removeOwn();
    this.#accounts.delete(name);
  }

  /** Valid values of the filter. */
  get accountNames(): ReadonlySet<string> {
    return new Set(this.#accounts.keys());
  }

  get collectorNames(): ReadonlySet<string> {
    return new Set(this.#collectors.map(({ name }) => name));
  }

  /**
   * The page, or the part that the filter selects, as chunks. Encodes everything that changed in steps, so that other work
   * continues in between. Then collects the immutable chunks in a single step, so that the page shows one moment.
   */
  async render(format: Format, filter: PageFilter): Promise<readonly EncodedChunk[]> {
    const { accounts: names } = filter;
    const accounts = [...this.#accounts.values()].filter(({ account }) => names?.has(account.name) !== false);
    for (const [index, account] of accounts.entries()) {
      account.refresh();
      if (names !== undefined) account.encode(this.#collectors);
      if (index % accountsPerStep === accountsPerStep - 1) await setImmediate();
    }
    await this.index.refresh();
    const processChunk = names === undefined ? await this.#renderProcess(format, filter) : undefined;

    const page: EncodedChunk[] = [];
    const add = (head: FamilyHead, chunks: readonly EncodedChunk[]) => {
      if (chunks.length > 0) page.push(this.#head(format, head));
      for (const chunk of chunks) page.push(chunk);
    };
    for (const { name, metrics } of this.#collectors) {
      if (filter.collectors?.has(name) === false) continue;
      for (const metric of metrics) {
        const chunks =
          names === undefined
            ? this.index.of(name).encoded(metric.name)
            : accounts.flatMap(({ account }) => account.store.encoded(name, metric.name));
        add({ ...metric, type: 'gauge' }, chunks);
      }
    }
    for (const metric of accountMetrics) {
      const chunks =
        names === undefined
          ? this.index.own.encoded(metric.name)
          : accounts.map((account) => account.encodeOwn(metric.name)).filter((chunk) => chunk !== undefined);
      add(metric, chunks);
    }
    if (processChunk !== undefined) page.push(processChunk);
    if (format === 'openmetrics') page.push(end);
    return page;
  }

  async #renderProcess(format: Format, filter: PageFilter): Promise<EncodedChunk | undefined> {
    const families = await this.#process.families();
    const text = families
      .filter(({ name }) => filter.process !== 'own' || name.startsWith('hosting_'))
      .map((family) => {
        const samples = renderSamples(family).text;
        return samples === '' ? '' : renderHead(format, family) + samples;
      })
      .join('');
    return text === '' ? undefined : encodeChunk(text);
  }

  #head(format: Format, head: FamilyHead): EncodedChunk {
    const key = `${format} ${head.name}`;
    const chunk = this.#heads.get(key) ?? encodeChunk(renderHead(format, head));
    this.#heads.set(key, chunk);
    return chunk;
  }
}

/** An account on the page, with the exporter's own metrics about it. */
class ShownAccount {
  readonly account: PageAccount;
  readonly #index: PageIndex;
  readonly #own: Slot;
  #revision: string;

  constructor(account: PageAccount, index: PageIndex) {
    this.account = account;
    this.#index = index;
    this.#revision = account.revision;
    this.#own = index.own.add(new RenderedResult(account.ownFamilies()));
  }

  /** Removes expired results, and reads the exporter's own metrics again if they may have changed. */
  refresh(): void {
    this.account.store.expire();
    const { revision } = this.account;
    if (this.#revision === revision) return;
    this.#revision = revision;
    this.#index.own.update(this.#own, new RenderedResult(this.account.ownFamilies(), this.#own.result));
  }

  /** Encodes everything that a page of this account alone needs. */
  encode(collectors: readonly PageCollector[]): void {
    for (const { name, metrics } of collectors) {
      for (const metric of metrics) this.account.store.encoded(name, metric.name);
    }
    for (const { name } of accountMetrics) this.encodeOwn(name);
  }

  encodeOwn(metric: string): EncodedChunk | undefined {
    return this.#own.result.encode(metric);
  }

  removeOwn(): void {
    this.#index.own.remove(this.#own);
  }
}

const end = encodeChunk(openMetricsEnd);
