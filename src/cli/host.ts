import { once } from 'node:events';
import type { Environment } from '../config/environment.ts';
import type { Build } from '../exposition/process-metrics.ts';
import type { LogDestination } from '../log.ts';

/** The process as a command sees it. */
export interface Host {
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly build: Build;
  /** Aborts when the process receives a signal to stop. */
  readonly signal: AbortSignal;
  /** Calls the listener for each signal to reload the configuration. */
  onReload(listener: () => void): void;
}

export interface Output extends LogDestination {
  readonly isTTY?: boolean;
}

/** Resolves when the process receives a signal to stop. */
export async function untilStopped({ signal }: Host): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Prints warnings of a command that writes no log. */
export function printWarnings({ stderr }: Host, warnings: readonly string[]): void {
  for (const warning of warnings) stderr.write(`warning: ${warning}\n`);
}
