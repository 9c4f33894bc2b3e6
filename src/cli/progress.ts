import type { Account } from '../accounts/account.ts';
import { countOf } from '../config/values/count-of.ts';
import type { Output } from './command.ts';

/** Seconds; shorter waits are not announced. */
export const minAnnounced = 5;

const barWidth = 24;
const lineWidth = 78;

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

/** Prints the number and the duration of a history's calls, then their progress. Returns a function that ends the display. */
export function showHistoryProgress(accounts: readonly Account[], stderr: Output): () => void {
  const newPauses = watchPauses(accounts);
  let bar: ProgressBar | undefined;
  const show = () => {
    const isListed = accounts.every(({ pollers }) => pollers.every(({ items, newest }) => !items.needsList || newest));
    if (!isListed) return;
    const calls = accounts.map((account) => ({
      account,
      all: sum(account.pollers.map(({ items }) => items.keys.size)),
      left: sum(account.pollers.map(({ items }) => items.due().length)),
    }));
    const total = sum(calls.map(({ all }) => all));
    if (bar === undefined && total > 0) {
      const minutes = Math.max(0, ...calls.map(({ account, left }) => left / account.load.budget));
      const seconds = Math.ceil(minutes * 60);
      const time = seconds <= 90 ? `${seconds} s` : `${Math.round(minutes)} minutes`;
      const about = seconds < minAnnounced ? '' : `: about ${time}`;
      stderr.write(`${countOf(total, 'call')}, within the call budget${about}.\n`);
    }
    bar ??= new ProgressBar(stderr, total);
    for (const { name, budget } of newPauses()) bar.pause(name, budget.pauseRemaining);
    const current = calls.find(({ left }) => left > 0)?.account.name ?? '';
    bar.moveTo(total - sum(calls.map(({ left }) => left)), current);
  };
  stderr.write(
    `Reading the sites and databases of ${countOf(accounts.length, 'account')}, then the load of each site and database.\n`,
  );
  const timer = setInterval(show, 200);
  return () => {
    clearInterval(timer);
    show();
    bar?.clear();
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
