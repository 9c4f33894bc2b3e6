import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { demoAccounts } from '../../../src/sandbox/accounts/demo-accounts.ts';
import { methodsOf } from '../../../src/sandbox/methods/list.ts';

const readme = readFileSync(new URL('../../../src/sandbox/README.md', import.meta.url), 'utf8');
const partOf = { specification: readme.split('### ')[1] ?? '', provider: readme.split('### ')[2] ?? '' };

describe('the README of the sandbox', () => {
  it.each(['specification', 'provider'] as const)('lists every method of the dialect of the %s', (dialect) => {
    const rows = partOf[dialect].split('\n').filter((line) => line.includes('/'));

    const expected = [...methodsOf(dialect)].map(([path, { purpose, parameters = [] }]) => {
      const names = parameters.map((name) => `\`${name}\``).join(' ');
      return `| ${path} | ${names} | ${purpose} |`;
    });

    expect(rows).toEqual(expected);
  });

  it('tells how to log in to the accounts of the demo', () => {
    for (const { login, password, token } of demoAccounts) {
      expect(readme).toContain(`| \`${login}\` | \`${password.replace('|', '\\|')}\` | \`${token}\` |`);
    }
  });
});
