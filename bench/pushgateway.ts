import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { end, pidOf, type Server } from './processes.ts';
import { readSamples } from './scrape.ts';

const program = '/usr/bin/prometheus-pushgateway';

/** Returns the version of pushgateway, after installing it when run as root; otherwise throws with instructions. */
export function installPushgateway(): string {
  if (!existsSync(program)) {
    if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error !== undefined) {
      throw new Error('The benchmark needs prometheus-pushgateway: sudo apt-get install prometheus-pushgateway');
    }
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    execFileSync('apt-get', ['update', '-qq'], { env });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'prometheus-pushgateway'], { env });
  }
  const { stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return /version (\S+)/.exec(stdout + stderr)?.[1] ?? 'unknown';
}

/** Starts a pushgateway with the series of another server, pushed as one group, which is its fastest case. */
export async function startPushgateway(source: string): Promise<Server> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const address = origin.replace('http://', '');
  const child = spawn(program, [`--web.listen-address=${address}`, '--push.disable-consistency-check'], {
    stdio: 'ignore',
  });
  for (let attempt = 0; !(await answers(`${origin}/-/ready`)); attempt += 1) {
    if (attempt === 100) throw new Error('pushgateway does not start');
    await setTimeout(100);
  }
  const body = new Blob((await readSamples(source)).map((line) => `${line}\n`));
  const response = await fetch(`${origin}/metrics/job/bench`, { method: 'PUT', body });
  if (!response.ok) throw new Error(`pushgateway rejected the push: ${await response.text()}`);
  return { pid: pidOf(child), url: `${origin}/metrics`, stop: () => end(child) };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
