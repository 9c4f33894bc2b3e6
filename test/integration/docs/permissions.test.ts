import { expect, test } from 'vitest';
import { sectionLabel, sectionOf } from '../../../src/api/method.ts';
import type { Collector } from '../../../src/collectors/collector.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { readText } from '../../fixtures/repository.ts';

const readme = readText('README.md').split('\n');

/** Rows of the permission table as the definitions of the collectors give them, by section. */
const expectedRows = new Map(
  [...Map.groupBy(collectors.flatMap(permissionsOf), ({ section }) => section)].map(([section, permissions]) => [
    section,
    `| ${section} | ${permissions.map(({ cell }) => cell).join(', ')} |`,
  ]),
);

test('the permission table in README.md lists each section with the collectors that need it', () => {
  const rows = new Set(readme.map((line) => line.trim()));

  const missing = [...expectedRows.values()].filter((row) => !rows.has(row));

  expect(missing, `README.md: the permission table must contain\n${missing.join('\n')}`).toEqual([]);
});

test('the permission table in README.md has no other rows', () => {
  const header = readme.findIndex((line) => /^\s*\| Section \|/.test(line));
  const rows = readme.slice(header + 2);
  const table = rows.slice(
    0,
    rows.findIndex((line) => !line.trim().startsWith('|')),
  );

  expect(table.map((row) => row.trim())).toEqual([...expectedRows.values()]);
});

/** A fan-out also needs the section that lists its items. */
function permissionsOf(collector: Collector): readonly { readonly section: string; readonly cell: string }[] {
  const itemMethods = collector.kind === 'fan-out' ? (collector.itemsFrom?.methods ?? []) : [];
  const sections = new Set([...itemMethods, ...collector.methods].map(sectionOf));
  const cell = `\`${collector.name}\`${collector.offByDefault === true ? ' (off by default)' : ''}`;
  return [...sections].map((section) => ({ section: sectionLabel(section), cell }));
}
