import type { Collector } from '../collectors/collector.ts';
import type { FamilyHead } from '../collectors/family.ts';
import { type AccountStore, ownMetrics } from './account-store.ts';
import { gzipOf, Piece } from './gzip.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { openMetricsEnd, renderHead, renderProcessMetrics } from './render.ts';

type Format = Representation['format'];

/** Selects a part of the page. An undefined field selects everything. */
export interface PageFilter {
  readonly accounts?: ReadonlySet<string> | undefined;
  /** The exporter's own metrics are always included. */
  readonly collectors?: ReadonlySet<string> | undefined;
}

export interface PageAccount {
  readonly name: string;
  readonly store: AccountStore;
  /** Removes expired results, and updates the exporter's own metrics about the account in the store. */
  refresh(): void;
}

/** Assembles the page of all metrics from the newest results. In both formats, the lines of a metric directly follow its HELP and TYPE. */
export class Page {
  /** Whether figures of an earlier process are still being restored. */
  isRestoring = false;
  readonly collectorNames: ReadonlySet<string>;
  /** The accounts by name, in the order of the page. Reloads change this map. */
  readonly accounts: ReadonlyMap<string, PageAccount>;
  /** The metrics about accounts by name, in the order of the page. Two collectors may describe the same metric. */
  readonly #metrics: ReadonlyMap<string, readonly (FamilyHead & { readonly collector: string })[]>;
  readonly #process: ProcessMetrics;
  /** The metrics of the unfiltered page, by name and format. Metrics that have changed since are missing. */
  readonly #kept = new Map<string, Partial<Record<Format, Piece>>>();
  /** The stores of the accounts in `#kept`. */
  #stores: readonly AccountStore[] = [];
  /** The durations of calls and polls by format, and the revisions of the stores when they were rendered. */
  #durations: Partial<Record<Format, Promise<Piece>>> = {};
  #revisions = '';

  constructor(
    collectors: readonly Pick<Collector, 'name' | 'metrics'>[],
    accountMetrics: readonly FamilyHead[],
    processMetrics: ProcessMetrics,
    accounts: ReadonlyMap<string, PageAccount>,
  ) {
    this.collectorNames = new Set(collectors.map(({ name }) => name));
    const sources = [...collectors, { name: ownMetrics, metrics: accountMetrics }];
    const described = sources.flatMap(({ name, metrics }) => metrics.map((head) => ({ ...head, collector: name })));
    this.#metrics = Map.groupBy(described, ({ name }) => name);
    this.#process = processMetrics;
    this.accounts = accounts;
  }

  /** Renders the current page. */
  async render({ format, encoding }: Pick<Representation, 'format' | 'encoding'>, filter: PageFilter): Promise<Buffer> {
    const { accounts: names, collectors } = filter;
    const accounts = [...this.accounts.values()].filter(({ name }) => names?.has(name) !== false);
    for (const account of accounts) account.refresh();
    const stores = accounts.map(({ store }) => store);
    // A page of selected accounts omits the metrics of the process, which belong to no account.
    const hasProcess = names === undefined;
    const join = (metric: string) => this.#join(format, metric, stores, collectors);
    const pieces =
      hasProcess && collectors === undefined
        ? this.#current(format, stores)
        : [new Piece(Buffer.concat([...this.#metrics.keys()].map(join)))];
    if (hasProcess) pieces.push(await this.#currentDurations(format, stores));
    const process = hasProcess ? await this.#process.metrics('current') : [];
    const rest = Buffer.from(renderProcessMetrics(format, process) + (format === 'openmetrics' ? openMetricsEnd : ''));
    if (encoding === 'gzip') return gzipOf(pieces, rest);
    return Buffer.concat([...pieces.map(({ text }) => text), rest]);
  }

  /** Returns all metrics about accounts. Joins and compresses only those again that have changed. */
  #current(format: Format, stores: readonly AccountStore[]): Piece[] {
    if (stores.length !== this.#stores.length || stores.some((store, index) => store !== this.#stores[index])) {
      this.#kept.clear();
      this.#stores = stores;
    }
    for (const store of stores) for (const metric of store.takeChanged()) this.#kept.delete(metric);
    return [...this.#metrics.keys()].map((metric) => {
      const texts = this.#kept.get(metric) ?? {};
      this.#kept.set(metric, texts);
      texts[format] ??= new Piece(this.#join(format, metric, stores));
      return texts[format];
    });
  }

  /** Returns the durations of calls and polls. Renders and compresses them again only after a call or a poll, which changes a store. */
  #currentDurations(format: Format, stores: readonly AccountStore[]): Promise<Piece> {
    const revisions = stores.map(({ revision }) => revision).join();
    if (this.#revisions !== revisions) this.#durations = {};
    this.#revisions = revisions;
    this.#durations[format] ??= this.#process
      .metrics('durations')
      .then((metrics) => new Piece(Buffer.from(renderProcessMetrics(format, metrics))));
    return this.#durations[format];
  }

  /** Joins a metric of these collectors, or of all collectors. Empty if the metric has no series. */
  #join(format: Format, metric: string, stores: readonly AccountStore[], collectors?: ReadonlySet<string>): Buffer {
    const heads = this.#metrics.get(metric) ?? [];
    const chosen = heads.filter(({ collector }) => collector === ownMetrics || collectors?.has(collector) !== false);
    const lines = chosen.flatMap(({ collector }) => stores.flatMap((store) => store.lines(collector, metric)));
    const [head] = heads;
    if (head === undefined || lines.length === 0) return Buffer.alloc(0);
    return Buffer.concat([Buffer.from(renderHead(format, head)), ...lines]);
  }
}
