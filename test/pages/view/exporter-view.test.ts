import { expect, it } from 'vitest';
import { viewExporter } from '../../../src/pages/exporter-page.ts';
import type { Account } from '../../../src/polling/account.ts';

function account(name: string, callsPerMinute: number, queueLength: number) {
  return {
    name,
    load: { callsPerMinute, budget: 30 },
    stretch: 1,
    session: { budget: { queueLength, pauseRemaining: 0 } },
  };
}

function view(accounts: readonly ReturnType<typeof account>[]) {
  const build = { version: '1.2.3', revision: 'r', nodeVersion: 'v24' };
  const fixed = { build, started: 0, configFile: undefined, lastReload: undefined, webConfig: undefined };
  return viewExporter(accounts as readonly Partial<Account>[] as readonly Account[], fixed);
}

it('budgets with waiting calls come first, then those of which most is needed', () => {
  const accounts = [account('idle', 1, 0), account('waiting', 1, 2), account('busy', 20, 0), account('longer', 1, 5)];

  const { budgets } = view(accounts);

  expect(budgets.map(({ name }) => name)).toEqual(['longer', 'waiting', 'busy', 'idle']);
});

it('a budget has what is allowed, required, waiting and paused', () => {
  const shop = { ...account('shop', 12, 3), stretch: 2, session: { budget: { queueLength: 3, pauseRemaining: 5000 } } };

  const { budgets } = view([shop]);

  const load = { callsPerMinute: 12, budget: 30 };
  expect(budgets).toEqual([{ name: 'shop', load, queueLength: 3, pauseRemaining: 5000, stretch: 2 }]);
});

it('of many accounts, the twenty budgets that matter most are read', () => {
  const accounts = Array.from({ length: 130 }, (_, index) => account(`${index}`, index / 10, 0));

  const { accounts: count, budgets } = view(accounts);

  expect(count).toBe(130);
  expect(budgets.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, index) => `${129 - index}`));
});
