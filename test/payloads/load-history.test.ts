import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { databaseLoadHistory, meanOfDays, newestComplete, siteLoadHistory } from '../../src/payloads/load-history.ts';

const utc = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' } as const;
const berlin = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'Europe/Berlin' } as const;

const time = Date.parse('2026-06-03T19:20:00Z');

describe('the newest complete row', () => {
  it('is the newest hour that has ended, in any order of rows', () => {
    const rows = [
      { date: '2026-06-03 18:00:00', value: '0.25' },
      { date: '2026-06-03 16:00:00', value: '0.75' },
      { date: '2026-06-03 19:00:00', value: '9.99' },
      { date: '2026-06-03 17:00:00', value: '0.50' },
    ];

    fc.assert(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (hours) => {
        const history = siteLoadHistory(utc).parse({ hours });

        expect(newestComplete(history.hours, time)).toEqual({
          value: 0.25,
          start: Date.parse('2026-06-03T18:00:00Z') / 1000,
        });
      }),
    );
  });

  it('is an older row if newer ones are missing, and undefined if none has ended', () => {
    const history = siteLoadHistory(utc).parse({
      hours: [{ date: '2026-06-01 05:00:00', value: 3 }],
      days: [{ date: '2026-06-03', value: 7 }],
    });

    expect(newestComplete(history.hours, time)).toEqual({ value: 3, start: Date.parse('2026-06-01T05:00:00Z') / 1000 });
    expect(newestComplete(history.days, time)).toBeUndefined();
    expect(newestComplete([], time)).toBeUndefined();
  });

  it('skips rows without a value and keeps a value of zero', () => {
    const { hours } = siteLoadHistory(utc).parse({
      hours: [
        { date: '2026-06-03 18:00:00', value: null },
        { date: '2026-06-03 17:00:00', value: '0.00' },
        { date: '2026-06-03 16:00:00', value: 5 },
      ],
    });

    expect(newestComplete(hours, time)).toEqual({ value: 0, start: Date.parse('2026-06-03T17:00:00Z') / 1000 });
  });

  it.each([
    ['three days', ['2026-06-01 300', '2026-06-02 200', '2026-06-03 100', '2026-06-04 9', '2026-05-31 9'], 200],
    ['days in any order', ['2026-06-03 100', '2026-06-01 300', '2026-06-02 200'], 200],
    ['a day without load', ['2026-06-03 240', '2026-06-01 240'], 160],
    ['a day without a value', ['2026-06-03 240', '2026-06-02 null', '2026-06-01 240'], 160],
    ['no load for days', ['2026-05-31 240'], 0],
    ['no days', [], undefined],
  ])('averages the three days that ended last: %s', (_what, list, mean) => {
    const rows = list.map((row) => ({ date: row.slice(0, 10), value: JSON.parse(row.slice(11)) }));
    const { days } = siteLoadHistory(utc).parse({ days: rows });

    for (const settled of ['2026-06-04T00:00:00Z', '2026-06-04T23:59:59Z']) {
      expect(meanOfDays(days, Date.parse(settled)), settled).toBe(mean);
    }
  });

  it.each([
    ['23 hours', '2026-03-29', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z'],
    ['25 hours', '2026-10-25', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z'],
  ])('is complete at the end of a day of %s', (_what, date, before, after) => {
    const { days } = siteLoadHistory(berlin).parse({ days: [{ date, value: 4 }] });

    expect(newestComplete(days, Date.parse(before))).toBeUndefined();
    expect(newestComplete(days, Date.parse(after))?.value).toBe(4);
  });
});

const hour = 3_600_000;

it.each([
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
])('the newest complete row has ended, and is late only if an hour repeats: %s, %s', (timeZone, changed, length) => {
  const notation = { ...utc, timeZone };
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  /** The date and time on the clocks of the zone. */
  const wall = (instant: number) => format.format(instant);
  const isRepeated = (start: number) => [start - hour, start + hour].some((other) => wall(other) === wall(start));
  const noon = Date.parse(`${changed}T12:00:00Z`);
  /** The starts of all hours of five days. The value of a row is the number of its hour. */
  const starts = Array.from({ length: 120 }, (_, index) => noon + (index - 72) * hour);
  const problems: string[] = [];

  for (let now = noon - 30 * hour; now < noon + 30 * hour; now += hour / 4) {
    const listed = starts.filter((start) => start <= now);
    const dates = [...new Set(listed.map((start) => wall(start).slice(0, 10)))];
    const history = siteLoadHistory(notation).parse({
      hours: listed.map((start) => ({ date: wall(start), value: start / hour })),
      days: dates.map((date, index) => ({ date, value: index })),
    });
    const shown = newestComplete(history.hours, now);
    const start = (shown?.start ?? 0) * 1000;
    const late = (now - start) / hour;
    if (shown?.value !== start / hour) problems.push(`${wall(now)}: the value is of another hour`);
    if (late < 1) problems.push(`${wall(now)}: the hour has not ended`);
    if (late >= (isRepeated(start + hour) ? 3 : 2)) problems.push(`${wall(now)}: ${late} h late`);
    if (newestComplete(history.days, now)?.value !== dates.length - 2) problems.push(`${wall(now)}: the day`);
  }

  const hours = starts.filter((start) => wall(start).startsWith(changed)).length;
  expect([hours, problems]).toEqual([length, []]);
});

describe('load histories', () => {
  it('contain the hours, days and sizes in bytes of a database', () => {
    const history = databaseLoadHistory(utc).parse({
      hours: [{ cpu_time: '31', date: '2014-06-02 20:00:00' }],
      days: [{ cpu_time: 12, date: '2014-05-04' }],
      size_days: [{ date: '2014-05-04', size: '229512' }],
    });

    expect(newestComplete(history.hours, time)?.value).toBe(31);
    expect(newestComplete(history.days, time)?.value).toBe(12);
    expect(newestComplete(history.sizeDays, time)?.value).toBe(229_512);
  });

  it.each<[unknown]>([
    [{}],
    [[]],
    [{ hours: [], days: [], size_days: [] }],
    [{ hours: {}, days: null, size_days: {} }],
    [{ hours: [], unknown: 1 }],
  ])('read %j as an empty history', (payload) => {
    expect(siteLoadHistory(utc).parse(payload)).toEqual({ hours: [], days: [] });
    expect(databaseLoadHistory(utc).parse(payload)).toEqual({ hours: [], days: [], sizeDays: [] });
  });

  it.each<[unknown]>([[{ error: 'no data' }], [[{ hours: [] }]], ['text'], [null], [true]])('reject %j', (payload) => {
    expect(siteLoadHistory(utc).safeParse(payload).success).toBe(false);
    expect(databaseLoadHistory(utc).safeParse(payload).success).toBe(false);
  });
});
