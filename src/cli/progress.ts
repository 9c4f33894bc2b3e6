import { countOf } from '../config/values/wording.ts';
import type { Account } from '../polling/account.ts';
import type { Output } from './command.ts';

/** Seconds; shorter waits are not announced. */
export const minAnnounced = 5;

const barWidth = 24;
const lineWidth = 78;

/** Waits for `work`, and calls `repeated` five times a second until then. */
export async function meanwhile<T>(work: Promise<T>, repeated: () => void): Promise<T> {
  const timer = setInterval(repeated, 200);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

/** Shows progress on one line of a terminal. If the output is no terminal, shows only pauses. */
export class ProgressBar {
  readonly #output: Output;
  readonly #total: number;
  #done = 0;

  constructor(output: Output, total: number) {
    this.#output = output;
    this.#total = total;
  }

  advance(label: string): void {
    this.moveTo(this.#done + 1, label);
  }

  moveTo(done: number, label: string): void {
    this.#done = done;
    if (this.#output.isTTY !== true) return;
    const bar = '#'.repeat(Math.round((done / this.#total) * barWidth)).padEnd(barWidth, '.');
    this.#output.write(`\r${`[${bar}] ${done}/${this.#total} ${label}`.slice(0, lineWidth).padEnd(lineWidth)}`);
  }

  pause(account: string, milliseconds: number): void {
    const end = new Date(Date.now() + milliseconds).toISOString().slice(11, 19);
    const wait = `waiting ${Math.ceil(milliseconds / 1000)} s, until ${end} UTC`;
    this.clear();
    this.#output.write(`${account}: ${wait}, because the API reports too many calls\n`);
  }

  clear(): void {
    if (this.#output.isTTY === true) this.#output.write(`\r${' '.repeat(lineWidth)}\r`);
  }
}

/** Returns a function. Each call lists the accounts whose pause has begun since the previous call. */
export function watchPauses(accounts: readonly Account[]): () => readonly Account[] {
  let paused: readonly Account[] = [];
  return () => {
    const before = paused;
    paused = accounts.filter(({ budget }) => budget.pauseRemaining > 0);
    return paused.filter((account) => !before.includes(account));
  };
}

/** Waits for the calls of a history. Prints their number and their duration when all lists have arrived, then their progress. */
export async function showHistoryProgress(work: Promise<unknown>, accounts: readonly Account[], stderr: Output) {
  const newPauses = watchPauses(accounts);
  let bar: ProgressBar | undefined;
  const leftOf = ({ pollers }: Account) => pollers.flatMap(({ items }) => items.due()).length;
  const show = () => {
    const pollers = accounts.flatMap((account) => account.pollers);
    if (pollers.some(({ items, newest }) => items.needsList && newest === undefined)) return;
    const total = pollers.flatMap(({ items }) => [...items.keys]).length;
    if (bar === undefined && total > 0) {
      const minutes = Math.max(...accounts.map((account) => leftOf(account) / account.load.budget));
      const time = minutes <= 1.5 ? `${Math.ceil(minutes * 60)} s` : `${Math.round(minutes)} minutes`;
      const about = Math.ceil(minutes * 60) < minAnnounced ? '' : `: about ${time}`;
      stderr.write(`${countOf(total, 'call')}, within the call budget${about}.\n`);
    }
    bar ??= new ProgressBar(stderr, total);
    for (const { name, budget } of newPauses()) bar.pause(name, budget.pauseRemaining);
    const current = accounts.find((account) => leftOf(account) > 0);
    bar.moveTo(total - pollers.flatMap(({ items }) => items.due()).length, current?.name ?? '');
  };
  const read = `Reading the sites and databases of ${countOf(accounts.length, 'account')}`;
  stderr.write(`${read}, then the load of each site and database.\n`);
  await meanwhile(work, show).finally(() => {
    show();
    bar?.clear();
  });
}
