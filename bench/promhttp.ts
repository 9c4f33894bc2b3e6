import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end, pidOf, type Server } from './processes.ts';

/** Compiles the Go program. Returns undefined if Go is not installed. */
export function buildPromhttp(): string | undefined {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) return undefined;
  const program = join(import.meta.dirname, '../node_modules/.cache/bench-promhttp');
  const cwd = join(import.meta.dirname, 'promhttp');
  execFileSync('go', ['build', '-mod=readonly', '-o', program, '.'], { cwd, stdio: 'inherit' });
  return program;
}

/** Starts client_golang's promhttp with the series of another server. */
export async function startPromhttp(program: string, source: string): Promise<Server> {
  const child = spawn(program, [source], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(child.stdout, 'data');
  return { pid: pidOf(child), url: String(url).trim(), stop: () => end(child) };
}
