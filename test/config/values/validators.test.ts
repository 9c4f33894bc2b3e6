import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { findFiles, validateFilePattern } from '../../../src/config/file/file-pattern.ts';
import {
  validateCronPattern,
  validateLabelName,
  validateLabelValue,
  validateTimeZone,
} from '../../../src/config/values/validators.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

describe('a cron pattern', () => {
  it.each(['7 * * * *', '*/10 * * * * *', '0 9-17 * * 1-5', '0 0 29 2 *', '@daily'])('is %j', (pattern) => {
    expect(validateCronPattern(pattern)).toBeUndefined();
  });

  it.each([
    ['', 'is not a cron pattern; write five fields'],
    ['* * * *', 'is not a cron pattern; write five fields'],
    ['* * * * * * *', 'is not a cron pattern; write five fields'],
    ['2026-06-03T12:00:00', 'is not a cron pattern; write five fields'],
    ['61 * * * *', 'is not a cron pattern: its minute is out of range; write five fields'],
    ['0 25 * * *', 'is not a cron pattern: its hour is out of range; write five fields'],
    ['0 0 30 2 *', 'is a cron pattern that never matches; correct its day or month'],
  ])('is not %j', (pattern, problem) => {
    expect(validateCronPattern(pattern)).toMatch(problem);
  });
});

describe('an own label', () => {
  it.each(['a', 'Z', 'customer_2', `a${'b'.repeat(49)}`])('may be named %s', (name) => {
    expect(validateLabelName(name)).toBeUndefined();
  });

  it.each(['', '2a', '_a', 'a-b', 'a b', 'ä', 'a\n', `a${'b'.repeat(50)}`])('may not be named %j', (name) => {
    expect(validateLabelName(name)).toContain('is not a label name');
  });

  it.each(['acme', 'Веб, 2-я линия', '👪', ' a ', 'x'.repeat(100)])('may have the value %j', (value) => {
    expect(validateLabelValue(value)).toBeUndefined();
  });

  it.each([
    ['', 'is empty'],
    [' \t', 'is empty'],
    ['x'.repeat(101), 'is longer than 100 characters'],
    ['a\nb', 'contains an invisible character'],
    ['a\u0085b', 'contains an invisible character'],
    ['a\u200bb', 'contains an invisible character'],
    ['a\u2028b', 'contains an invisible character'],
    ['a\u2029b', 'contains an invisible character'],
    ['a\ud800b', 'contains an invisible character'],
  ])('may not have the value %j', (value, problem) => {
    expect(validateLabelValue(value)).toContain(problem);
  });
});

describe('a time zone', () => {
  it.each(['UTC', 'Europe/Moscow', 'europe/moscow', 'US/Eastern', 'EST'])('is %s', (name) => {
    expect(validateTimeZone(name)).toBeUndefined();
    expect(Temporal.Now.zonedDateTimeISO(name).epochMilliseconds).toBeGreaterThan(0);
  });

  it.each(['', 'IST', 'JST', 'PST', '+03:00', 'Europe/Moscow\n', 'undefined'])('is not %j', (name) => {
    expect(validateTimeZone(name)).toMatch(/^is not a time zone; /);
  });
});

describe('a file pattern', () => {
  function folderWithAccounts(): string {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'accounts/deep.yml'), { recursive: true });
    for (const name of ['a.yml', 'b.yml', '.hidden.yml', 'c.txt']) writeFileSync(join(folder, 'accounts', name), '');
    writeFileSync(join(folder, 'config.yml'), '');
    return folder;
  }

  it('finds the files next to the file that names it, without hidden ones, folders and that file', () => {
    const folder = folderWithAccounts();
    const from = join(folder, 'config.yml');

    expect(findFiles('accounts/*.yml', from).files.toSorted()).toEqual(
      ['a.yml', 'b.yml'].map((name) => join(folder, 'accounts', name)),
    );
    expect(findFiles(join(folder, 'accounts/a.yml'), from)).toEqual({ files: [join(folder, 'accounts/a.yml')] });
    expect(findFiles('*.yml', from).files).toEqual([]);
    mkdirSync(join(folder, 'accounts/.git'));
    writeFileSync(join(folder, 'accounts/.git/old.yml'), '');
    expect(findFiles('accounts/**/*.yml', from).files).toHaveLength(2);
  });

  it.each([
    ['accounts', 'is a directory; name the files in it, such as accounts/*.yml'],
    ['accounts/deep.yml', 'is a directory; name the files in it, such as accounts/*.yml'],
    [
      'accounts/*.json',
      "matches no file; write one file per account, or correct the path, which is relative to this file's directory",
    ],
    [
      'none/*.yml',
      "matches no file; write one file per account, or correct the path, which is relative to this file's directory",
    ],
  ])('says why %s finds nothing', (pattern, failure) => {
    expect(findFiles(pattern, join(folderWithAccounts(), 'config.yml'))).toEqual({ files: [], failure });
  });

  it.each([
    ['accounts/?.yml', ['a.yml', 'b.yml']],
    ['accounts/[!b].yml', ['a.yml']],
    ['accounts/{a.yml,{b,c}.*}', ['a.yml', 'b.yml', 'c.txt']],
    ['**/[b-z].*', ['b.yml', 'c.txt']],
    ['accounts/.h*', ['.hidden.yml']],
    ['./accounts/../**/c.txt', ['c.txt']],
    ['accounts/**', ['a.yml', 'b.yml', 'c.txt']],
  ])('%s matches as in a shell', (pattern, names) => {
    const folder = folderWithAccounts();
    const { files } = findFiles(pattern, join(folder, 'config.yml'));

    expect(files.filter((file) => !file.endsWith('config.yml')).toSorted()).toEqual(
      names.map((name) => join(folder, 'accounts', name)),
    );
  });

  it('does not skip a directory that cannot be read, because its accounts would vanish', () => {
    const folder = folderWithAccounts();
    symlinkSync('loop', join(folder, 'loop'));

    expect(findFiles('*/*.yml', join(folder, 'config.yml'))).toMatchObject({
      failure: `its directory "${join(folder, 'loop')}" cannot be read (ELOOP); correct the path`,
    });
  });

  it('does not call an absolute path relative', () => {
    const folder = folderWithAccounts();

    expect(findFiles(join(folder, 'accounts/*.json'), join(folder, 'config.yml')).failure).toBe(
      'matches no file; write one file per account, or correct the path',
    );
    expect(findFiles(join(folder, 'none/*.yml'), join(folder, 'config.yml')).failure).toBe(
      'matches no file; write one file per account, or correct the path',
    );
  });

  it.each([
    ['', 'is empty; write a path such as accounts/*.yml'],
    ['x'.repeat(1000), undefined],
    ['x'.repeat(1001), 'is longer than 1000 characters; shorten it'],
    ['{a,b}'.repeat(6), undefined],
    ['{a,b}'.repeat(25), 'has more than 100 alternatives in braces; use *'],
  ])('is checked without looking at files', (pattern, problem) => {
    expect(validateFilePattern(pattern)).toBe(problem);
  });
});
