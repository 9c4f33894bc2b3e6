import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { readSteps } from '../documentation/page-commands.ts';
import { firstPages, laterPages, otherPages } from '../documentation/pages.ts';
import { readText, repository } from '../fixtures/repository.ts';

test.each([...firstPages, ...laterPages])('%s has steps, and a reason for each block that is not run', (page) => {
  const steps = readSteps(readText(page));

  expect(steps.filter(({ kind }) => kind !== 'skip')).not.toEqual([]);
});

test('every page with commands runs them, or has a reason', () => {
  const pages = globSync('docs/{,project/}*.md', { cwd: repository }).filter(
    (page) => readSteps(readText(page)).length > 0,
  );

  expect(pages.sort()).toEqual(
    [...firstPages, ...laterPages, ...Object.keys(otherPages)].filter((page) => page !== 'README.md').sort(),
  );
});

test('no text installs the package from the registry, where its name is free', () => {
  // A tarball has a path or an ending.
  const { name } = packageJson;
  const installs = new RegExp(`(?:npx|npm exec|npm x)\\b.* ${name}|npm (?:install|i|add)\\b.* ${name}(?![/-])`);
  const patterns = [
    '*.md',
    'docs/**/*.md',
    'docs/src/*.ts',
    'deploy/**/*.*',
    'src/**/*.*',
    'alerts/*.yml',
    'Dockerfile',
  ];
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: repository }));

  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => installs.test(readText(file)))).toEqual([]);
});
