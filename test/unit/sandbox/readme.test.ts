import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { demoAccounts } from '../../../src/sandbox/accounts/demo-accounts.ts';
import { faultKinds } from '../../../src/sandbox/faults/fault.ts';
import { methodsOf } from '../../../src/sandbox/methods/list.ts';

const readme = readFileSync(new URL('../../../src/sandbox/README.md', import.meta.url), 'utf8');
const sections = { specification: readme.split('### ')[1] ?? '', provider: readme.split('### ')[2] ?? '' };

describe('README of the sandbox', () => {
  it.each(['specification', 'provider'] as const)('lists every method of the %s dialect', (dialect) => {
    const rows = sections[dialect].split('\n').filter((line) => line.includes('/'));

    const expected = [...methodsOf(dialect)].map(([path, { purpose, parameters = [] }]) => {
      const names = parameters.map((name) => `\`${name}\``).join(' ');
      return `| ${path} | ${names} | ${purpose} |`;
    });

    expect(rows).toEqual(expected);
  });

  it('lists every kind of fault', () => {
    for (const [kind, effect] of Object.entries(faultKinds)) expect(readme).toContain(`| \`${kind}\` | ${effect} |`);
  });

  it('shows the credentials of the demo accounts', () => {
    for (const { login, password, mainPassword, token } of demoAccounts) {
      const cells = [login, password.replace('|', '\\|'), mainPassword, token].map((cell) => `\`${cell}\``);
      expect(readme).toContain(`| ${cells.join(' | ')} |`);
    }
  });
});
