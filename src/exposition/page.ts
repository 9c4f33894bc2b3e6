import type { Collector, MetricDescription } from '../collectors/collector.ts';
import type { Family, FamilyHead } from '../collectors/family.ts';
import { TimeSlice } from '../runtime/time-slice.ts';
import { accountMetrics } from './account-metrics.ts';
import type { AccountStore } from './account-store.ts';
import type { Slot } from './chunk.ts';
import { type EncodedChunk, encodeText } from './encoded-chunk.ts';
import type { Representation } from './negotiation.ts';
import { PageIndex } from './page-index.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { openMetricsEnd, renderHead, renderResult, renderSamples } from './render.ts';

type Format = Representation['format'];

/** Selects a part of the page. An undefined field selects everything. */
export interface PageFilter {
  readonly accounts?: ReadonlySet<string> | undefined;
  /** The exporter's own metrics are always included. */
  readonly collectors?: ReadonlySet<string> | undefined;
  /** `own` omits the `process_*` and `nodejs_*` metrics. */
  readonly process?: 'own' | undefined;
}

interface PageCollector extends Pick<Collector, 'name'> {
  readonly metrics: readonly Pick<MetricDescription, 'name' | 'help'>[];
}

/** The part of an account that the page shows. */
export interface PageAccount {
  readonly name: string;
  readonly store: AccountStore;
  /** Changes whenever `ownFamilies` may return different families. */
  readonly revision: string;
  ownFamilies(): readonly Family[];
}

/** Assembles the page of all metrics from the newest results. In both formats, the lines of a metric directly follow its HELP. */
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

  /** Adds an account, or replaces the account with the same name. */
  add(account: PageAccount): void {
    this.remove(account.name);
    this.#accounts.set(account.name, new ShownAccount(account, this.index));
  }

  remove(name: string): void {
    const shown = this.#accounts.get(name);
    shown?.account.store.clear();
    shown?.removeOwn();
    this.#accounts.delete(name);
  }

  get accountNames(): ReadonlySet<string> {
    return new Set(this.#accounts.keys());
  }

  get collectorNames(): ReadonlySet<string> {
    return new Set(this.#collectors.map(({ name }) => name));
  }

  /** Encodes changes in time slices, then collects the chunks in one step, so that the page is consistent. */
  async render(format: Format, filter: PageFilter): Promise<readonly EncodedChunk[]> {
    const { accounts: names } = filter;
    const slice = new TimeSlice();
    for (const account of this.#shown(names)) {
      // A reload may have removed the account during a pause.
      if (this.#accounts.get(account.account.name) !== account) continue;
      account.refresh();
      if (names !== undefined) account.encode(this.#collectors);
      await slice.pause();
    }
    await this.index.refresh(slice);
    const processChunk = names === undefined ? await this.#renderProcess(format, filter) : undefined;

    const accounts = this.#shown(names);
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

  #shown(names: PageFilter['accounts']): readonly ShownAccount[] {
    return [...this.#accounts.values()].filter(({ account }) => names?.has(account.name) !== false);
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
    return text === '' ? undefined : encodeText(text);
  }

  #head(format: Format, head: FamilyHead): EncodedChunk {
    const key = `${format} ${head.name}`;
    const chunk = this.#heads.get(key) ?? encodeText(renderHead(format, head));
    this.#heads.set(key, chunk);
    return chunk;
  }
}

class ShownAccount {
  readonly account: PageAccount;
  readonly #index: PageIndex;
  readonly #own: Slot;
  #revision: string;

  constructor(account: PageAccount, index: PageIndex) {
    this.account = account;
    this.#index = index;
    this.#revision = account.revision;
    this.#own = index.own.add(renderResult(account.ownFamilies()));
  }

  /** Removes expired results, and updates the exporter's own metrics if they may have changed. */
  refresh(): void {
    this.account.store.expire();
    const { revision } = this.account;
    if (this.#revision === revision) return;
    this.#revision = revision;
    this.#index.own.update(this.#own, renderResult(this.account.ownFamilies()));
  }

  encode(collectors: readonly PageCollector[]): void {
    for (const { name, metrics } of collectors) {
      for (const metric of metrics) this.account.store.encoded(name, metric.name);
    }
    for (const { name } of accountMetrics) this.encodeOwn(name);
  }

  encodeOwn(metric: string): EncodedChunk | undefined {
    return this.#own.chunk.encodedOf(this.#own, metric);
  }

  removeOwn(): void {
    this.#index.own.remove(this.#own);
  }
}

const end = encodeText(openMetricsEnd);
