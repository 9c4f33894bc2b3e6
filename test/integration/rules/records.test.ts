import { expect, test } from 'vitest';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { failuresOfRules, otherWaits, ruleCases, ruleName } from './records.ts';

const rules = ruleGroups(settingsSchema.parse({})).flatMap((group) => group.rules);

test('every rule has cases, and every case a rule', () => {
  expect([...new Set(ruleCases.map(({ rule }) => rule))].toSorted()).toEqual(rules.map(ruleName).toSorted());
});

test('every alert waits and keeps firing for the listed times', () => {
  expect(otherWaits(rules)).toEqual([]);
});

test('every rule has the result of its cases', async () => {
  expect(await failuresOfRules(rules)).toBe('');
});
