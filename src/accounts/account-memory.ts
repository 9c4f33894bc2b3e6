import { memoryName } from '../collectors/list.ts';
import {
  type DailyMemory,
  type DiskGrowth,
  dateOf,
  diskGrowth,
  isRemembered,
  parseMemory,
  readPart,
  remember,
} from '../results/daily-memory.ts';
import { type FigureAccount, type FigureSource, readResults } from '../results/figures.ts';
import type { FinishedPoll } from '../results/finished-poll.ts';
import { KeptPayload } from '../results/kept-payload.ts';
import type { CollectorSnapshot } from '../results/snapshot.ts';
import type { TimeSlice } from '../runtime/time-slice.ts';

interface PolledAccount extends FigureAccount {
  readonly pollers: readonly (FigureSource & { readonly newest: FinishedPoll | undefined })[];
}

/** The first figures of each day of an account, kept as compressed JSON. */
export class AccountMemory {
  readonly #timeZone: string;
  #kept: KeptPayload | undefined;
  /** The collectors whose figures of `#date` are remembered. */
  readonly #read = new Set<string>();
  #date = '';
  #growth: { readonly date: string; readonly value: DiskGrowth | undefined } | undefined;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** The memory, unless it is empty, as an entry beside the collectors of a snapshot. */
  get entries(): readonly (readonly [string, CollectorSnapshot])[] {
    const payloads = new Map(this.#kept && [['', this.#kept]]);
    return payloads.size === 0 ? [] : [[memoryName, { payloads, runStarted: 0, poll: undefined }]];
  }

  restore(snapshot: CollectorSnapshot | undefined): void {
    this.#kept = snapshot?.payloads.get('');
    this.#growth = undefined;
  }

  compress(): void {
    this.#kept?.compress();
  }

  read(): DailyMemory {
    return parseMemory(this.#kept?.decode());
  }

  /** Adds the figures of collectors that have succeeded for the first time on this day. Returns whether there are any. */
  async update(account: PolledAccount, slice: TimeSlice): Promise<boolean> {
    const now = Date.now();
    const date = dateOf(now, this.#timeZone);
    if (date !== this.#date) this.#read.clear();
    this.#date = date;
    const pollers = account.pollers.filter((poller) => {
      const isNew = isRemembered(poller) && !this.#read.has(poller.collector.name);
      return isNew && dateOf(poller.newest?.lastSuccess ?? 0, this.#timeZone) === date;
    });
    if (pollers.length === 0) return false;
    const { name, settlingTime, store } = account;
    const results = await readResults({ name, settlingTime, store, pollers }, slice);
    const parts = pollers.flatMap((poller) => {
      const part = readPart(poller, results);
      if (part !== undefined) this.#read.add(poller.collector.name);
      return part ?? [];
    });
    if (parts.length === 0) return false;
    const arrival = { answered: now, providerTime: now, complete: true };
    this.#kept = new KeptPayload(remember(this.read(), date, parts), arrival);
    this.#growth = undefined;
    return true;
  }

  /** The growth of the disk usage, computed once a day, because each list of accounts needs it. */
  growth(now: number): DiskGrowth | undefined {
    const date = dateOf(now, this.#timeZone);
    if (this.#growth?.date !== date) this.#growth = { date, value: diskGrowth(this.read(), date) };
    return this.#growth.value;
  }
}
