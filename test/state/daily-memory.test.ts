import { expect, it, vi } from 'vitest';
import { effectiveThresholds } from '../../src/config/file/alert-thresholds.ts';
import { dateOf } from '../../src/store/daily-memory.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { type Incarnation, incarnate } from '../fixtures/restart.ts';
import { type ScriptedApi, scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const minute = 60_000;

/** The API of an account, and its exporter: one process a day, each with the state of the day before. */
async function accountByDay(start: string) {
  fakeClock(start);
  const api = await scriptedApi();
  const directory = temporaryFolder();
  const collectors = ['account', 'sites'] as const;
  const settings = config(
    accountConfig({
      api: { baseUrl: api.baseUrl, timeZone: 'Europe/Moscow' },
      collectors: [...collectors],
      alerts: effectiveThresholds(),
    }),
  );
  const nextDay = async (disk: string, sites: readonly string[], check: (page: Page) => Promise<void>) => {
    answer(api, disk, sites);
    const { app, idle } = await incarnate(settings, directory);
    app.start();
    await until(() =>
      app.accounts.every(({ pollers }) => pollers.every(({ newest }) => newest?.isFromEarlierProcess === false)),
    );
    await idle();
    await vi.advanceTimersByTimeAsync(10 * minute);
    await until(() => dateOf(Date.now(), 'Europe/Moscow') in (app.accounts[0]?.memory.days ?? {}));
    await idle();
    await check(pageOf(app));
    await app.stop();
    vi.setSystemTime(Date.now() + 24 * 60 * minute - 10 * minute);
  };
  return { directory, nextDay };
}

type Page = (path: string) => Promise<string>;

/** Returns the visible words of a page. */
function pageOf(app: Incarnation['app']): Page {
  return async (path) => {
    const { body } = await app.web.inject({ url: path, headers: { 'accept-encoding': 'identity' } });
    return body
      .replace(/<title>[^<]*<\/title>|<[^>]+>/g, ' ')
      .replaceAll('\u00a0', ' ')
      .replace(/\s+/g, ' ');
  };
}

function answer(api: ScriptedApi, disk: string, sites: readonly string[]): void {
  api.answer('user/getAccountInfo', { result: { disk_usage: disk, disk_limit: '10 GB' } });
  api.answer('site/getList', { result: sites.map((name) => ({ id: name.charCodeAt(0), name, domains: [] })) });
}

it('an account that is restarted each day says what changed since yesterday and when its disk is full', async () => {
  // In Moscow, the next day has begun.
  const { nextDay } = await accountByDay('2026-06-01T21:05:00Z');

  await nextDay('6 GB', ['a', 'b'], async (page) => {
    expect(await page('/accounts/shop')).toContain(
      'Since yesterday There are no figures for that day to compare with.',
    );
    expect(await page('/accounts/shop')).toContain('4 GB free of 10 GB');
    expect(await page('/')).not.toContain('yesterday');
  });
  await nextDay('6.5 GB', ['b', 'c'], async (page) => {
    const changes = 'Disk used: +500 MB';
    expect(await page('/accounts/shop')).toContain(`Since yesterday ${changes} Sites: − a Sites: + c`);
    expect(await page('/?lang=ru')).toContain(
      'Изменения со вчерашнего дня shop Занято на диске: +500 МБ shop Сайты: − a shop Сайты: + c',
    );
    expect(await page('/')).not.toContain('full in');
  });
  await nextDay('7 GB', ['b', 'c'], async () => {});
  await nextDay('7.5 GB', ['b', 'c'], async (page) => {
    expect(await page('/')).toContain('1 warning');
    expect(await page('/')).toContain('At this rate, the disk will be full in 5 days');
    expect(await page('/accounts/shop')).toContain('2.5 GB free of 10 GB full in 5 days');
  });
});
