import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { derive } from '../../src/rules/derive.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { readYaml } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { groupsFor, testFiles } from './rule-file.ts';
import { inFolder, run, testRules } from './run-tool.ts';

interface Suite {
  readonly tests: readonly { readonly input_series: readonly { readonly series: string }[] }[];
}

const minute = 60_000;

describe('promtool', () => {
  test.each(testFiles)('%s', { timeout: 10 * minute }, async (path) => {
    const suite = readYaml<Suite>(path);
    // promtool would evaluate all rules at each step, which takes four times the CPU time.
    const files = suite.tests.flatMap((one, index) => {
      const rules = { groups: groupsFor(one.input_series.map(({ series }) => series.replace(/\{.*/, ''))) };
      const alone = { ...suite, rule_files: [`rules-${index}.yml`], tests: [one] };
      return [
        [`rules-${index}.yml`, JSON.stringify(rules)] as const,
        [`test-${index}.yml`, JSON.stringify(alone)] as const,
      ];
    });

    const { code, output } = await inFolder(files, (folder) =>
      testRules(...suite.tests.map((_, index) => join(folder, `test-${index}.yml`))),
    );

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
