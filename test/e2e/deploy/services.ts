import { join } from 'node:path';
import type { Belongings } from '../../fixtures/belongings.ts';
import { Process } from '../../fixtures/process.ts';
import { listening } from '../../fixtures/program.ts';
import { freePort } from '../../fixtures/prometheus.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

/** The root of the checkout. */
export const repository = join(import.meta.dirname, '../../..');

const mainFile = join(repository, 'src/main.ts');

/** A service of the stack, run without a container. */
export interface Service {
  /** `127.0.0.1:PORT`. */
  readonly address: string;
  /** What its API answers. */
  ask<T>(path: string): Promise<T>;
}

/** The program from its sources. */
function startProgram(belongings: Belongings, ...args: readonly string[]): Process {
  return new Process(belongings, process.execPath, [mainFile, ...args]);
}

/** The sandbox with the flags of the stack, on a free port. */
export async function startSandbox(belongings: Belongings, flags: readonly string[]): Promise<Service> {
  const sandbox = startProgram(belongings, ...flags.filter((flag) => !flag.startsWith('--port=')), '--port=0');
  const [, address = ''] = await sandbox.printed(/API is at http:\/\/([^/]+)\/api/);
  return service(address);
}

/** An exporter on a free port. */
export async function startExporter(belongings: Belongings, ...flags: readonly string[]): Promise<Service> {
  const exporter = startProgram(belongings, ...flags, '--web.listen-address=127.0.0.1:0');
  return service((await listening(exporter)).address);
}

/** Debian's Prometheus on a free port. */
export function startPrometheus(belongings: Belongings, configFile: string): Promise<Service> {
  const storage = `--storage.tsdb.path=${temporaryFolder(belongings)}`;
  return startDebian(belongings, 'prometheus', [`--config.file=${configFile}`, storage]);
}

/** Debian's Alertmanager on a free port. */
export function startAlertmanager(belongings: Belongings, configFile: string): Promise<Service> {
  const storage = `--storage.path=${temporaryFolder(belongings)}`;
  const alone = '--cluster.listen-address=';
  return startDebian(belongings, 'prometheus-alertmanager', [`--config.file=${configFile}`, storage, alone]);
}

async function startDebian(belongings: Belongings, program: string, flags: readonly string[]): Promise<Service> {
  const address = `127.0.0.1:${await freePort()}`;
  const running = new Process(belongings, program, [...flags, `--web.listen-address=${address}`]);
  await until(`${program} is ready`, async () => running.ended || (await fetch(`http://${address}/-/ready`)).ok);
  if (running.ended) throw new Error(`${program} did not start:\n${running.stderr}`);
  return service(address);
}

function service(address: string): Service {
  return {
    address,
    ask: async <T>(path: string) => {
      const response = await fetch(`http://${address}${path}`);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}
