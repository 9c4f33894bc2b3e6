import { once } from 'node:events';
import type { Environment } from '../config/environment.ts';
import type { Build } from '../exposition/process-metrics.ts';
import type { LogDestination } from '../log.ts';

/** The process as a command sees it. */
export interface Host {
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly build: Build;
  /** The process ID. */
  readonly pid: number;
  /** Aborts when the process receives a signal to stop. */
  readonly signal: AbortSignal;
  /** Calls the listener for each signal to reload the configuration. */
  onReload(listener: () => void): void;
}

export interface Output extends LogDestination {
  readonly isTTY?: boolean;
}

/** Keys of a terminal, or the content of a file or pipe. */
export interface Input extends AsyncIterable<unknown> {
  readonly isTTY?: boolean;
  setEncoding(encoding: 'utf8'): unknown;
  /** Only of a terminal: keys arrive one by one, and the terminal does not show them. */
  setRawMode?(isRaw: boolean): unknown;
}

/** Resolves when the process receives a signal to stop. */
export async function untilStopped({ signal }: Host): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Prints warnings of a command that writes no log. */
export function printWarnings({ stderr }: Host, warnings: readonly string[]): void {
  for (const warning of warnings) stderr.write(`warning: ${warning}\n`);
}
