import { once } from 'node:events';
import type { Environment } from '../config/file/environment.ts';
import type { Build } from '../exposition/process-metrics.ts';
import type { LogDestination } from '../log.ts';

export interface CommandContext {
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: InputStream;
  readonly build: Build;
  readonly pid: number;
  /** Aborts when the process receives a signal to stop. */
  readonly signal: AbortSignal;
  onReload(listener: () => void): void;
}

export interface Output extends LogDestination {
  readonly isTTY?: boolean;
}

/** Input: the keys of a terminal, or the content of a file or pipe. */
export interface InputStream extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
  /** Terminals only. In raw mode, keys arrive one by one and are not shown. */
  setRawMode?(isRaw: boolean): unknown;
}

export async function untilStopped({ signal }: CommandContext): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Prints the warnings of a command that writes no log. */
export function printWarnings({ stderr }: CommandContext, warnings: readonly string[]): void {
  for (const warning of warnings) stderr.write(`warning: ${warning}\n`);
}
