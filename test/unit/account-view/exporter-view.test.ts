import { expect, it } from 'vitest';
import { type BudgetedAccount, readBudgets, slowestMethods } from '../../../src/account-view/exporter-view.ts';

function account(name: string, callsPerMinute: number, queueLength: number): BudgetedAccount {
  return { name, load: { callsPerMinute, budget: 30 }, queueLength, pauseRemaining: 0, stretch: 1 };
}

it('budgets with waiting calls come first, then those of which most is needed', async () => {
  const accounts = [account('idle', 1, 0), account('waiting', 1, 2), account('busy', 20, 0), account('longer', 1, 5)];

  const budgets = await readBudgets(accounts);

  expect(budgets.map(({ name }) => name)).toEqual(['longer', 'waiting', 'busy', 'idle']);
});

it('a budget has what is allowed, required, waiting and paused', async () => {
  const shop = { ...account('shop', 12, 3), pauseRemaining: 5000, stretch: 2 };

  expect(await readBudgets([shop])).toEqual([
    { name: 'shop', budget: 30, required: 12, queue: 3, pause: 5000, stretch: 2 },
  ]);
});

it('of many accounts, the twenty budgets that matter most are read', async () => {
  const accounts = Array.from({ length: 130 }, (_, index) => account(`${index}`, index / 10, 0));

  const budgets = await readBudgets(accounts);

  expect(budgets.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, index) => `${129 - index}`));
});

it('of many methods, the ten slowest are shown', () => {
  const methods = Array.from({ length: 12 }, (_, index) => ({ method: `m${index}`, seconds: index, calls: 1 }));

  const shown = slowestMethods(methods);

  expect(shown.map(({ seconds }) => seconds)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
});
