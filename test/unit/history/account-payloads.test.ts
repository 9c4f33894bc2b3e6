import { describe, expect, it } from 'vitest';
import { forHistory, keptItems } from '../../../src/cli/history.ts';
import type { AccountConfig } from '../../../src/config/values/config.ts';
import type { SavedAccount } from '../../../src/state/state-file.ts';
import type { Answer } from '../../../src/store/result.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { settlingTime, time } from './kept-item.ts';

describe('the configuration for a history', () => {
  function enabledIn({ collectors }: AccountConfig): readonly string[] {
    return Object.entries(collectors).flatMap(([name, { enabled }]) => (enabled ? [name] : []));
  }

  it('enables only the collectors whose values have dates', () => {
    const { accounts } = forHistory(config(accountConfig(), accountConfig({ name: 'blog' })));

    expect(accounts.map((account) => [account.name, enabledIn(account).toSorted()])).toEqual([
      ['shop', ['database_load_detail', 'site_load_detail']],
      ['blog', ['database_load_detail', 'site_load_detail']],
    ]);
  });

  it('leaves a disabled collector disabled', () => {
    const { accounts } = forHistory(config(accountConfig({ collectors: ['account', 'site_load_detail'] })));

    expect(accounts.map(enabledIn)).toEqual([['site_load_detail']]);
  });

  it('keeps all other settings', () => {
    const account = accountConfig({ collectors: { site_load_detail: { enabled: true, maxSeries: 40 } } });
    const settings = { ...config(account), stateDirectory: '/var/lib/state' };

    const { accounts, ...others } = forHistory(settings);

    expect(others).toEqual({ stateDirectory: '/var/lib/state', web: settings.web });
    expect(accounts[0]).toMatchObject({ name: 'shop', api: account.api, credentials: account.credentials });
    expect(accounts[0]?.collectors['site_load_detail']).toMatchObject({
      maxSeries: 40,
      schedule: { kind: 'every', interval: 3_600_000 },
    });
  });
});

describe('the items of an account', () => {
  const answered = time('2026-06-30T12:00Z');
  const shop = { site_id: '7', site: 'shop.example' };
  const blog = { site_id: '8', site: 'blog.example' };

  function payloadOf(days: readonly number[]): Answer {
    return { payload: { days }, answered, providerTime: answered, complete: true };
  }

  /** What an account has received: by collector and key. */
  function snapshotOf(
    payloads: Readonly<Record<string, Readonly<Record<string, Answer>>>>,
  ): Pick<SavedAccount, 'collectors'> {
    const collectors = Object.entries(payloads).map(([name, results]) => [
      name,
      { version: 1, runStarted: 0, results },
    ]);
    return { collectors: Object.fromEntries(collectors) };
  }

  it('are the sites and databases with a payload, with the settings that decide when it is shown', () => {
    const [ofShop, ofBlog, ofDatabase] = [payloadOf([1]), payloadOf([2]), payloadOf([3])];
    const account = accountConfig({
      api: { timeZone: 'Europe/Moscow' },
      collectors: { site_load_detail: {}, database_load_detail: {} },
    });
    const snapshot = snapshotOf({
      database_load_detail: { [JSON.stringify({ database: 'shop_main' })]: ofDatabase },
      site_load_detail: { [JSON.stringify(shop)]: ofShop, [JSON.stringify(blog)]: ofBlog },
    });

    const items = keptItems(account, snapshot);

    expect(
      items.map(({ account, collector, item, answer, settings: { settlingTime, timeZone } }) => [
        [account, collector.name, item, answer.payload],
        { settlingTime, timeZone },
      ]),
    ).toEqual([
      [['shop', 'site_load_detail', shop, { days: [1] }], { settlingTime, timeZone: 'Europe/Moscow' }],
      [['shop', 'site_load_detail', blog, { days: [2] }], { settlingTime, timeZone: 'Europe/Moscow' }],
      [
        ['shop', 'database_load_detail', { database: 'shop_main' }, { days: [3] }],
        { settlingTime, timeZone: 'Europe/Moscow' },
      ],
    ]);
  });

  it('are none of a collector that is disabled now, although its payloads were saved', () => {
    const snapshot = snapshotOf({
      site_load_detail: { [JSON.stringify(shop)]: payloadOf([1]) },
      database_load_detail: { [JSON.stringify({ database: 'shop_main' })]: payloadOf([3]) },
    });

    const items = keptItems(accountConfig({ collectors: ['database_load_detail'] }), snapshot);

    expect(items.map(({ item }) => item)).toEqual([{ database: 'shop_main' }]);
  });

  it('are none before the first call', () => {
    expect(keptItems(accountConfig(), snapshotOf({}))).toEqual([]);
  });

  it('are only those that the collector could have written: a state file may be damaged', () => {
    const damaged = ['', 'no JSON', '7', '{"domain":"shop.example"}', '{"site_id":7}'];
    const payloads = Object.fromEntries([...damaged, JSON.stringify(shop)].map((key) => [key, payloadOf([1])]));

    const items = keptItems(accountConfig(), snapshotOf({ site_load_detail: payloads }));

    expect(items.map(({ item }) => item)).toEqual([shop]);
  });
});
