import type { Collector } from '../collectors/collector.ts';
import type { Family, FamilyHead } from '../collectors/family.ts';
import { type AccountStore, ownMetrics } from './account-store.ts';
import { type CompressedStart, compressStart, gzipWith } from './gzip.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { openMetricsEnd, type RenderedFamilies, renderFamilies, renderHead } from './render.ts';

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

/** The text of each metric of a collector, for all accounts. `key` changes with the text. */
interface JoinedCollector {
  readonly key: string;
  readonly lines: RenderedFamilies;
}

/** The text of all figures, and of the durations of calls and polls. `compressed`: undefined until a scrape asks for gzip. */
interface JoinedFigures {
  readonly text: readonly Uint8Array[];
  compressed: Promise<CompressedStart> | undefined;
}

/** Assembles the page of all metrics from the newest results. In both formats, the lines of a metric directly follow its HELP and TYPE. */
export class Page {
  /** Whether figures of an earlier process are still being restored. */
  isRestoring = false;
  readonly collectorNames: ReadonlySet<string>;
  /** The descriptions of the metrics about accounts, in the order of the page. Two collectors may describe the same metric. */
  readonly #heads: ReadonlyMap<string, readonly FamilyHead[]>;
  readonly #process: ProcessMetrics;
  /** The accounts by name, in the order of the page. A reload adds accounts to this map and removes them from it. */
  readonly accounts: ReadonlyMap<string, PageAccount>;
  readonly #collectors = new Map<string, JoinedCollector>();
  /** The unfiltered text of each format, until it changes. */
  #kept = { key: '', figures: new Map<Format, Promise<JoinedFigures>>() };

  constructor(
    collectors: readonly Pick<Collector, 'name' | 'metrics'>[],
    accountMetrics: readonly FamilyHead[],
    processMetrics: ProcessMetrics,
    accounts: ReadonlyMap<string, PageAccount>,
  ) {
    this.collectorNames = new Set(collectors.map(({ name }) => name));
    this.#heads = Map.groupBy([...collectors.flatMap(({ metrics }) => metrics), ...accountMetrics], ({ name }) => name);
    this.#process = processMetrics;
    this.accounts = accounts;
  }

  /** Renders the current page. Joins and compresses the figures again only if they have changed. */
  async render({ format, encoding }: Pick<Representation, 'format' | 'encoding'>, filter: PageFilter): Promise<Buffer> {
    const { accounts: names, collectors } = filter;
    const chosen = [...this.accounts.values()].filter(({ name }) => names?.has(name) !== false);
    for (const account of chosen) account.refresh();
    const parts = [...(collectors ?? this.collectorNames), ownMetrics].map((name) =>
      names === undefined ? this.#collector(name) : joinCollector(chosen, name),
    );
    // A page of selected accounts omits the metrics of the process, which belong to no account.
    const hasProcess = names === undefined;
    const figures = await (hasProcess && collectors === undefined
      ? this.#current(format, parts)
      : this.#figures(format, parts, hasProcess));
    const rest = hasProcess ? render(format, await this.#process.families('current')) : [];
    if (format === 'openmetrics') rest.push(Buffer.from(openMetricsEnd));
    if (encoding === 'identity') return Buffer.concat([...figures.text, ...rest]);
    figures.compressed ??= compressStart(Buffer.concat(figures.text));
    return gzipWith(await figures.compressed, Buffer.concat(rest));
  }

  /** Returns the text of a collector for all accounts. Joins it again only if it has changed. */
  #collector(name: string): JoinedCollector {
    const key = [...this.accounts.values()].map(({ store }) => store.revisionOf(name)).join();
    const kept = this.#collectors.get(name);
    const joined = kept?.key === key ? kept : joinCollector(this.accounts.values(), name, key);
    this.#collectors.set(name, joined);
    return joined;
  }

  /** The kept figures. The durations need no revision, because each call and each poll also changes a metric about its account. */
  #current(format: Format, parts: readonly JoinedCollector[]): Promise<JoinedFigures> {
    const key = parts.map((part) => part.key).join();
    if (this.#kept.key !== key) this.#kept = { key, figures: new Map() };
    const figures = this.#kept.figures.get(format) ?? this.#figures(format, parts, true);
    this.#kept.figures.set(format, figures);
    return figures;
  }

  async #figures(format: Format, parts: readonly JoinedCollector[], hasDurations: boolean): Promise<JoinedFigures> {
    const text: Uint8Array[] = [];
    for (const [metric, [head]] of this.#heads) {
      const texts = parts.flatMap(({ lines }) => lines.get(metric) ?? []);
      if (head !== undefined && texts.length > 0) text.push(Buffer.from(renderHead(format, head)), ...texts);
    }
    if (hasDurations) text.push(...render(format, await this.#process.families('durations')));
    return { text, compressed: undefined };
  }
}

function joinCollector(accounts: Iterable<PageAccount>, name: string, key = ''): JoinedCollector {
  const byMetric = new Map<string, Uint8Array[]>();
  for (const lines of [...accounts].flatMap(({ store }) => store.lines(name))) {
    for (const [metric, text] of lines) {
      const texts = byMetric.get(metric) ?? [];
      texts.push(text);
      byMetric.set(metric, texts);
    }
  }
  return { key, lines: new Map([...byMetric].map(([metric, texts]) => [metric, Buffer.concat(texts)])) };
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
