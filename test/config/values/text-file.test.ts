import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeReadError, readTextFileSync } from '../../../src/config/values/text-file.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const maxSize = 200_000;

function fileWith(content: string | Buffer, mode = 0o600): string {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

describe('a text file', () => {
  it.each([
    ['', ''],
    ['UTF-8', 'Веб, 2-я линия 👪\n'],
    ['of several buffers', `${'Ж'.repeat(90_000)}\n`],
  ])('has its text: %s', (_what, text) => {
    expect(readTextFileSync(fileWith(text), maxSize)).toEqual({ text, worldReadable: false });
  });

  it.each([
    [0o600, false],
    [0o640, false],
    [0o660, false],
    [0o604, true],
    [0o644, true],
    [0o602, false],
  ])('of mode %o is world-readable: %s', (mode, worldReadable) => {
    expect(readTextFileSync(fileWith('x', mode), maxSize)).toMatchObject({ worldReadable });
  });

  it('may have exactly the maximum number of bytes', () => {
    const length = (size: number) => readTextFileSync(fileWith('x'.repeat(size)), 5000);

    expect(length(5000)).toMatchObject({ text: 'x'.repeat(5000) });
    expect(length(5001)).toEqual({ failure: 'is larger than 5000 bytes; check the path' });
  });

  it.each([
    [1, 'a\xff\nb\n'],
    [2, 'a\n\xc3\nb\n'],
    [3, 'a\nb\n\xe2\x82'],
  ])('that is not UTF-8 is refused with line %i', (line, bytes) => {
    expect(readTextFileSync(fileWith(Buffer.from(bytes, 'latin1')), maxSize)).toEqual({
      failure: `is not UTF-8 text (line ${line}); save it as UTF-8, or name another file`,
    });
  });

  it('must be a regular file if it is read again later', () => {
    expect(readTextFileSync('/dev/null', maxSize)).toEqual({
      failure: 'is not a regular file; name one that can be read again',
    });
  });

  it('says why it cannot be read', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'directory'));
    writeFileSync(join(folder, 'file'), '');
    const failureOf = (name: string) => {
      const result = readTextFileSync(join(folder, name), maxSize);
      return 'failure' in result ? result.failure : undefined;
    };

    expect(failureOf('directory')).toBe('is a directory; name a file');
    expect(failureOf('missing')).toBe('does not exist; create it, or correct the path');
    expect(failureOf('file/inside')).toBe('does not exist; create it, or correct the path');
    expect(failureOf('x'.repeat(300))).toBe('cannot be read (ENAMETOOLONG); correct the path');
  });

  it('is closed, also after an error', () => {
    const paths = [fileWith('x'), fileWith('x'.repeat(5001)), fileWith(Buffer.from([0xff]))];
    readTextFileSync(paths[0] ?? '', maxSize);
    const before = openFiles();

    for (let round = 0; round < 20; round += 1) {
      for (const path of paths) readTextFileSync(path, 5000);
    }

    expect(openFiles()).toBeLessThan(before + 20);
  });
});

it('may be a pipe or device if it is read once', () => {
  expect(readTextFileSync('/dev/null', maxSize, { regularOnly: false })).toMatchObject({ text: '' });
});

describe('the reason why a file cannot be read', () => {
  it.each([
    ['EACCES', 'is not readable by this user; correct its owner or mode'],
    ['EPERM', 'is not readable by this user; correct its owner or mode'],
    ['EIO', 'cannot be read (EIO); correct the path'],
  ])('%s says what to do', (code, text) => {
    expect(describeReadError(Object.assign(new Error('x'), { code }))).toBe(text);
  });

  it('may be unknown', () => {
    expect(describeReadError('x')).toBe('cannot be read (unknown reason); correct the path');
    expect(describeReadError(new Error('x'))).toBe('cannot be read (unknown reason); correct the path');
  });
});
