import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sectionLabels, sectionOf } from '../../../src/api/method.ts';
import type { Collector } from '../../../src/collectors/collector.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { readText, repository } from '../../fixtures/repository.ts';

const page = readText('docs/getting-started.md');
const head = '   | Section | In Russian | Collectors that need it |\n   | --- | --- | --- |\n';
const table = page.slice(page.indexOf(head) + head.length).split('\n\n')[0] ?? '';

/** What the control panel calls a section in Russian, by its English name. */
const russianNames = new Map(
  table
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, section, name]) => [section, name]),
);

test('the permission table in docs/getting-started.md is up to date: run npx vitest run test/integration/docs -u', async () => {
  const sections = Map.groupBy(collectors.flatMap(permissionsOf), ({ section }) => section);
  const rows = [...sections].map(([section, permissions]) => {
    const name = russianNames.get(section);
    if (name === undefined)
      throw new Error(`docs/getting-started.md: add the row "| ${section} | Russian name | |" to the permission table`);
    return `   | ${section} | ${name} | ${permissions.map(({ cell }) => cell).join(', ')} |`;
  });

  expect(page).toContain(head);
  await expect(page.replace(table, () => rows.join('\n'))).toMatchFileSnapshot(
    join(repository, 'docs/getting-started.md'),
  );
});

/** A fan-out also needs the section that lists its items. */
function permissionsOf(collector: Collector): readonly { readonly section: string; readonly cell: string }[] {
  const itemMethods = collector.itemsFrom?.methods ?? [];
  const sections = new Set([...itemMethods, ...collector.methods].map(sectionOf));
  const cell = `\`${collector.name}\`${collector.offByDefault === true ? ' (off by default)' : ''}`;
  return [...sections].map((section) => ({ section: sectionLabels[section], cell }));
}
