import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sectionLabels, sectionOf } from '../../src/api/method.ts';
import type { Collector } from '../../src/collectors/collector.ts';
import { collectors } from '../../src/collectors/list.ts';
import { readText, repository } from '../fixtures/repository.ts';

const pages = [
  ['docs/getting-started.md', '   | Section | In Russian | Collectors that need it |', 'off by default'],
  [
    'docs/ru/getting-started.md',
    '   | В сообщениях экспортёра | В панели управления | Каким сборщикам нужен раздел |',
    'по умолчанию отключён',
  ],
] as const;

test.each(pages)('the permission table in %s: run npx vitest run test/docs -u', async (path, names, offByDefault) => {
  const page = readText(path);
  const head = `${names}\n   | --- | --- | --- |\n`;
  expect(page).toContain(head);
  const table = page.slice(page.indexOf(head) + head.length).split('\n\n')[0] ?? '';
  /** What the control panel calls a section in Russian, by its English name. */
  const russianNames = new Map(
    table
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .map(([, section, name]) => [section, name]),
  );
  const permissions = collectors.flatMap((collector) => permissionsOf(collector, offByDefault));
  const rows = [...Map.groupBy(permissions, ({ section }) => section)].map(([section, needed]) => {
    const name = russianNames.get(section);
    if (name === undefined)
      throw new Error(`${path}: add the row "| ${section} | Russian name | |" to the permission table`);
    return `   | ${section} | ${name} | ${needed.map(({ cell }) => cell).join(', ')} |`;
  });

  await expect(page.replace(table, () => rows.join('\n'))).toMatchFileSnapshot(join(repository, path));
});

/** A fan-out also needs the section that lists its items. */
function permissionsOf(
  collector: Collector,
  offByDefault: string,
): readonly { readonly section: string; readonly cell: string }[] {
  const itemMethods = collector.itemsFrom?.methods ?? [];
  const sections = new Set([...itemMethods, ...collector.methods].map(sectionOf));
  const cell = `\`${collector.name}\`${collector.offByDefault === true ? ` (${offByDefault})` : ''}`;
  return [...sections].map((section) => ({ section: sectionLabels[section], cell }));
}
