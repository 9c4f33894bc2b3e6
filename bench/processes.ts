import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** A server under test: it runs in a process of its own, and listens on loopback. */
export interface Server {
  readonly pid: number;
  /** Of its page of metrics. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A server that is a script of ours: it sends its URL as soon as it can be scraped, and answers questions. */
export interface ScriptServer extends Server {
  ask(question: string): Promise<unknown>;
}

export async function startScript(file: string, ...args: readonly string[]): Promise<ScriptServer> {
  const child = fork(`${import.meta.dirname}/${file}`, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  });
  const url = String(await answerOf(child));
  return {
    pid: pidOf(child),
    url,
    ask: (question) => {
      child.send(question);
      return answerOf(child);
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

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  const { signal } = ended;
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${child.spawnargs.join(' ')} ended before it answered`);
  });
  const answer = once(child, 'message', { signal }).then(([message]: unknown[]) => message);
  try {
    return await Promise.race([answer, exit]);
  } finally {
    exit.catch(() => {});
    ended.abort();
  }
}

/** Milliseconds of CPU that all threads of a process have had. */
export function cpuTime(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** The most memory (bytes, resident) that a process has had since `forgetPeakMemory`. */
export function peakMemory(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

export function forgetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
