import type { Collector } from '../collectors/collector.ts';
import type { Family, FamilyHead } from '../collectors/family.ts';
import type { AccountStore } from './account-store.ts';
import { type CompressedStart, compressStart, gzipWith } from './gzip.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { addTexts, openMetricsEnd, renderFamilies, renderHead } from './render.ts';

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

/** The text of all figures, and of the durations of calls and polls. `compressed`: undefined until a scrape asks for gzip. */
interface JoinedFigures {
  readonly text: Buffer;
  compressed: Promise<CompressedStart> | undefined;
}

/** Milliseconds for which the text of a format is kept after its last request. */
const keptTime = 3_600_000;

/** Assembles the page of all metrics from the newest results. In both formats, the lines of a metric directly follow its HELP. */
export class Page {
  /** Whether figures of an earlier process are still missing. */
  isRestoring = false;
  readonly collectorNames: ReadonlySet<string>;
  /** The descriptions of the metrics about accounts, in the order of the page. Two collectors may describe the same metric. */
  readonly #heads: ReadonlyMap<string, readonly FamilyHead[]>;
  readonly #process: ProcessMetrics;
  /** The accounts by name, in the order of the page. Changes when accounts are added and removed. */
  readonly accounts: ReadonlyMap<string, PageAccount>;
  /** The unfiltered text of each format that was requested within the last hour. */
  readonly #kept = new Map<Format, { readonly figures: Promise<JoinedFigures>; readonly key: string; used: number }>();

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

  /** The page as it is now. The figures are joined and compressed again only if they have changed. */
  async render({ format, encoding }: Pick<Representation, 'format' | 'encoding'>, filter: PageFilter): Promise<Buffer> {
    const { accounts: names, collectors } = filter;
    for (const account of this.accounts.values()) if (names?.has(account.name) !== false) account.refresh();
    const hasFilter = names !== undefined || collectors !== undefined;
    const figures = await (hasFilter ? this.#join(format, filter) : this.#current(format));
    // The metrics of the process belong to no account.
    const rest = names === undefined ? render(format, await this.#process.families('current')) : [];
    if (format === 'openmetrics') rest.push(Buffer.from(openMetricsEnd));
    if (encoding === 'identity') return Buffer.concat([figures.text, ...rest]);
    figures.compressed ??= compressStart(figures.text);
    return gzipWith(await figures.compressed, Buffer.concat(rest));
  }

  /** Each call and each poll changes the own metrics of its account, so the durations need no revision. */
  #current(format: Format): Promise<JoinedFigures> {
    const now = performance.now();
    for (const [other, { used }] of this.#kept) if (now - used > keptTime) this.#kept.delete(other);
    const key = [...this.accounts.values()].map(({ store }) => store.revision).join();
    const kept = this.#kept.get(format);
    const figures = kept?.key === key ? kept.figures : this.#join(format, {});
    this.#kept.set(format, { figures, key, used: now });
    return figures;
  }

  async #join(format: Format, { accounts: names, collectors }: PageFilter): Promise<JoinedFigures> {
    const byMetric = new Map<string, Uint8Array[]>();
    for (const { name: account, store } of this.accounts.values()) {
      if (names?.has(account) === false) continue;
      for (const lines of store.lines(collectors)) addTexts(byMetric, lines);
    }
    const page: Uint8Array[] = [];
    for (const [metric, [head]] of this.#heads) {
      const texts = byMetric.get(metric) ?? [];
      if (head !== undefined && texts.length > 0) page.push(Buffer.from(renderHead(format, head)));
      for (const text of texts) page.push(text);
    }
    if (names === undefined) page.push(...render(format, await this.#process.families('durations')));
    return { text: Buffer.concat(page), compressed: undefined };
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
