import { expect, it } from 'vitest';
import { failuresWithoutReached, failuresWithReached, overridable } from './overrides.ts';

const cases = overridable.filter(({ scenario }) => !scenario.overDays);

it.each(cases)(
  'accounts override $alert with severity $severity: off, and a threshold that they do not reach',
  async (one) => {
    expect(await failuresWithoutReached(one)).toBe('');
  },
);

it.each(cases)('accounts override $alert with severity $severity: only they reach their threshold', async (one) => {
  expect(await failuresWithReached(one)).toBe('');
});
