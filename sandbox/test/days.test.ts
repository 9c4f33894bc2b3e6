import { expect, it } from 'vitest';
import { startSandbox } from '../src/server.ts';
import { fixedNow } from './api-caller.ts';

it('a day changes usage, billing, backups and load', async () => {
  let now = fixedNow;
  const sandbox = await startSandbox({ dialect: 'provider', clock: { now: () => now } });
  const shop = sandbox.account('shop');
  const before = {
    ...shop,
    usage: shop.diskUsageBytes,
    details: shop.details,
    backups: shop.backups,
    sites: shop.sites,
  };

  now += 86_400_000;
  await sandbox.close();

  expect(before.usage).toBe(13_400_000_000);
  expect(shop.diskUsageBytes).toBe(18_600_000_000);
  expect(before.details?.daysToBlock).toBe(19);
  expect(shop.details?.daysToBlock).toBe(18);
  expect(shop.details?.balance).toBe(600.45);
  expect((shop.backups.files[0]?.madeAt ?? 0) - (before.backups.files[0]?.madeAt ?? 0)).toBeGreaterThan(60_000_000);
  expect(shop.sites[0]?.load.hours.at(-1)?.date).toBe('2026-03-17 14:00:00');
  expect(shop.sites[0]?.load.average).not.toBe(before.sites[0]?.load.average);
});

it('a day takes 24 minutes at speed 60, while dates follow the clock', async () => {
  let now = fixedNow;
  const sandbox = await startSandbox({ clock: { now: () => now }, speed: 60 });
  const shop = sandbox.account('shop');

  now += 24 * 60_000;
  await sandbox.close();

  expect(shop.diskUsageBytes).toBe(18_600_000_000);
  expect(shop.sites[0]?.load.hours.at(-1)?.date).toBe('2026-03-16 14:00:00');
  expect(shop.sites[0]?.load.days.at(-1)?.date).toBe('2026-03-16');
});
