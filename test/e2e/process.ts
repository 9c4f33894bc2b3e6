import { type ChildProcess, spawn } from 'node:child_process';
import type { Belongings } from './belongings.ts';
import { until } from './waiting.ts';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  /** In place of the test's own environment, of which only PATH is passed on. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder to run in. */
  readonly folder?: string;
}

const alive = new Set<ChildProcess>();

// For a worker that ends without its hooks.
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A process that a test started, with all that it printed so far. */
export class Process {
  readonly exit: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];
  #ended = false;

  /** It ends with the belongings, by SIGKILL where it has not ended before. */
  constructor(belongings: Belongings, command: string, argv: readonly string[], options: ProcessOptions = {}) {
    const child = spawn(command, argv, {
      cwd: options.folder,
      env: { PATH: process.env['PATH'], ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    alive.add(child);
    child.stdout.on('data', (chunk: Buffer) => this.#stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    this.exit = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        this.#ended = true;
        alive.delete(child);
        resolve({ code, signal });
      });
    });
    belongings.add(async () => {
      if (!this.#ended) child.kill('SIGKILL');
      await this.exit;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get stdout(): string {
    return Buffer.concat(this.#stdout).toString('utf8');
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString('utf8');
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Stops reading what it prints, as `head` does once it has enough. */
  closeStdout(): void {
    this.#child.stdout?.destroy();
  }

  /** Asks it to end, and waits until it has. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.send(signal);
    return this.exit;
  }

  /** The first match in what it printed; fails with its output where it ends without. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const match = () => pattern.exec(`${this.stdout}${this.stderr}`);
    await until(`${pattern} in the output`, () => match() !== null || this.#ended);
    const found = match();
    if (found === null) throw new Error(`ended without ${pattern}:\n${this.stdout}${this.stderr}`);
    return found;
  }
}
