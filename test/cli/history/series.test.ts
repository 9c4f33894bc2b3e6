import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HistorySeries, readHistory } from '../../../src/cli/history.ts';
import { siteLoadDetail } from '../../../src/collectors/site-load-detail.ts';
import type { HistoryRow } from '../../../src/payloads/load-history.ts';
import { siteLoadHistory } from '../../../src/payloads/load-history.ts';
import { readPlausible } from '../../../src/store/read-result.ts';
import { day, hour, keptSite, minute, settlingTime, time } from './kept-item.ts';

type Days = Readonly<Record<string, number>>;

/** A site with these values by date, in a time zone, as an answer that came at `answered`. */
function siteWith({ days = {}, hours = {} }: { days?: Days; hours?: Days }, timeZone = 'UTC', answered = '2026-12-31') {
  const rows = (values: Days) => Object.entries(values).map(([date, value]) => ({ date, value }));
  const payload = siteLoadHistory({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone }).parse({
    days: rows(days),
    hours: rows(hours),
  });
  return keptSite(payload, { timeZone, answered: time(answered) });
}

/** All samples, one a minute. */
const options = { from: 0, until: time('2030-01-01'), step: minute, targetLabels: {} };

function valuesOf(item: Parameters<typeof readHistory>[0], metric: string) {
  const series = readHistory(item, options).series.find((one) => one.metric === metric);
  return (series?.runs ?? []).map(({ start, count, value }) => [iso(start), iso(start + count * minute), value]);
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16);
}

function valueAt({ runs }: HistorySeries, at: number): number | undefined {
  const shown = runs.filter(({ start, count }) => start <= at && at < start + count * minute);
  expect(shown.length).toBeLessThan(2);
  return shown[0]?.value;
}

describe('a value', () => {
  it('is shown from the moment at which its period has settled until the next period has', () => {
    const site = siteWith({
      days: { '2026-06-01': 5, '2026-06-02': 6 },
      hours: { '2026-06-02 11:00:00': 0.5, '2026-06-02 12:00:00': 0.7 },
    });

    expect(valuesOf(site, 'hosting_site_load_daily')).toEqual([
      ['2026-06-02T00:10', '2026-06-03T00:10', 5],
      ['2026-06-03T00:10', '2026-06-04T00:10', 6],
    ]);
    expect(valuesOf(site, 'hosting_site_load_hourly')).toEqual([
      ['2026-06-02T12:10', '2026-06-02T13:10', 0.5],
      ['2026-06-02T13:10', '2026-06-02T14:10', 0.7],
    ]);
    expect(valuesOf(site, 'hosting_site_load_daily_timestamp_seconds').map(([, , start]) => start)).toEqual([
      time('2026-06-01') / 1000,
      time('2026-06-02') / 1000,
    ]);
  });

  it('is omitted if its period had not settled when the API answered', () => {
    const days = { '2026-06-01': 5, '2026-06-02': 6 };

    expect(valuesOf(siteWith({ days }, 'UTC', '2026-06-03T00:09Z'), 'hosting_site_load_daily')).toHaveLength(1);
    expect(valuesOf(siteWith({ days }, 'UTC', '2026-06-03T00:10Z'), 'hosting_site_load_daily')).toHaveLength(2);
  });

  it.each([
    ['Europe/Moscow', '2026-06-01', '2026-06-01T21:10', '2026-06-02T21:10'],
    // Its day has 23 hours, and the next one 24.
    ['Europe/Berlin', '2026-03-29', '2026-03-29T22:10', '2026-03-30T22:10'],
    // The next day has 23 hours, or 25.
    ['Europe/Berlin', '2026-03-28', '2026-03-28T23:10', '2026-03-29T22:10'],
    ['Europe/Berlin', '2026-10-24', '2026-10-24T22:10', '2026-10-25T23:10'],
    // The clocks change at midnight.
    ['America/Havana', '2026-03-07', '2026-03-08T05:10', '2026-03-09T04:10'],
  ])('of a day ends at midnight in %s, also when the clocks change: %s', (timeZone, date, from, to) => {
    expect(valuesOf(siteWith({ days: { [date]: 1 } }, timeZone), 'hosting_site_load_daily')).toEqual([[from, to, 1]]);
  });

  it('of an hour that occurs twice is the last value that the API lists', () => {
    const notation = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'Europe/Berlin' } as const;
    const hours = [1, 2, 2, 3].map((one, index) => ({ date: `2026-10-25 0${one}:00:00`, value: index }));
    const payload = siteLoadHistory(notation).parse({ hours });
    const site = keptSite(payload, { timeZone: 'Europe/Berlin', answered: time('2026-12-31') });

    expect(valuesOf(site, 'hosting_site_load_hourly')).toEqual([
      ['2026-10-25T00:10', '2026-10-25T01:10', 0],
      ['2026-10-25T02:10', '2026-10-25T03:10', 2],
      ['2026-10-25T03:10', '2026-10-25T04:10', 3],
    ]);
  });

  it('that is impossible is left out and named', () => {
    const { series, issues } = readHistory(siteWith({ days: { '2026-06-01': 1e300, '2026-06-02': 1 } }), options);

    expect(series.find(({ metric }) => metric === 'hosting_site_load_daily')?.runs).toHaveLength(1);
    const named = new Set(issues.map((issue) => /hosting_\w+/.exec(issue)?.[0]));
    expect([...named]).toEqual(['hosting_site_load_daily', 'hosting_site_load_recent_average']);
  });
});

it('agrees at any time with what a poll would have shown then, labels included', () => {
  const start = time('2026-06-01');
  const row = fc.record({ index: fc.nat(30), value: fc.option(fc.nat(1000)) });
  const rowsOf =
    (length: number) =>
    (rows: readonly { index: number; value: number | null }[]): HistoryRow[] =>
      rows.map(({ index, value }) => ({
        period: { start: start + index * length, end: start + (index + 1) * length },
        value,
      }));
  const lists = fc.record({ hours: fc.array(row).map(rowsOf(hour)), days: fc.array(row).map(rowsOf(day)) });
  const siteName = fc.string({ maxLength: 300 });

  fc.assert(
    fc.property(lists, fc.nat(40 * 24 * 60), siteName, (payload, minutes, site) => {
      const at = start + minutes * minute;
      const item = { site_id: '7', site };
      const { series } = readHistory({ ...keptSite(payload, { answered: start + 40 * day }), item }, options);
      const shown = [...siteLoadDetail.read(payload, 'shop', item, { now: at, settled: at - settlingTime }, true)];
      const any = { name: 'any', labelNames: [], samples: [{ labels: { account: 'shop', ...item }, value: 1 }] };
      const limitedLabels = readPlausible(siteLoadDetail, any, [])[0]?.labels;

      for (const [metric, length] of [
        ['hosting_site_load_hourly', hour],
        ['hosting_site_load_daily', day],
      ] as const) {
        const ofMetric = (suffix: string) => series.find((one) => one.metric === `${metric}${suffix}`);
        const page = (suffix: string) =>
          shown.find((family) => family.name === `${metric}${suffix}`)?.samples[0]?.value;
        const periodStart = (page('_timestamp_seconds') ?? Number.NaN) * 1000;
        // The page goes on to show an old period, with its time. A history must not invent the newer ones.
        const isOld = at >= periodStart + 2 * length + settlingTime;
        for (const suffix of ['', '_timestamp_seconds']) {
          const found = ofMetric(suffix);
          if (found !== undefined) expect(found.labels, suffix).toEqual(limitedLabels);
          expect(found && valueAt(found, at), suffix).toBe(isOld ? undefined : page(suffix));
        }
      }
    }),
  );
});
