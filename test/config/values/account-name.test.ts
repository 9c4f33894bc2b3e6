import { expect, test } from 'vitest';
import { validateAccountName } from '../../../src/config/values/validators.ts';

test.each(['shop', 'x'.repeat(100), 'a b/ü', '0'])('accepts %j', (name) => {
  expect(validateAccountName(name)).toBeUndefined();
});

test.each([
  ['', 'is empty; write a name, such as shop'],
  ['x'.repeat(101), 'is longer than 100 characters; shorten it'],
  [' shop', 'starts or ends with a space; remove it'],
  ['shop\t', 'starts or ends with a space; remove it'],
  ['a\u200bb', 'contains an invisible character; remove it'],
  ['a`b', 'contains a backtick; remove it'],
  ['a\nb', 'contains an invisible character; remove it'],
])('refuses %j', (name, problem) => {
  expect(validateAccountName(name)).toBe(problem);
});
