import { expect, it } from 'vitest';
import {
  formatHistory,
  type HistoryOptions,
  type KeptItem,
  readHistory,
  summarizeHistory,
} from '../../../src/cli/history.ts';
import { day, hour, keptSite, minute, time } from './kept-item.ts';

const answered = time('2026-06-30T12:00Z');
const options: HistoryOptions = {
  from: answered - 30 * day,
  until: answered - 3 * hour,
  step: 4 * minute,
  targetLabels: { job: 'hosting', instance: 'exporter:10380', env: 'a "b"' },
};

/** A site with a value for each of the last days and hours. */
function busySite(account = 'shop', site = 'shop.example'): KeptItem {
  const rows = (length: number, count: number) =>
    Array.from({ length: count }, (_, age) => {
      const end = Math.floor(answered / length) * length - age * length;
      return { period: { start: end - length, end }, value: age };
    });
  const item = keptSite({ hours: rows(hour, 24), days: rows(day, 30) }, { answered });
  return { ...item, account, item: { site_id: '7', site } };
}

interface Line {
  readonly series: string;
  readonly metric: string;
  readonly value: number;
  /** Unix seconds. */
  readonly time: number;
}

function read(items: readonly KeptItem[], settings = options) {
  return items.flatMap((item) => readHistory(item, settings).series);
}

function textOf(items: readonly KeptItem[], settings = options): string {
  return [...formatHistory(read(items, settings), settings)].join('');
}

function linesOf(items: readonly KeptItem[], changed: Partial<HistoryOptions> = {}): readonly Line[] {
  const text = textOf(items, { ...options, ...changed });
  expect(text).toMatch(/\n# EOF\n$/);
  expect(text).not.toContain('\n\n');
  return [...text.matchAll(/^(([a-z_]+)\{.*\}) (\S+) (\d+)$/gm)].map(
    ([, series = '', metric = '', value, seconds]) => ({
      series,
      metric,
      value: Number(value),
      time: Number(seconds),
    }),
  );
}

it('describes each metric once, before its samples, and is sorted without duplicates', () => {
  const items = [busySite('shop', 'b.example'), busySite('bakery', 'a.example'), busySite('shop', 'a.example')];
  const text = textOf(items);
  const metrics = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
  const lines = linesOf(items);

  expect(metrics).toEqual([
    'hosting_site_load_hourly',
    'hosting_site_load_hourly_timestamp_seconds',
    'hosting_site_load_daily',
    'hosting_site_load_daily_timestamp_seconds',
    'hosting_site_load_recent_average',
  ]);
  expect([...new Set(lines.map(({ metric }) => metric))]).toEqual(metrics);
  const [series = []] = Map.groupBy(
    [...new Set(lines.map(({ series }) => series))],
    (one) => one.split('{')[0],
  ).values();
  expect(series.map((one) => /account="(\w+)",site_id="7",site="(\w)/.exec(one)?.slice(1))).toEqual([
    ['bakery', 'a'],
    ['shop', 'a'],
    ['shop', 'b'],
  ]);
  for (const samples of Map.groupBy(lines, (line) => line.series).values()) {
    for (const [index, { time: second }] of samples.entries()) {
      expect(second, `sample ${index}`).toBeGreaterThan(samples[index - 1]?.time ?? 0);
    }
  }
});

it('covers exactly the requested time, with a sample every step at round times', () => {
  const from = answered - 5 * day - 1;
  const daily = linesOf([busySite()], { from }).filter(({ metric }) => metric === 'hosting_site_load_daily');

  expect(daily[0]?.time).toBe((answered - 5 * day) / 1000);
  expect(daily.at(-1)?.time).toBe((answered - 3 * hour) / 1000);
  for (const [index, { time: second }] of daily.entries()) {
    if (index > 0) expect(second - (daily[index - 1]?.time ?? 0), `sample ${index}`).toBe(240);
  }
});

it('is the same in another run, as far as both reach', () => {
  const first = linesOf([busySite()]);
  const second = linesOf([busySite()], { until: options.until - 12_345, from: options.from + 54_321 });
  const key = ({ series, value, time: at }: Line) => `${series} ${value} ${at}`;

  const known = new Set(first.map(key));
  expect(second.filter((line) => !known.has(key(line)))).toEqual([]);
});

it('has the samples that its summary counts', () => {
  const items = [busySite(), busySite('bakery')];
  for (const step of [minute, 4 * minute, hour, 7 * hour]) {
    const lines = linesOf(items, { step });
    const times = lines.map((line) => line.time * 1000).sort((a, b) => a - b);

    const series = read(items, { ...options, step });
    expect(summarizeHistory(series, { step }), `step ${step}`).toEqual({
      series: new Set(lines.map((line) => line.series)).size,
      samples: lines.length,
      first: times[0],
      last: times.at(-1),
    });
  }
});

it('contains without values only the end marker', () => {
  const until = options.from - day;

  const series = read([busySite()], { ...options, until });

  expect([...formatHistory(series, options)].join('')).toBe('# EOF\n');
  expect(summarizeHistory(series, options)).toEqual({ series: 0, samples: 0, first: undefined, last: undefined });
});
