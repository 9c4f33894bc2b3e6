import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readText, repository } from '../../test/fixtures/repository.ts';
import { demoAccounts } from '../src/accounts/demo-accounts.ts';
import { type Dialect, dialects } from '../src/dialect.ts';
import { faultKinds } from '../src/faults/fault.ts';
import { methodsOf } from '../src/methods/list.ts';

const path = 'sandbox/README.md';
const readme = readText(path);

it('lists every method: run npx vitest run sandbox/test/readme -u', async () => {
  const head = '| method | parameters | purpose |\n|---|---|---|\n';
  const [text = '', ...tables] = readme.split(head);

  const current = tables.map((table, index) => {
    const following = table.replace(/^(?:\|.*\n)*/, '');
    return `${head}${rowsOf(dialects[index])}${following}`;
  });

  expect(tables).toHaveLength(dialects.length);
  await expect([text, ...current].join('')).toMatchFileSnapshot(join(repository, path));
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

function rowsOf(dialect: Dialect | undefined): string {
  if (dialect === undefined) return '';
  const rows = [...methodsOf(dialect)].map(([path, { purpose, parameters }]) => {
    const names = parameters.map((name) => `\`${name}\``).join(' ');
    return `| ${path} | ${names} | ${purpose} |\n`;
  });
  return rows.join('');
}
