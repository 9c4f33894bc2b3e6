import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DailyMemory,
  dateOf,
  diskUsage,
  emptyMemory,
  lastDates,
  rememberDay,
  dailyMemory as schema,
} from '../../src/store/daily-memory.ts';
import { Figures } from '../../src/store/figures.ts';
import { dailyMemory, growing } from '../fixtures/daily-memory.ts';
import { type Figure, familiesOf } from '../fixtures/viewed-account.ts';

const gigabyte = 1_000_000_000;
const hour = 3_600_000;
const zones = ['UTC', 'Europe/Moscow', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'];

function diskOf(used: number): readonly Figure[] {
  return [
    ['hosting_account_disk_usage_bytes', used],
    ['hosting_account_disk_limit_bytes', 100 * gigabyte],
    ['hosting_account_balance', -12.5],
  ];
}

function remember(memory: DailyMemory, date: string, figures = diskOf(gigabyte)): DailyMemory {
  return rememberDay(memory, date, new Figures(familiesOf(figures)));
}

describe('an account remembers', () => {
  it('the first figures of a day, and not the later ones', () => {
    const loads: readonly Figure[] = [
      ['hosting_site_load_average', 1.1, { site_id: '1' }],
      ['hosting_site_load_average', 2.2, { site_id: '2' }],
    ];

    const first = remember(emptyMemory, '2026-06-03', [...diskOf(5 * gigabyte), ...loads]);
    const second = remember(first, '2026-06-03', diskOf(7 * gigabyte));
    const third = remember(second, '2026-06-04', diskOf(8 * gigabyte));

    expect(third.days).toEqual({
      '2026-06-03': [5 * gigabyte, 100 * gigabyte, -12.5, 3.3],
      '2026-06-04': [8 * gigabyte, 100 * gigabyte, -12.5, null],
    });
  });

  it('lists that are complete', () => {
    const figures: readonly Figure[] = [
      ...diskOf(gigabyte),
      ['hosting_sites', 1],
      ['hosting_site_info', 1, { site_id: '7', site: 'constructor' }],
      ['hosting_site_domain_info', 1, { site_id: '7', domain: 'a.example', php_version: '8.3' }],
      // One of two databases, as with a database of unknown size.
      ['hosting_databases', 2],
      ['hosting_database_size_bytes', 5, { database: 'a' }],
      // Without the number of domains, as with a list that lost an element.
      ['hosting_domain_info', 1, { domain: 'a.example', registrar: 'R', status: '' }],
      ['hosting_domain_expiry_timestamp_seconds', 1_800_000_000, { domain: 'a.example' }],
      ['hosting_mailboxes_forwarding', 2, { domain: 'a.example' }],
    ];

    expect(remember(emptyMemory, '2026-06-03', figures).lists['2026-06-03']).toEqual({
      sites: { 7: 'constructor' },
      disk: { shop: gigabyte },
      expires: { 'a.example': 1_800_000_000 },
      php: { 'a.example': '8.3' },
      mailboxes: { 'a.example': 2 },
    });
  });

  it('days of its time zone, each with its first figures, even if the clock is changed', () => {
    const start = Date.parse('2026-10-20T00:00:00Z');
    const times = fc.array(fc.integer({ min: 0, max: 24 * 30 }), { minLength: 1, maxLength: 12 });

    fc.assert(
      fc.property(times, fc.constantFrom(...zones), (hours, timeZone) => {
        let memory = emptyMemory;
        const expected: Record<string, number> = {};
        for (const [index, passed] of hours.entries()) {
          const date = dateOf(start + passed * hour, timeZone);
          expected[date] ??= index + 1;
          memory = remember(memory, date, diskOf(index + 1));
          expect(Object.keys(memory.lists), `change ${index}`).toContain(date);
        }

        const remembered = Object.entries(memory.days).map(([date, [disk]]) => [date, disk]);

        expect(remembered).toEqual(Object.entries(expected).sort());
        expect(schema.parse(JSON.parse(JSON.stringify(memory)))).toEqual(memory);
      }),
    );
  });

  it('at most two years of figures and eight days of lists', () => {
    const old = dailyMemory({
      date: '2026-06-02',
      disk: growing(900, gigabyte, 1),
      lists: Object.fromEntries(Array.from({ length: 20 }, (_, age) => [age, { sites: { a: 1 } }])),
    });

    const { days, lists } = remember(old, '2026-06-03');

    expect(Object.keys(days)).toEqual(lastDates('2026-06-03', 732));
    expect(Object.keys(lists)).toEqual(lastDates('2026-06-03', 8));
  });

  it('today, even if a wrong clock has added more than eight later days', () => {
    const disk = growing(9, gigabyte, 1);
    const lists = Object.fromEntries(disk.map((_, age) => [age, { sites: { a: 1 } }]));

    const memory = remember(dailyMemory({ date: '2030-01-09', disk, lists }), '2026-06-03');

    expect(Object.keys(memory.days)).toEqual(['2026-06-03', ...lastDates('2030-01-09', 9)]);
    expect(Object.keys(memory.lists)).toEqual(['2026-06-03']);
  });
});

it.each([
  ['Europe/Moscow', '2026-06-03'],
  ['UTC', '2026-06-02'],
  ['Pacific/Pago_Pago', '2026-06-02'],
])('in %s, it is %s', (timeZone, date) => {
  expect(dateOf(Date.parse('2026-06-02T21:00:00Z'), timeZone)).toBe(date);
});

it('the usage of 15 days has gaps, and follows the day', () => {
  const memory = dailyMemory({ date: '2026-06-02', disk: [1, null, 3] });
  const gaps = (count: number) => new Array<null>(count).fill(null);

  expect(diskUsage(memory, '2026-06-02')).toEqual([...gaps(12), 1, null, 3]);
  expect(diskUsage(memory, '2026-06-03')).toEqual([...gaps(11), 1, null, 3, null]);
  expect(diskUsage(remember(memory, '2026-06-03', diskOf(4)), '2026-06-03')).toEqual([...gaps(11), 1, null, 3, 4]);
});
