import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import type { AccountSeed } from '../sandbox/src/accounts/account-seed.ts';
import { fleetAccounts } from '../sandbox/src/accounts/fleet.ts';
import { type Sandbox, startSandbox } from '../sandbox/src/server.ts';

/** A script of this folder that runs as a separate process and serves a page on 127.0.0.1. */
export interface ScriptServer {
  readonly pid: number;
  /** URL of the page. */
  readonly url: string;
  ask(command: string): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a script of this folder. The script sends its URL when it is ready, and then replies to commands. */
export async function startScript(
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<ScriptServer> {
  const child = fork(`${import.meta.dirname}/${file}`, args, { execArgv: [...flags] });
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it replied`);
  });
  exited.catch(() => {});
  const reply = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), exited]))[0];
  const url = String(await reply());
  return {
    pid: pidOf(child),
    url,
    ask: (command) => {
      child.send(command);
      return reply();
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** Listens on a free port, and sends the URL of the page to the parent process. */
export function listen(server: Server): void {
  // Keep connections open, because a scrape may follow minutes after the previous one.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
  });
}

/** Accounts for the sandbox: `count` small accounts (`fleet`), or one account whose lists have `count` elements. */
export function accountSeeds(kind: string, count: number): readonly AccountSeed[] {
  return kind === 'fleet' ? fleetAccounts(count) : [largeAccount(count)];
}

export function startUnlimitedSandbox(accounts: readonly AccountSeed[]): Promise<Sandbox> {
  return startSandbox({ dialect: 'provider', accounts, requestsPerMinute: 0 });
}

function largeAccount(count: number): AccountSeed {
  const [seed] = fleetAccounts(1);
  if (seed === undefined) throw new Error('the fleet has no accounts');
  const names = Array.from({ length: count }, (_, index) => `shop-${index + 1}.example`);
  return {
    ...seed,
    domains: names.map((fqdn) => ({ fqdn, expiresInDays: 100 })),
    sites: names.map((name, index) => ({ name, load: index % 50 })),
    databases: names.map((_, index) => ({ name: `shop_${index + 1}`, size: 1e8 + index, load: index % 900 })),
    mailboxes: names.map((domain) => ({ mailbox: 'info', domain })),
  };
}

/** Returns the body of a page as it was sent, without decompression. */
export async function scrape(url: string, encoding: 'identity' | 'gzip'): Promise<Buffer> {
  const { statusCode, headers, body } = await request(url, { headers: { 'accept-encoding': encoding } });
  const page = Buffer.from(await body.arrayBuffer());
  const received = headers['content-encoding'] ?? 'identity';
  if (statusCode !== 200 || received !== encoding) throw new Error(`${url} answered ${statusCode}, ${received}`);
  return page;
}

/** CPU time of all threads of a process, in milliseconds. */
export function cpuTime(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

/** Resident memory of a process in bytes. */
export function residentMemory({ pid }: { readonly pid?: number | undefined }): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
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
