import { expect, test } from 'vitest';
import { sectionLabel, sectionOf } from '../../../src/api/method.ts';
import type { Collector } from '../../../src/collectors/collector.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { readText } from '../../fixtures/repository.ts';

const lines = readText('docs/getting-started.md')
  .split('\n')
  .map((line) => line.trim());

/** The permission table without its second column, the section in Russian. */
const header = lines.findIndex((line) => line.startsWith('| Section |'));
const afterHeader = lines.slice(header + 2);
const rows = afterHeader
  .slice(
    0,
    afterHeader.findIndex((line) => !line.startsWith('|')),
  )
  .map((row) => row.replace(/^(\| [^|]+ )\| [^|]+ /, '$1'));

/** Rows of the permission table as the definitions of the collectors give them, by section. */
const expectedRows = new Map(
  [...Map.groupBy(collectors.flatMap(permissionsOf), ({ section }) => section)].map(([section, permissions]) => [
    section,
    `| ${section} | ${permissions.map(({ cell }) => cell).join(', ')} |`,
  ]),
);

test('the permission table in docs/getting-started.md lists each section with the collectors that need it', () => {
  const expected = [...expectedRows.values()];

  expect(
    rows,
    `docs/getting-started.md: the first and third column of the permission table must be\n${expected.join('\n')}`,
  ).toEqual(expected);
});

/** A fan-out also needs the section that lists its items. */
function permissionsOf(collector: Collector): readonly { readonly section: string; readonly cell: string }[] {
  const itemMethods = collector.kind === 'fan-out' ? (collector.itemsFrom?.methods ?? []) : [];
  const sections = new Set([...itemMethods, ...collector.methods].map(sectionOf));
  const cell = `\`${collector.name}\`${collector.offByDefault === true ? ' (off by default)' : ''}`;
  return [...sections].map((section) => ({ section: sectionLabel(section), cell }));
}
