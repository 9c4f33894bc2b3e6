import { globSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { readSteps } from '../../documentation/page-commands.ts';
import { firstPages, laterPages, otherPages } from '../../documentation/pages.ts';
import { readText, repository } from '../../fixtures/repository.ts';

describe('the steps of a page', () => {
  it('are its command blocks in reading order, and those that markers add', () => {
    const page = [
      ...['```sh', 'one', 'two', '```'],
      ...['1. Write it:', '', '   <!-- test: file a.yml -->', '   ```yaml', '   a:', '     b: 1', '   ```'],
      ...['<!-- test: run three -->', '<!-- test: until "it runs" -->', '```sh', 'four', '```'],
      ...['<!-- test: skip needs root -->', '```sh', 'five', '```', '```yaml', 'c: 1', '```'],
    ].join('\n');

    expect(readSteps(page)).toEqual([
      { kind: 'run', line: 2, commands: 'one\ntwo' },
      { kind: 'file', line: 9, name: 'a.yml', content: 'a:\n  b: 1\n' },
      { kind: 'run', line: 12, commands: 'three' },
      { kind: 'until', line: 15, commands: 'four', text: 'it runs' },
      { kind: 'skip', line: 19, commands: 'five', reason: 'needs root' },
    ]);
  });

  it.each([
    ['a skip without a reason', '<!-- test: skip -->\n```sh\na\n```', 'the marker is malformed'],
    ['an unknown word', '<!-- test: ignore it -->\n```sh\na\n```', 'unknown marker "ignore it"'],
    ['a marker above text', '<!-- test: skip needs root -->\ntext', 'must be directly above a block'],
    ['commands in another language', '<!-- test: skip needs root -->\n```yaml\na\n```', 'needs a block of commands'],
  ])('cannot be read from %s', (_, page, message) => {
    expect(() => readSteps(page)).toThrow(message);
  });
});

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
