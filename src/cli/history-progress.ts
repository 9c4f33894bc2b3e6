import type { Account } from '../polling/account.ts';
import type { Host } from './host.ts';
import { pauseNotice } from './pause-notice.ts';
import { ProgressBar } from './progress-bar.ts';

/** Milliseconds. */
const progressInterval = 200;

/** Says how many calls are necessary and how long they take, and then how far they are. */
export class HistoryProgress {
  readonly #accounts: readonly Account[];
  readonly #stderr: Host['stderr'];
  readonly #timer: NodeJS.Timeout;
  readonly #paused = new Set<string>();
  #bar: ProgressBar | undefined;

  constructor(accounts: readonly Account[], stderr: Host['stderr']) {
    this.#accounts = accounts;
    this.#stderr = stderr;
    const noun = accounts.length === 1 ? 'account' : 'accounts';
    stderr.write(`Asking for the sites and databases of ${accounts.length} ${noun}, then for the load of each.\n`);
    this.#timer = setInterval(() => this.#show(), progressInterval);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#show();
    this.#bar?.clear();
  }

  #show(): void {
    const fanOuts = this.#accounts.map((account) => ({
      account,
      lists: account.pollers.flatMap(({ items, newest }) => (items === undefined ? [] : [{ items, newest }])),
    }));
    const isListed = fanOuts.every(({ lists }) => lists.every(({ items, newest }) => !items.needsList || newest));
    if (!isListed) return;
    const calls = fanOuts.map(({ account, lists }) => ({
      account,
      all: sum(lists.map(({ items }) => items.keys.size)),
      left: sum(lists.map(({ items }) => items.due().length)),
    }));
    const total = sum(calls.map(({ all }) => all));
    if (this.#bar === undefined && total > 0) {
      const minutes = Math.max(0, ...calls.map(({ account, left }) => left / account.load.budget));
      const noun = total === 1 ? 'call' : 'calls';
      this.#stderr.write(`${total} ${noun}, within the call budget${printMinutes(minutes)}.\n`);
    }
    this.#bar ??= new ProgressBar(this.#stderr, total);
    for (const { account } of calls) this.#reportPause(account, this.#bar);
    const current = calls.find(({ left }) => left > 0)?.account.name ?? '';
    this.#bar.moveTo(total - sum(calls.map(({ left }) => left)), current);
  }

  #reportPause({ name, pauseRemaining }: Account, bar: ProgressBar): void {
    if (pauseRemaining === 0) this.#paused.delete(name);
    else if (!this.#paused.has(name)) bar.say(pauseNotice(name, pauseRemaining));
    if (pauseRemaining > 0) this.#paused.add(name);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Seconds below which a wait is not announced. */
const minAnnounced = 5;

function printMinutes(minutes: number): string {
  const seconds = Math.ceil(minutes * 60);
  if (seconds < minAnnounced) return '';
  return seconds <= 90 ? `: about ${seconds} s` : `: about ${Math.round(minutes)} minutes`;
}
