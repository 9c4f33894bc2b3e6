import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** A server under test. It is a separate process that listens on 127.0.0.1. */
export interface Server {
  readonly pid: number;
  /** URL of the metrics page. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that a script of this folder starts. When it is ready, it sends its URL. Then it replies to commands. */
export interface ScriptServer extends Server {
  ask(command: string): Promise<unknown>;
}

export async function startScript(file: string, ...args: readonly string[]): Promise<ScriptServer> {
  const child = fork(`${import.meta.dirname}/${file}`, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  });
  const url = String(await nextMessage(child));
  return {
    pid: pidOf(child),
    url,
    ask: (command) => {
      child.send(command);
      return nextMessage(child);
    },
    stop: () => end(child),
  };
}

export function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process has not started');
  return pid;
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController();
  const { signal } = listening;
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${child.spawnargs.join(' ')} exited before it replied`);
  });
  const message = once(child, 'message', { signal }).then(([content]: unknown[]) => content);
  try {
    return await Promise.race([message, exit]);
  } finally {
    exit.catch(() => {});
    listening.abort();
  }
}

/** CPU time of all threads of a process, in milliseconds. */
export function cpuTime(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** Peak resident memory of a process since `resetPeakMemory`, in bytes. */
export function peakMemory(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
