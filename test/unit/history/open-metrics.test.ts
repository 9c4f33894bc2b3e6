import { describe, expect, it } from 'vitest';
import type { KeptItem } from '../../../src/history/history-series.ts';
import { formatHistory, type HistoryOptions, summarizeHistory } from '../../../src/history/open-metrics.ts';
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

function linesOf(items: readonly KeptItem[], changed: Partial<HistoryOptions> = {}): readonly Line[] {
  const text = [...formatHistory(items, { ...options, ...changed })].join('');
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

describe('a history', () => {
  it('has the labels of a scraped series', () => {
    expect(linesOf([busySite()])[0]?.series).toBe(
      'hosting_site_load_hourly{account="shop",site_id="7",site="shop.example",job="hosting",instance="exporter:10380",env="a \\"b\\""}',
    );
  });

  it('describes each metric once, before its samples, and is sorted without duplicates', () => {
    const items = [busySite('shop', 'b.example'), busySite('bakery', 'a.example'), busySite('shop', 'a.example')];
    const text = [...formatHistory(items, options)].join('');
    const metrics = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name);
    const lines = linesOf(items);

    expect(metrics).toEqual([
      'hosting_site_load_hourly',
      'hosting_site_load_hourly_timestamp_seconds',
      'hosting_site_load_daily',
      'hosting_site_load_daily_timestamp_seconds',
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
        expect(second).toBeGreaterThan(samples[index - 1]?.time ?? 0);
      }
    }
  });

  it('begins and ends where it should, with a sample every step at round times', () => {
    const from = answered - 5 * day - 1;
    const daily = linesOf([busySite()], { from }).filter(({ metric }) => metric === 'hosting_site_load_daily');

    expect(daily[0]?.time).toBe((answered - 5 * day) / 1000);
    expect(daily.at(-1)?.time).toBe((answered - 3 * hour) / 1000);
    for (const [index, { time: second }] of daily.entries()) {
      if (index > 0) expect(second - (daily[index - 1]?.time ?? 0)).toBe(240);
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

      expect(summarizeHistory(items, { ...options, step })).toEqual({
        samples: lines.length,
        series: new Set(lines.map(({ series }) => series)).size,
        first: times[0],
        last: times.at(-1),
        issues: [],
      });
    }
  });

  it('is nothing but its end without values', () => {
    const until = options.from - day;

    expect([...formatHistory([busySite()], { ...options, until })].join('')).toBe('# EOF\n');
    expect(summarizeHistory([busySite()], { ...options, until })).toEqual({
      series: 0,
      samples: 0,
      first: undefined,
      last: undefined,
      issues: [],
    });
  });

  it('leaves out an impossible value, and the summary names it', () => {
    const period = { start: time('2026-06-20'), end: time('2026-06-21') };
    const impossible = keptSite({ hours: [], days: [{ period, value: 1e300 }] }, { answered });

    expect(summarizeHistory([impossible, impossible], options).issues).toEqual(
      Array(2).fill('hosting_site_load_daily (days.value) is 1e+300, not an amount'),
    );
    expect(new Set(linesOf([impossible]).map(({ metric }) => metric))).toEqual(
      new Set(['hosting_site_load_daily_timestamp_seconds']),
    );
  });

  it('has no metric without values', () => {
    const period = { start: time('2026-06-20'), end: time('2026-06-21') };
    const onlyDays = keptSite({ hours: [], days: [{ period, value: 5 }] }, { answered });

    const text = [...formatHistory([onlyDays], options)].join('');

    expect([...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name)).toEqual([
      'hosting_site_load_daily',
      'hosting_site_load_daily_timestamp_seconds',
    ]);
  });

  it('comes in pieces that are small, but not single lines', () => {
    const pieces = [...formatHistory([busySite(), busySite('bakery')], options)];

    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.min(...pieces.slice(0, -1).map((piece) => piece.length))).toBeGreaterThan(50_000);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(70_000);
  });
});
