import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HostingAccount } from '../../src/sandbox/hosting-account.ts';
import type { Belongings } from './belongings.ts';
import { type Exit, Process, type ProcessOptions } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What the build leaves, as a user runs it. */
export const mainFile = resolve(import.meta.dirname, '../../dist/main.js');

/** The built program, run by the Node.js that runs the tests. */
export function startProgram(belongings: Belongings, argv: readonly string[], options?: ProcessOptions): Process {
  return new Process(belongings, process.execPath, [mainFile, ...argv], options);
}

/** What a program that ends by itself leaves. */
export interface Ended extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program until it ends by itself. */
export async function runProgram(
  belongings: Belongings,
  argv: readonly string[],
  options?: ProcessOptions,
): Promise<Ended> {
  const program = startProgram(belongings, argv, options);
  const exit = await program.exit;
  return { ...exit, stdout: program.stdout, stderr: program.stderr };
}

/** The settings of a configuration file, as the program reads them. */
export interface Settings {
  readonly api: Readonly<Record<string, unknown>>;
  readonly accounts: readonly Readonly<Record<string, unknown>>[];
  readonly collectors?: Readonly<Record<string, unknown>>;
}

/** A configuration file with these settings, and its path. */
export function writeSettings(belongings: Belongings, settings: unknown): string {
  const file = join(temporaryFolder(belongings), 'config.yml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  return file;
}

/** An account of the sandbox under its own login, with its password or with its token. */
export function accountSettings(account: HostingAccount, mode: 'password' | 'token' = 'password') {
  const { login, password, token } = account;
  return mode === 'token' ? { name: login, token } : { name: login, login, password };
}

/** An exporter that listens. */
export interface Exporter {
  readonly program: Process;
  /** Without a slash at the end. */
  readonly url: string;
  readonly address: string;
  /** The page of a path; fails where its status is not 200. */
  page(path?: string, headers?: Readonly<Record<string, string>>): Promise<string>;
  status(path: string): Promise<number>;
}

/** Starts the built program on any free port of this machine, and waits until it listens. */
export async function startExporter(
  belongings: Belongings,
  settings: Settings,
  flags: readonly string[] = [],
): Promise<Exporter> {
  const file = writeSettings(belongings, settings);
  const argv = [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', ...flags];
  return listening(startProgram(belongings, argv));
}

/** The exporter of a program that says where it listens. */
export async function listening(program: Process): Promise<Exporter> {
  const [, url = ''] = await program.printed(/metrics"?[=:]"?(http:\/\/[^/"]+)\//);
  return {
    program,
    url,
    address: new URL(url).host,
    page: async (path = '/metrics', headers = {}) => {
      const response = await fetch(`${url}${path}`, { headers });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status}\n${text}`);
      return text;
    },
    status: async (path) => (await fetch(`${url}${path}`)).status,
  };
}
