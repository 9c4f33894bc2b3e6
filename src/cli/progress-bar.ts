import type { Output } from './host.ts';

const barWidth = 24;
const lineWidth = 78;

/** Shows progress on one line of a terminal; writes nothing if the output is not a terminal. */
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

  /** Shows that this number of steps is done. */
  moveTo(done: number, label: string): void {
    this.#done = done;
    if (this.#output.isTTY !== true) return;
    const filled = Math.round((this.#done / this.#total) * barWidth);
    const bar = '#'.repeat(filled).padEnd(barWidth, '.');
    this.#output.write(`\r${`[${bar}] ${this.#done}/${this.#total} ${label}`.slice(0, lineWidth).padEnd(lineWidth)}`);
  }

  /** Prints a line, and shows the progress again after the next step. */
  say(line: string): void {
    this.clear();
    this.#output.write(`${line}\n`);
  }

  clear(): void {
    if (this.#output.isTTY === true) this.#output.write(`\r${' '.repeat(lineWidth)}\r`);
  }
}
