import type { Collector } from '../collectors/collector.ts';
import type { Family, FamilyHead } from '../collectors/family.ts';
import { type AccountStore, ownMetrics } from './account-store.ts';
import { gzipOf, Piece } from './gzip.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { openMetricsEnd, renderFamilies, renderHead } from './render.ts';

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
  /** The descriptions of the metrics about accounts, in the order of the page. Two collectors may describe the same metric. */
  readonly #heads: ReadonlyMap<string, readonly FamilyHead[]>;
  readonly #process: ProcessMetrics;
  /** The accounts by name, in the order of the page. Reloads change this map. */
  readonly accounts: ReadonlyMap<string, PageAccount>;
  /** The collectors of each piece of the page. Collectors that describe the same metric are in the same piece. */
  readonly #groups: readonly (readonly string[])[];
  /** The pieces of the unfiltered page, by format and collectors. `key` changes whenever the text of the piece changes. */
  readonly #kept = new Map<string, { readonly key: string; readonly piece: Promise<Piece> }>();

  constructor(
    collectors: readonly Pick<Collector, 'name' | 'metrics'>[],
    accountMetrics: readonly FamilyHead[],
    processMetrics: ProcessMetrics,
    accounts: ReadonlyMap<string, PageAccount>,
  ) {
    this.collectorNames = new Set(collectors.map(({ name }) => name));
    this.#heads = Map.groupBy([...collectors.flatMap(({ metrics }) => metrics), ...accountMetrics], ({ name }) => name);
    const groups = Map.groupBy(collectors, ({ metrics }) =>
      collectors.find((other) => other.metrics.some(({ name }) => metrics.some((own) => own.name === name))),
    );
    this.#groups = [...[...groups.values()].map((group) => group.map(({ name }) => name)), [ownMetrics]];
    this.#process = processMetrics;
    this.accounts = accounts;
  }

  /** Renders the current page. */
  async render({ format, encoding }: Pick<Representation, 'format' | 'encoding'>, filter: PageFilter): Promise<Buffer> {
    const { accounts: names, collectors } = filter;
    const chosen = [...this.accounts.values()].filter(({ name }) => names?.has(name) !== false);
    for (const account of chosen) account.refresh();
    // A page of selected accounts omits the metrics of the process, which belong to no account.
    const hasProcess = names === undefined;
    const isFiltered = !hasProcess || collectors !== undefined;
    const shown = [...(collectors ?? this.collectorNames), ownMetrics];
    const pieces = await Promise.all(
      isFiltered
        ? [this.#join(format, shown, chosen, hasProcess)]
        : this.#groups.map((group) => this.#current(format, group, chosen)),
    );
    const rest = hasProcess ? render(format, await this.#process.families('current')) : [];
    if (format === 'openmetrics') rest.push(Buffer.from(openMetricsEnd));
    if (encoding === 'gzip') return gzipOf(pieces, Buffer.concat(rest));
    return Buffer.concat([...pieces.flatMap(({ texts }) => texts), ...rest]);
  }

  /** Returns the metrics of collectors for all accounts. Joins and compresses them again only if they have changed. */
  #current(format: Format, names: readonly string[], accounts: readonly PageAccount[]): Promise<Piece> {
    const id = [format, ...names].join();
    const key = names.flatMap((name) => accounts.map(({ store }) => store.revisionOf(name))).join();
    const kept = this.#kept.get(id);
    if (kept?.key === key) return kept.piece;
    // The metrics about durations need no revision, because each call and each poll also changes a metric about its account.
    const piece = this.#join(format, names, accounts, names.includes(ownMetrics));
    this.#kept.set(id, { key, piece });
    return piece;
  }

  async #join(format: Format, names: readonly string[], accounts: readonly PageAccount[], hasDurations: boolean) {
    const byMetric = new Map<string, Uint8Array[]>();
    for (const lines of names.flatMap((name) => accounts.flatMap(({ store }) => store.lines(name)))) {
      for (const [metric, text] of lines) {
        const texts = byMetric.get(metric) ?? [];
        texts.push(text);
        byMetric.set(metric, texts);
      }
    }
    const all: Uint8Array[] = [];
    for (const [metric, [head]] of this.#heads) {
      const texts = byMetric.get(metric);
      if (head !== undefined && texts !== undefined)
        all.push(Buffer.from(renderHead(format, head)), Buffer.concat(texts));
    }
    if (hasDurations) all.push(...render(format, await this.#process.families('durations')));
    return new Piece(all);
  }
}

function render(format: Format, families: readonly (FamilyHead & Family)[]): Uint8Array[] {
  const lines = renderFamilies(families);
  const texts: Uint8Array[] = [];
  for (const family of families) {
    const text = lines.get(family.name);
    if (text !== undefined) texts.push(Buffer.from(renderHead(format, family)), text);
  }
  return texts;
}
