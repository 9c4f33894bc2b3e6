import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { derive } from '../../src/rules/derive.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { testFiles } from './rule-file.ts';
import { run } from './run-tool.ts';

const minute = 60_000;

describe('promtool', () => {
  test.each(testFiles)('%s', { timeout: 10 * minute }, async (path) => {
    const { code, output } = await run('promtool', 'test', 'rules', join(repository, path));

    expect(code, output).toBe(0);
  });

  it('accepts the derived rules, also with changes', { timeout: minute }, async () => {
    const folder = temporaryFolder(new Cleanups());
    const changed = derive({
      selector: 'job="web",cluster="eu"',
      labels: { team: 'hosting' },
      accountLabels: ['customer'],
      severities: { critical: 'page' },
      off: ['HostingSiteLoadUnusual', 'HostingDiskAlmostFull:warning'],
    });
    for (const [set, files] of [['plain', derive()] as const, ['changed', changed] as const]) {
      for (const name of ['hosting.rules.yml', 'hosting.rules.ru.yml', 'hosting.records.yml']) {
        const path = join(folder, `${set}-${name}`);
        writeFileSync(path, files.get(name) ?? '');
        const { code, output } = await run('promtool', 'check', 'rules', '--lint=all', '--lint-fatal', path);

        expect(code, output).toBe(0);
      }
    }
  });
});
