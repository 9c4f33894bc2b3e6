import { describe, expect, it } from 'vitest';
import { failuresWithoutReached, failuresWithReached, overridable } from '../integration/rules/overrides.ts';
import { failuresWithTexts, scenarios } from '../integration/rules/scenarios.ts';

const cases = overridable.filter(({ scenario }) => scenario.overDays);

describe('promtool', () => {
  it.concurrent.each(scenarios.filter(({ overDays }) => overDays))(
    'finds that alerts fire at the expected times with the expected labels and texts, and no others fire: $name',
    async (scenario) => {
      expect(await failuresWithTexts(scenario)).toBe('');
    },
  );
});

it.each(cases)(
  'accounts override $alert with severity $severity: off, and a threshold that they do not reach',
  async (one) => {
    expect(await failuresWithoutReached(one)).toBe('');
  },
);

it.each(cases)('accounts override $alert with severity $severity: only they reach their threshold', async (one) => {
  expect(await failuresWithReached(one)).toBe('');
});
