import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryName } from '../../../src/collectors/list.ts';
import { AccountMemory, dateOf, lastDates } from '../../../src/results/account-memory.ts';
import { KeptPayload } from '../../../src/results/kept-payload.ts';
import { TimeSlice } from '../../../src/runtime/time-slice.ts';
import { dailyMemory, growing } from '../../fixtures/daily-memory.ts';
import { fakeDate } from '../../fixtures/polled-account.ts';
import { type Figure, viewedAccount } from '../../fixtures/viewed-account.ts';

const gigabyte = 1_000_000_000;
const hour = 3_600_000;
const zones = ['UTC', 'Europe/Moscow', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'];

const slice = new TimeSlice();

function diskOf(used: number): readonly Figure[] {
  return [
    ['hosting_account_disk_usage_bytes', used],
    ['hosting_account_disk_limit_bytes', 100 * gigabyte],
    ['hosting_account_balance', -12.5],
  ];
}

/** Remembers an account that was polled at a time. */
async function lookAt(memory: AccountMemory, time: number | string, parts: Parameters<typeof viewedAccount>[0] = {}) {
  fakeDate(new Date(time).toISOString());
  return memory.update(viewedAccount({ figures: { account: diskOf(gigabyte) }, ...parts }), slice);
}

function memoryOf(content: unknown, answered = Date.parse('2026-06-02T12:00:00Z')): AccountMemory {
  const memory = new AccountMemory();
  memory.kept = new KeptPayload(content, { answered, providerTime: answered, complete: true });
  return memory;
}

describe('an account remembers', () => {
  it('the first figures of a day, and not the later ones', async () => {
    const memory = new AccountMemory();
    const figures = {
      account: diskOf(5 * gigabyte),
      site_load: [
        ['hosting_site_load_average', 1.1, { site_id: '1' }],
        ['hosting_site_load_average', 2.2, { site_id: '2' }],
      ] as const,
    };

    const first = await lookAt(memory, '2026-06-03T00:05:00Z', { figures });
    const second = await lookAt(memory, '2026-06-03T23:55:00Z', { figures: { account: diskOf(7 * gigabyte) } });
    const third = await lookAt(memory, '2026-06-04T00:05:00Z', { figures: { account: diskOf(8 * gigabyte) } });

    expect([first, second, third]).toEqual([true, false, true]);
    expect(memory.content.days).toEqual({
      '2026-06-03': [5 * gigabyte, 100 * gigabyte, -12.5, 3.3],
      '2026-06-04': [8 * gigabyte, 100 * gigabyte, -12.5, null],
    });
  });

  it('nothing of a day without figures of that day', async () => {
    const memory = new AccountMemory();
    fakeDate('2026-06-03T23:50:00Z');
    const account = viewedAccount({ figures: { account: diskOf(gigabyte) } });
    fakeDate('2026-06-04T00:10:00Z');

    expect(await memory.update(account, slice)).toBe(false);
    expect(await memory.update(viewedAccount({ collectors: ['domains'] }), slice)).toBe(false);
    expect(memory.content.days).toEqual({});
  });

  it('lists that are complete', async () => {
    const memory = new AccountMemory();
    const figures: Readonly<Record<string, readonly Figure[]>> = {
      account: diskOf(gigabyte),
      sites: [
        ['hosting_sites', 1],
        ['hosting_site_info', 1, { site_id: '7', site: 'constructor' }],
        ['hosting_site_domain_info', 1, { site_id: '7', domain: 'a.example', php_version: '8.3' }],
      ],
      // One of two databases, as with a database of unknown size.
      databases: [
        ['hosting_databases', 2],
        ['hosting_database_size_bytes', 5, { database: 'a' }],
      ],
      // Without the number of domains, as with a list that lost an element.
      domains: [
        ['hosting_domain_info', 1, { domain: 'a.example', registrar: 'R', status: '' }],
        ['hosting_domain_expiry_timestamp_seconds', 1_800_000_000, { domain: 'a.example' }],
      ],
      mailboxes: [['hosting_mailboxes_forwarding', 2, { domain: 'a.example' }]],
    };

    await lookAt(memory, '2026-06-03T12:00:00Z', { figures });

    expect(memory.content.lists['2026-06-03']).toEqual({
      sites: { constructor: 1 },
      disk: { shop: gigabyte },
      expires: { 'a.example': 1_800_000_000 },
      php: { 'a.example': '8.3' },
      mailboxes: { 'a.example': 2 },
    });
  });

  it('days of its time zone, each with its first figures, whatever the clock does', async () => {
    const start = Date.parse('2026-10-20T00:00:00Z');
    const times = fc.array(fc.integer({ min: 0, max: 24 * 30 }), { minLength: 1, maxLength: 12 });

    await fc.assert(
      fc.asyncProperty(times, fc.constantFrom(...zones), async (hours, timeZone) => {
        const memory = new AccountMemory();
        const expected: Record<string, number> = {};
        for (const [index, passed] of hours.entries()) {
          const time = start + passed * hour;
          expected[dateOf(time, timeZone)] ??= index + 1;
          await lookAt(memory, time, { timeZone, figures: { account: diskOf(index + 1) } });
        }

        const remembered = Object.entries(memory.content.days).map(([date, [disk]]) => [date, disk]);

        expect(remembered).toEqual(Object.entries(expected).sort());
      }),
    );
  });

  it('at most two years of figures and eight days of lists', async () => {
    const old = dailyMemory({
      date: '2026-06-02',
      disk: growing(900, gigabyte, 1),
      lists: Object.fromEntries(Array.from({ length: 20 }, (_, age) => [age, { sites: { a: 1 } }])),
    });
    const memory = memoryOf(old);

    await lookAt(memory, '2026-06-03T12:00:00Z');

    expect(Object.keys(memory.content.days)).toEqual(lastDates('2026-06-03', 732));
    expect(Object.keys(memory.content.lists)).toEqual(lastDates('2026-06-03', 8));
  });

  it.each([
    [10, { lists: 8, days: 732 }],
    [300, { lists: 3, days: 732 }],
    [600, { lists: 2, days: 702 }],
    [1500, { lists: 1, days: 372 }],
  ])('at most 64 KiB, with %i sites', async (count, expected) => {
    const names = Array.from({ length: count }, (_, index) => `сайт-${index}.example`);
    const lists = { sites: Object.fromEntries(names.map((name) => [name, 1])) };
    const old = dailyMemory({
      date: '2026-06-02',
      disk: growing(731, 51_234_567_890, 1),
      lists: Object.fromEntries(Array.from({ length: 7 }, (_, age) => [age, lists])),
    });
    const memory = memoryOf(old);
    const sites = names.map((site, id): Figure => ['hosting_site_info', 1, { site_id: `${id}`, site }]);

    await lookAt(memory, '2026-06-03T12:00:00Z', {
      figures: { account: diskOf(gigabyte), sites: [['hosting_sites', count], ...sites] },
    });

    const { days, lists: kept } = memory.content;
    expect(Buffer.byteLength(memory.kept?.json ?? '')).toBeLessThanOrEqual(65_536);
    expect({ lists: Object.keys(kept).length, days: Object.keys(days).length }).toEqual(expected);
    expect(Object.keys(days).at(-1)).toBe('2026-06-03');
  });

  it('nothing of a damaged memory, and starts again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.double({ noNaN: true }), async (content, answered) => {
        const memory = memoryOf(content, answered);
        fc.pre(Object.keys(memory.content.days).length === 0);

        await lookAt(memory, '2026-06-03T12:00:00Z');

        expect(Object.keys(memory.content.days)).toEqual(['2026-06-03']);
      }),
    );
  });
});

