import { describe, expect, it } from 'vitest';
import { account } from '../../src/collectors/account.ts';
import { accountInfo } from '../../src/payloads/account-info.ts';

function blockTime(now: string, days: number, timeZone = 'UTC'): string | number | undefined {
  const notation = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone } as const;
  const payload = accountInfo(notation).parse({ user_quota: 1, user_days_to_block: days });
  const families = [...account.read(payload, 'shop', {}, { now: Date.parse(now), settled: 0 }, true)];
  const family = families.find(({ name }) => name === 'hosting_account_block_timestamp_seconds');
  const value = family?.samples[0]?.value;
  return value === undefined || value > 1e12 ? value : new Date(value * 1000).toISOString();
}

describe('the estimated time of suspension', () => {
  it('is the same for all polls of a day', () => {
    for (const time of ['00:00:00', '00:01:00', '12:34:56.789', '23:59:59.999']) {
      expect(blockTime(`2026-06-03T${time}Z`, 3), time).toBe('2026-06-06T00:00:00.000Z');
    }
  });

  it('stays the same the next day if the provider estimates one day less', () => {
    expect(blockTime('2026-06-04T00:00:00Z', 2)).toBe('2026-06-06T00:00:00.000Z');
  });

  it('is the start of a day in the time zone of the account', () => {
    expect(blockTime('2026-06-03T22:00:00Z', 3, 'Europe/Moscow')).toBe('2026-06-06T21:00:00.000Z');
    expect(blockTime('2026-06-03T20:00:00Z', 3, 'Europe/Moscow')).toBe('2026-06-05T21:00:00.000Z');
  });

  it('is the start of a day after the clocks change', () => {
    expect(blockTime('2026-03-28T12:00:00Z', 2, 'Europe/Berlin')).toBe('2026-03-29T22:00:00.000Z');
  });

  it.each([
    [0, '2026-06-03T00:00:00.000Z'],
    [1.9, '2026-06-04T00:00:00.000Z'],
    [-2, '2026-06-01T00:00:00.000Z'],
    [2_147_483_647, undefined],
    [1e308, Number.POSITIVE_INFINITY],
  ])('of %d days is %s', (days, time) => {
    expect(blockTime('2026-06-03T12:00:00Z', days)).toBe(time);
  });
});

it.each([
  [{}, ['has no field of account info']],
  [{ user_quota: null, server: null }, ['has no field of account info']],
  [{ user_quota: null, server: 'h1' }, ['is missing']],
  [{ user_quota: 1, server: null }, []],
])('the account info %j has the problems %j', (info, problems) => {
  const notation = { sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' } as const;

  const { error } = accountInfo(notation).safeParse(info);

  expect((error?.issues ?? []).map(({ message }) => message)).toEqual(problems);
});
