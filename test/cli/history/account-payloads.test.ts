import { describe, expect, it } from 'vitest';
import { forHistory, keptItems } from '../../../src/cli/history.ts';
import type { AccountConfig } from '../../../src/config/values/config.ts';
import type { SavedAccount } from '../../../src/state/state-file.ts';
import type { Answer } from '../../../src/store/result.ts';
import { accountConfig, config } from '../../fixtures/config.ts';
import { time } from './kept-item.ts';

function enabledIn({ collectors }: AccountConfig): readonly string[] {
  return Object.entries(collectors).flatMap(([name, { enabled }]) => (enabled ? [name] : []));
}

it('the configuration for a history leaves a disabled collector disabled', () => {
  const { accounts } = forHistory(config(accountConfig({ collectors: ['account', 'site_load_detail'] })));

  expect(accounts.map(enabledIn)).toEqual([['site_load_detail']]);
});

describe('the items of an account', () => {
  const answered = time('2026-06-30T12:00Z');
  const shop = { site_id: '7', site: 'shop.example' };

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
