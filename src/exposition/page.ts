import { accountMetrics } from './account-metrics.ts';
import type { AccountStore } from './account-store.ts';
import { type Block, makeBlock } from './block.ts';
import type { FamilyHead } from './family.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetrics } from './process-metrics.ts';

type Format = Representation['format'];

/** Which part of the page is asked for; undefined means all. */
export interface PageFilter {
  readonly accounts?: ReadonlySet<string> | undefined;
  /** Collectors whose metrics are shown; the exporter's own are shown in any case. */
  readonly collectors?: ReadonlySet<string> | undefined;
  /** Of what is about the process as a whole only what is the exporter's own, and not any program's. */
  readonly process?: 'own' | undefined;
}

/** The part of a collector that the page needs: its name, and its metrics in the order in which they are shown. */
export interface PageCollector {
  readonly name: string;
  readonly metrics: readonly { readonly name: string; readonly help: string }[];
}

/**
 * The page of all metrics: the blocks that the polls left, joined. All blocks of one metric stand together under one
 * HELP and TYPE, as both formats ask.
 */
export class Page {
  readonly #collectors: readonly PageCollector[];
  readonly #accounts: ReadonlyMap<string, AccountStore>;
  readonly #process: ProcessMetrics;
  readonly #heads = new Map<string, Block>();

  constructor(
    collectors: readonly PageCollector[],
    accounts: ReadonlyMap<string, AccountStore>,
    processMetrics: ProcessMetrics,
  ) {
    this.#collectors = collectors;
    this.#accounts = accounts;
    this.#process = processMetrics;
  }

  /** The whole page, or the part that the filter leaves, in one format, at `time` (unix milliseconds). */
  async render(format: Format, filter: PageFilter, time: number): Promise<readonly Block[]> {
    const accounts = [...this.#accounts.values()].filter(({ account }) => filter.accounts?.has(account) !== false);
    for (const account of accounts) account.expire(time);
    const page: Block[] = [];
    for (const collector of this.#collectors) {
      if (filter.collectors?.has(collector.name) === false) continue;
      for (const { name, help } of collector.metrics) {
        const blocks = accounts.map((account) => account.block(collector.name, name));
        this.#add(page, format, { name, help, type: 'gauge' }, blocks);
      }
    }
    for (const head of Object.values(accountMetrics)) {
      this.#add(page, format, head, await Promise.all(accounts.map(({ metrics }) => metrics.block(head.name))));
    }
    if (filter.accounts === undefined) {
      for (const { head, block } of await this.#process.families()) {
        if (filter.process !== 'own' || head.name.startsWith('hosting_')) this.#add(page, format, head, [block]);
      }
    }
    if (format === 'openmetrics') page.push(end);
    return page;
  }

  #add(page: Block[], format: Format, head: FamilyHead, blocks: readonly (Block | undefined)[]): void {
    const present = blocks.filter((block) => block !== undefined);
    if (present.length > 0) page.push(this.#head(format, head), ...present);
  }

  #head(format: Format, head: FamilyHead): Block {
    const key = `${format} ${head.name}`;
    const block = this.#heads.get(key) ?? makeBlock(describeHead(format, head));
    this.#heads.set(key, block);
    return block;
  }
}

const end = makeBlock('# EOF\n');

/** OpenMetrics names a counter without `_total`, and says `unknown` where the text format says `untyped`. */
function describeHead(format: Format, { name, help, type }: FamilyHead): string {
  const shownName = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
  return `# HELP ${shownName} ${help}\n# TYPE ${shownName} ${type}\n`;
}
