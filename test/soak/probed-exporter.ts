import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { type Exporter, listening, mainFile, type Settings, writeSettings } from '../fixtures/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

/** Resources of the program. Memory in bytes: the minimum of several garbage collections. */
export interface ResourceUsage {
  readonly heapUsed: number;
  readonly external: number;
  readonly rss: number;
  /** Number of active timers, sockets and so on, by kind. */
  readonly resources: Readonly<Record<string, number>>;
  readonly openFiles: number;
}

export interface ProbedExporter extends Exporter {
  probe(): Promise<ResourceUsage>;
}

/**
 * Starts the built program with the probe. `settings`: the settings, or the path of their file. `environment`:
 * variables for the probe.
 */
export async function startProbedExporter(
  cleanups: Cleanups,
  settings: Settings | string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ProbedExporter> {
  const probeFile = join(temporaryFolder(cleanups), 'probe');
  const program = new Process(
    cleanups,
    process.execPath,
    [
      '--expose-gc',
      // Without this flag, V8 discards the code of functions that have not run for a while. This changes the heap by
      // megabytes.
      '--no-flush-bytecode',
      `--import=${resolve(import.meta.dirname, 'probe.ts')}`,
      mainFile,
      `--config.file=${typeof settings === 'string' ? settings : writeSettings(cleanups, settings)}`,
      '--web.listen-address=127.0.0.1:0',
    ],
    { environment: { ...environment, PROBE_FILE: probeFile } },
  );
  let probes = 0;
  return {
    ...(await listening(program)),
    probe: async () => {
      program.send('SIGUSR2');
      probes += 1;
      const line = await until('a probe', () => readFileSync(probeFile, 'utf8').split('\n').slice(0, -1)[probes - 1]);
      return { ...JSON.parse(line), openFiles: readdirSync(`/proc/${program.pid}/fd`).length };
    },
  };
}
