import { once } from 'node:events';
import type { Environment } from '../config/environment.ts';
import type { Build } from '../exposition/process-metrics.ts';

/** What a command sees of the process that it runs in. */
export interface Host {
  readonly environment: Environment;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly build: Build;
  /** Aborts when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Calls the listener whenever the process is asked to read its configuration again. */
  onReload(listener: () => void): void;
}

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Resolves when the process is asked to end. */
export async function untilStopped({ signal }: Host): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
