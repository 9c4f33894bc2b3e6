import type { Collector, MetricDescription } from '../collectors/collector.ts';
import type { Family, FamilyHead } from '../collectors/family.ts';
import { TimeSlice } from '../runtime/time-slice.ts';
import { accountMetrics } from './account-metrics.ts';
import type { AccountStore } from './account-store.ts';
import type { Slot } from './chunk.ts';
import { type CollectorChunks, PageIndex } from './collector-chunks.ts';
import { type EncodedChunk, encodeText } from './encoded-chunk.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { openMetricsEnd, renderHead, renderResult, renderSamples } from './render.ts';

type Format = Representation['format'];

/** Selects a part of the page. An undefined field selects everything. */
export interface PageFilter {
  readonly accounts?: ReadonlySet<string> | undefined;
  /** The exporter's own metrics are always included. */
  readonly collectors?: ReadonlySet<string> | undefined;
}

interface PageCollector extends Pick<Collector, 'name'> {
  readonly metrics: readonly Pick<MetricDescription, 'name' | 'help'>[];
}

interface MetricSource {
  readonly collector: string;
  readonly metric: FamilyHead;
}

/** The exporter's own metrics have this value in place of a collector name. */
const own = '';

export interface PageAccount {
  readonly name: string;
  readonly store: AccountStore;
  /** Changes whenever `ownFamilies` may return different families. */
  readonly revision: string;
  ownFamilies(): readonly Family[];
}

/** Assembles the page of all metrics from the newest results. In both formats, the lines of a metric directly follow its HELP. */
export class Page {
  /** Whether figures of an earlier process are still missing. */
  isRestoring = false;
  readonly index = new PageIndex();
  readonly collectorNames: ReadonlySet<string>;
  /** For each metric about accounts: the collectors that provide the metric, and their descriptions of it. */
  readonly #sources: ReadonlyMap<string, readonly MetricSource[]>;
  readonly #process: ProcessMetrics;
  readonly #accounts = new Map<string, ShownAccount>();
  readonly #heads = new Map<string, EncodedChunk>();

  constructor(collectors: readonly PageCollector[], processMetrics: ProcessMetrics) {
    this.collectorNames = new Set(collectors.map(({ name }) => name));
    const sources = collectors.flatMap(({ name, metrics }) =>
      metrics.map((metric) => ({ collector: name, metric: { ...metric, type: 'gauge' as const } })),
    );
    const ownSources = accountMetrics.map((metric) => ({ collector: own, metric }));
    this.#sources = Map.groupBy([...sources, ...ownSources], ({ metric }) => metric.name);
    this.#process = processMetrics;
  }

  /** Adds an account, or replaces the account with the same name. If both use the same store, the results in the store stay on the page. */
  add(account: PageAccount): void {
    this.#accounts.get(account.name)?.remove(account);
    this.#accounts.set(account.name, new ShownAccount(account, this.index));
  }

  remove(name: string): void {
    this.#accounts.get(name)?.remove();
    this.#accounts.delete(name);
  }

  get accountNames(): ReadonlySet<string> {
    return new Set(this.#accounts.keys());
  }

  /** Encodes what has changed, with a pause after each time slice. Then collects the chunks in one step, because the page must be consistent. */
  async render(format: Format, filter: PageFilter): Promise<readonly EncodedChunk[]> {
    const { accounts: names } = filter;
    const slice = new TimeSlice();
    for (const account of this.#shown(names)) {
      // A reload may have removed the account while `slice.pause` waited.
      if (this.#accounts.get(account.account.name) !== account) continue;
      account.refresh();
      if (names !== undefined) account.encode(this.#sources.values());
      await slice.pause();
    }
    await this.index.refresh(slice);
    const processChunk = names === undefined ? await this.#renderProcess(format) : undefined;

    const accounts = this.#shown(names);
    const page: EncodedChunk[] = [];
    for (const sources of this.#sources.values()) {
      const chunks = sources.flatMap(({ collector, metric: { name } }) => {
        if (collector !== own && filter.collectors?.has(collector) === false) return [];
        return names === undefined
          ? (this.index.of(collector).encoded(name) ?? [])
          : accounts.flatMap((account) => account.encoded(collector, name));
      });
      const [first] = sources;
      if (first !== undefined && chunks.length > 0) page.push(this.#head(format, first.metric));
      for (const chunk of chunks) page.push(chunk);
    }
    if (processChunk !== undefined) page.push(processChunk);
    if (format === 'openmetrics') page.push(end);
    return page;
  }

  #shown(names: PageFilter['accounts']): readonly ShownAccount[] {
    return [...this.#accounts.values()].filter(({ account }) => names?.has(account.name) !== false);
  }

  async #renderProcess(format: Format): Promise<EncodedChunk | undefined> {
    const families = await this.#process.families();
    const text = families
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
  readonly #chunks: CollectorChunks;
  readonly #own: Slot;
  #revision: string;

  constructor(account: PageAccount, index: PageIndex) {
    this.account = account;
    this.#chunks = index.of(own);
    this.#revision = account.revision;
    this.#own = this.#chunks.add(renderResult(account.ownFamilies()));
  }

  /** Removes expired results, and updates the exporter's own metrics if they may have changed. */
  refresh(): void {
    this.account.store.expire();
    const { revision } = this.account;
    if (this.#revision === revision) return;
    this.#revision = revision;
    this.#chunks.update(this.#own, renderResult(this.account.ownFamilies()));
  }

  encode(metrics: Iterable<readonly MetricSource[]>): void {
    for (const sources of metrics) for (const { collector, metric } of sources) this.encoded(collector, metric.name);
  }

  encoded(collector: string, metric: string): readonly EncodedChunk[] {
    if (collector !== own) return this.account.store.encoded(collector, metric);
    return [this.#own.chunk.encodedOf(this.#own, metric)].filter((chunk) => chunk !== undefined);
  }

  remove(successor?: PageAccount): void {
    if (successor?.store !== this.account.store) this.account.store.clear();
    this.#chunks.remove(this.#own);
  }
}

const end = encodeText(openMetricsEnd);
