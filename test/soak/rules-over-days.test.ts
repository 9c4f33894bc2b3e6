import { describe, expect, it } from 'vitest';
import { failuresWithTexts, scenarios } from '../integration/rules/scenarios.ts';

describe('promtool', () => {
  it.concurrent.each(scenarios.filter(({ overDays }) => overDays))(
    'finds that alerts fire at the expected times with the expected labels and texts, and no others fire: $name',
    async (scenario) => {
      expect(await failuresWithTexts(scenario)).toBe('');
    },
  );
});
