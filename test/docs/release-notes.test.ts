import { expect, test } from 'vitest';
import { type ReleaseFiles, releaseNotes } from '../../docs/src/release-notes.ts';
import { readText } from '../fixtures/repository.ts';

const ready: ReleaseFiles = {
  changelog:
    '## 0.2.0 / 2026-12-01\n\n* [FEATURE] Add a flag.\n  It is useful.\n\n## 0.1.0 / 2026-11-01\n\n* [BUGFIX] Old.\n',
  packageVersion: '0.2.0',
  publicInterface: '{"alerts":["A"]}',
  releasedInterface: '{"version":"0.2.0","alerts":["A"]}',
  dockerfile: `ARG BASE=node:1-slim@sha256:${'0a'.repeat(32)}\n\nFROM $BASE AS base\n`,
};

test('the changelog has only versions and items with their kind, without remains of a merge', () => {
  const known = /^(## \d+\.\d+\.\d+ \/ |\* \[(CHANGE|FEATURE|ENHANCEMENT|BUGFIX|SECURITY)\] \S| {2}\S|$)/;

  expect(
    readText('CHANGELOG.md')
      .split('\n')
      .filter((line) => !known.test(line)),
  ).toEqual([]);
});

test('the notes are the newest section of the changelog', () => {
  expect(releaseNotes('v0.2.0', ready)).toBe('* [FEATURE] Add a flag.\n  It is useful.\n');
});

test.each<[string, string, Partial<ReleaseFiles>, string]>([
  ['a tag of another version', 'v0.3.0', {}, 'the tag v0.3.0 does not belong to version 0.2.0'],
  ['no tag', '', {}, 'the tag  does not belong'],
  [
    'a section without a date',
    'v0.2.0',
    { changelog: '## 0.2.0 / unreleased\n\n* [FEATURE] Add.\n' },
    'write "## 0.2.0 / " and the date',
  ],
  [
    'a section of another version',
    'v0.2.0',
    { changelog: '## 0.1.0 / 2026-11-01\n\n* [FEATURE] Add.\n' },
    'write "## 0.2.0 / " and the date',
  ],
  ['an interface of another version', 'v0.2.0', { releasedInterface: '{"version":"0.1.0","alerts":["A"]}' }, 'freeze'],
  ['a base image without a digest', 'v0.2.0', { dockerfile: 'ARG BASE=node:1-slim\n' }, 'has no digest'],
  ['a different interface', 'v0.2.0', { publicInterface: '{"alerts":["A","B"]}' }, 'npm run freeze'],
])('%s is refused', (_, tag, files, message) => {
  expect(() => releaseNotes(tag, { ...ready, ...files })).toThrow(message);
});
