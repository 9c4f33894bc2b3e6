import { setImmediate } from 'node:timers/promises';
import { accountMetrics } from './account-metrics.ts';
import type { AccountStore } from './account-store.ts';
import { type Block, makeBlock } from './block.ts';
import type { FamilyHead } from './family.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetrics } from './process-metrics.ts';
import { Shelves } from './shelves.ts';

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

/** Few enough to take a few milliseconds even if all that they hold changed. */
const accountsInOneStep = 10;

/**
 * The page of all metrics: what the polls left, joined. All lines of one metric stand together under one HELP and TYPE,
 * as both formats ask.
 */
export class Page {
  readonly #collectors: readonly PageCollector[];
  readonly #accounts: ReadonlyMap<string, AccountStore>;
  readonly #process: ProcessMetrics;
  readonly #heads = new Map<string, Block>();
  readonly #shelves = new Shelves();
  readonly #shelved = new Set<AccountStore>();

  constructor(
    collectors: readonly PageCollector[],
    accounts: ReadonlyMap<string, AccountStore>,
    processMetrics: ProcessMetrics,
  ) {
    this.#collectors = collectors;
    this.#accounts = accounts;
    this.#process = processMetrics;
    this.#followAccounts();
  }

  /** The names that a filter may have. */
  get accountNames(): ReadonlySet<string> {
    return new Set(this.#accounts.keys());
  }

  get collectorNames(): ReadonlySet<string> {
    return new Set(this.#collectors.map(({ name }) => name));
  }

  /**
   * The whole page, or the part that the filter leaves, in one format, at `time` (unix milliseconds). What has changed
   * is made ready first, in steps between which other work goes on. Then all is gathered at once: the page is that of
   * one moment, and stays so, since blocks are replaced and never changed.
   */
  async render(format: Format, filter: PageFilter, time: number): Promise<readonly Block[]> {
    this.#followAccounts();
    const { accounts } = filter;
    const few = accounts && [...this.#accounts.values()].filter(({ account }) => accounts.has(account));
    for (const [index, account] of (few ?? [...this.#accounts.values()]).entries()) {
      account.expire(time);
      account.showMetrics();
      if (few !== undefined) account.makeBlocks();
      if (index % accountsInOneStep === accountsInOneStep - 1) await setImmediate();
    }
    await this.#shelves.refresh();
    const processLines = few === undefined ? await this.#renderProcess(format, filter) : '';
    const page: Block[] = [];
    const add = (collector: string | undefined, head: FamilyHead) => {
      const { name } = head;
      const blocks =
        few?.flatMap((account) => account.blocks(collector, name)) ?? this.#shelves.of(collector).blocks(name);
      if (blocks.length > 0) page.push(this.#head(format, head));
      for (const block of blocks) page.push(block);
    };
    for (const { name, metrics } of this.#collectors) {
      if (filter.collectors?.has(name) === false) continue;
      for (const metric of metrics) add(name, { ...metric, type: 'gauge' });
    }
    for (const head of Object.values(accountMetrics)) add(undefined, head);
    if (processLines !== '') page.push(makeBlock(processLines));
    if (format === 'openmetrics') page.push(end);
    return page;
  }

  /** Accounts come and go with the configuration. */
  #followAccounts(): void {
    const accounts = new Set(this.#accounts.values());
    for (const account of this.#shelved) {
      if (accounts.has(account)) continue;
      account.moveTo(undefined);
      this.#shelved.delete(account);
    }
    for (const account of accounts) {
      if (this.#shelved.has(account)) continue;
      account.moveTo(this.#shelves);
      this.#shelved.add(account);
    }
  }

  async #renderProcess(format: Format, filter: PageFilter): Promise<string> {
    const families = await this.#process.families();
    return families
      .filter(({ head }) => filter.process !== 'own' || head.name.startsWith('hosting_'))
      .map(({ head, text }) => describeHead(format, head) + text)
      .join('');
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
