import { execFileSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cleanups } from '../fixtures/cleanups.ts';
import { writeHistory } from '../fixtures/dashboard-history/open-metrics.ts';
import type { HistoryOptions } from '../fixtures/dashboard-history/series.ts';
import { startPrometheus } from '../fixtures/prometheus.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** End of the generated history. */
export const now = 1_793_621_000;

/** One series of a query result. */
export interface Answer {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  /** Unix seconds of each value. */
  readonly times: readonly number[];
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

/** The data of an answer to a query. */
type QueryData =
  | { readonly resultType: 'scalar'; readonly result: readonly [time: number, value: string] }
  | { readonly resultType: 'vector' | 'matrix'; readonly result: readonly QueriedSeries[] };

interface QueriedSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [time: number, value: string];
  readonly values?: readonly (readonly [time: number, value: string])[];
}

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
  // The history has one sample an hour.
  const flags = ['--storage.tsdb.retention.time=50y', '--query.lookback-delta=61m'];
  const prometheus = await startPrometheus(cleanups, [], { flags, data, environment });
  const answers = new Map<string, Promise<readonly Answer[]>>();

  /** Asks once for each query, because the history does not change. */
  function ask(path: string, parameters: Readonly<Record<string, string>>): Promise<readonly Answer[]> {
    const key = `${path}?${new URLSearchParams(parameters)}`;
    const answer = answers.get(key) ?? request(key);
    answers.set(key, answer);
    return answer;
  }

  async function request(path: string): Promise<readonly Answer[]> {
    const { resultType, result } = await prometheus.get<QueryData>(path);
    if (resultType === 'scalar') return [{ labels: {}, values: [Number(result[1])], times: [result[0]] }];
    return result.map(({ metric, value, values = value ? [value] : [] }) => ({
      labels: metric,
      values: values.map(([, text]) => Number(text)),
      times: values.map(([time]) => time),
    }));
  }

  const between: FilledPrometheus['between'] = (query, start, end, step) =>
    ask('query_range', { query, start: String(start), end: String(end), step: String(step) });
  return {
    instant: (query) => ask('query', { query, time: String(now) }),
    range: (query) => between(query, now - 86_400, now, 3600),
    between,
  };
}