it('a snapshot contains a memory that is not empty', () => {
  const memory = memoryOf(dailyMemory({ date: '2026-06-02', disk: [1] }));
  const payloads = new Map([['', memory.kept]]);

  expect(new AccountMemory().collectors).toEqual([]);
  expect(memory.collectors).toEqual([[memoryName, { payloads, runStarted: 0, poll: undefined }]]);
});

it.each([
  ['Europe/Moscow', '2026-06-03'],
  ['UTC', '2026-06-02'],
  ['Pacific/Pago_Pago', '2026-06-02'],
])('in %s, it is %s', (timeZone, date) => {
  expect(dateOf(Date.parse('2026-06-02T21:00:00Z'), timeZone)).toBe(date);
});

it('the usage of 15 days has gaps, and follows the day', async () => {
  const memory = memoryOf(dailyMemory({ date: '2026-06-02', disk: [1, null, 3] }));
  const gaps = (count: number) => new Array<null>(count).fill(null);

  expect(memory.usage('2026-06-02')).toEqual([...gaps(12), 1, null, 3]);
  expect(memory.usage('2026-06-03')).toEqual([...gaps(11), 1, null, 3, null]);
  await lookAt(memory, '2026-06-03T12:00:00Z', { figures: { account: diskOf(4) } });
  expect(memory.usage('2026-06-03')).toEqual([...gaps(11), 1, null, 3, 4]);
});

it('the usage is unknown on days that a damaged file contains, and for any other content', () => {
  const hasAllDays = fc.property(fc.jsonValue(), (content) => memoryOf(content).usage('2026-06-02').length === 15);
  fc.assert(hasAllDays);

  const usage = memoryOf({ days: { '2026-06-01': ['x'], '2026-06-02': [3] } }).usage('2026-06-02');
  expect(usage.slice(-2)).toEqual([null, 3]);
});

it('the usage of a new day is read before the first figures of this day', async () => {
  const memory = memoryOf(dailyMemory({ date: '2026-06-02', disk: [1, 2] }));
  const decode = vi.spyOn(KeptPayload.prototype, 'decode');
  await memory.update(viewedAccount({ collectors: ['domains'] }), slice);
  const date = dateOf(Date.now(), 'UTC');
  decode.mockClear();

  expect(memory.usage(date)).toHaveLength(15);

  expect(decode).not.toHaveBeenCalled();
  decode.mockRestore();
});
