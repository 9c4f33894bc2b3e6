import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Cleanups } from '../fixtures/cleanups.ts';
import { writeHistory } from '../fixtures/dashboard-history/open-metrics.ts';
import type { HistoryOptions } from '../fixtures/dashboard-history/series.ts';
import { startDebianServer } from '../fixtures/debian-server.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** End of the generated history. */
export const now = 1_793_621_000;

/** One series of a query result. */
export interface Answer {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  /** Unix seconds of each value of a range. */
  readonly times?: readonly number[];
}

/** A Prometheus with generated history and no scrape targets. */
export interface FilledPrometheus {
  readonly instant: (expr: string) => Promise<readonly Answer[]>;
  /** The last day. */
  readonly range: (expr: string) => Promise<readonly Answer[]>;
  /** Times are in Unix seconds. */
  readonly between: (expr: string, start: number, end: number, step: number) => Promise<readonly Answer[]>;
}

/** Less garbage collection saves CPU time. */
const environment = { GOGC: '1000', GOMEMLIMIT: '1GiB' };

const labels = z.record(z.string(), z.string());
const sample = z.tuple([z.number(), z.string()]);
const answerShape = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('success'),
    data: z.discriminatedUnion('resultType', [
      z.object({ resultType: z.literal('vector'), result: z.array(z.object({ metric: labels, value: sample })) }),
      z.object({
        resultType: z.literal('matrix'),
        result: z.array(z.object({ metric: labels, values: z.array(sample) })),
      }),
      z.object({ resultType: z.literal('scalar'), result: sample }),
    ]),
  }),
  z.object({ status: z.literal('error'), error: z.string() }),
]);

/** Starts a Prometheus in a temporary folder, with this history or empty. */
export async function startFilledPrometheus(cleanups: Cleanups, history?: HistoryOptions): Promise<FilledPrometheus> {
  const folder = temporaryFolder(cleanups);
  const data = join(folder, 'data');
  await mkdir(data);
  if (history !== undefined) {
    const file = join(folder, 'history.txt');
    await writeHistory(file, history);
    const fill = ['tsdb', 'create-blocks-from', '--quiet', '--max-block-duration=500h', 'openmetrics', file, data];
    execFileSync('promtool', fill, { env: { ...process.env, ...environment } });
    await rm(file);
  }
  await writeFile(join(folder, 'prometheus.yml'), '{}\n');
  const { address } = await startDebianServer(
    cleanups,
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${data}`,
      '--storage.tsdb.retention.time=50y',
      // The history has one sample an hour.
      '--query.lookback-delta=61m',
    ],
    { environment },
  );

  const answers = new Map<string, Promise<readonly Answer[]>>();

  /** Asks once for each query, because the history does not change. */
  function ask(path: string, parameters: Readonly<Record<string, string>>): Promise<readonly Answer[]> {
    const key = JSON.stringify([path, parameters]);
    const answer = answers.get(key) ?? request(path, parameters);
    answers.set(key, answer);
    return answer;
  }

  async function request(path: string, parameters: Readonly<Record<string, string>>): Promise<readonly Answer[]> {
    const response = await fetch(`http://${address}/api/v1/${path}`, {
      method: 'POST',
      body: new URLSearchParams(parameters),
    });
    const answer = answerShape.parse(await response.json());
    if (answer.status === 'error') {
      throw new Error(`${answer.error}: ${parameters['query']}`);
    }
    switch (answer.data.resultType) {
      case 'scalar':
        return [{ labels: {}, values: [Number(answer.data.result[1])] }];
      case 'vector':
        return answer.data.result.map(({ metric, value }) => ({ labels: metric, values: [Number(value[1])] }));
      case 'matrix':
        return answer.data.result.map(({ metric, values }) => ({
          labels: metric,
          values: values.map(([, value]) => Number(value)),
          times: values.map(([time]) => time),
        }));
    }
  }

  const between: FilledPrometheus['between'] = (query, start, end, step) =>
    ask('query_range', { query, start: String(start), end: String(end), step: String(step) });
  return {
    instant: (query) => ask('query', { query, time: String(now) }),
    range: (query) => between(query, now - 86_400, now, 3600),
    between,
  };
}
