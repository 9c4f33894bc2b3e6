import { startAlertmanager as startServer } from '../../fixtures/alertmanager.ts';
import type { Cleanups } from '../../fixtures/cleanups.ts';
import { startDebianServer } from '../../fixtures/debian-server.ts';
import { listening, startProgram } from '../../fixtures/program.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** A service of the stack that runs without a container. */
export interface Service {
  /** `127.0.0.1:PORT`. */
  readonly address: string;
  /** Fetches JSON from its HTTP API. */
  fetchJson<T>(path: string): Promise<T>;
}

/** Starts the built program, with the exporter and the sandbox on free ports. */
export async function startDemo(cleanups: Cleanups, argv: readonly string[]): Promise<Service> {
  const ports = ['--web.listen-address=127.0.0.1:0', '--sandbox.port=0'];
  return service((await listening(startProgram(cleanups, [...argv, ...ports]))).address);
}

/** Starts Debian's Prometheus on a free port. */
export async function startPrometheus(cleanups: Cleanups, configFile: string): Promise<Service> {
  const flags = [`--config.file=${configFile}`, `--storage.tsdb.path=${temporaryFolder(cleanups)}`];
  return service((await startDebianServer(cleanups, 'prometheus', flags)).address);
}

/** Starts Debian's Alertmanager on a free port, with a configuration in this folder. */
export async function startAlertmanager(cleanups: Cleanups, configuration: string, folder: string): Promise<Service> {
  return service((await startServer(cleanups, configuration, folder)).address);
}

function service(address: string): Service {
  return {
    address,
    fetchJson: async <T>(path: string) => {
      const response = await fetch(`http://${address}${path}`);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}
