import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Belongings } from './belongings.ts';
import { Process } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './waiting.ts';

/** One series of an answer: its labels, and its newest figure. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One target as Prometheus sees it. */
export interface Target {
  readonly health: string;
  readonly lastError: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A running Prometheus server. */
export interface Prometheus {
  readonly url: string;
  readonly process: Process;
  query(expression: string): Promise<readonly Series[]>;
  /** The figure of an expression that gives one series; undefined where it gives none. */
  value(expression: string): Promise<number | undefined>;
  targets(): Promise<readonly Target[]>;
}

/** What a Prometheus has besides what it scrapes: more of its configuration file, and flags. */
export interface PrometheusOptions {
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly flags?: readonly string[];
}

/**
 * Starts Debian's Prometheus on a free port; `scrapeConfigs` as in its configuration file. It scrapes every second, and
 * evaluates as often.
 */
export async function startPrometheus(
  belongings: Belongings,
  scrapeConfigs: readonly Readonly<Record<string, unknown>>[],
  { configuration, flags = [] }: PrometheusOptions = {},
): Promise<Prometheus> {
  const folder = temporaryFolder(belongings);
  const configFile = join(folder, 'prometheus.yml');
  const global = { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' };
  // JSON is YAML.
  writeFileSync(configFile, JSON.stringify({ global, scrape_configs: scrapeConfigs, ...configuration }));
  const address = `127.0.0.1:${await freePort()}`;
  const process = new Process(belongings, 'prometheus', [
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=debug',
    ...flags,
  ]);
  const url = `http://${address}`;
  await until('Prometheus is ready', async () => {
    if (process.ended) return true;
    return (await fetch(`${url}/-/ready`)).ok;
  });
  if (process.ended) throw new Error(`Prometheus did not start:\n${process.stderr}`);

  async function ask(path: string): Promise<unknown> {
    const response = await fetch(`${url}/api/v1/${path}`);
    const body = (await response.json()) as { readonly data?: unknown; readonly error?: string };
    if (!response.ok) throw new Error(`${path}: ${body.error}`);
    return body.data;
  }

  async function query(expression: string): Promise<readonly Series[]> {
    const { result } = (await ask(`query?query=${encodeURIComponent(expression)}`)) as QueryResult;
    return result.map(({ metric, value: [, figure] }) => ({ labels: metric, value: Number(figure) }));
  }

  return {
    url,
    process,
    query,
    value: async (expression) => {
      const series = await query(expression);
      if (series.length > 1) throw new Error(`${expression} gives ${series.length} series`);
      return series[0]?.value;
    },
    targets: async () => ((await ask('targets?state=active')) as { activeTargets: Target[] }).activeTargets,
  };
}

interface QueryResult {
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly value: readonly [number, string];
  }[];
}

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}
