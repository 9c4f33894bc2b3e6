import { expect, it } from 'vitest';
import { failuresWithoutReached, failuresWithReached, overridable } from '../integration/rules/overrides.ts';

it.each(overridable)(
  'accounts override $alert with severity $severity: off, and a threshold that they do not reach',
  async (one) => {
    expect(await failuresWithoutReached(one)).toBe('');
  },
);

it.each(overridable)(
  'accounts override $alert with severity $severity: only they reach their threshold',
  async (one) => {
    expect(await failuresWithReached(one)).toBe('');
  },
);
