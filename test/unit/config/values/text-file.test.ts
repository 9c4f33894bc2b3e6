import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeReadError, readTextFile, readTextFileSync } from '../../../../src/config/values/text-file.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const limits = { maxSize: 200_000, regularOnly: true };

function fileWith(content: string | Buffer, mode = 0o600): string {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

describe.each([
  ['asynchronously', readTextFile],
  ['synchronously', async (path: string, { maxSize }: typeof limits) => readTextFileSync(path, maxSize)],
])('a text file that is read %s', (_how, read) => {
  it.each([
    ['', ''],
    ['UTF-8', 'Веб, 2-я линия 👪\n'],
    ['of several buffers', `${'Ж'.repeat(90_000)}\n`],
  ])('has its text: %s', async (_what, text) => {
    expect(await read(fileWith(text), limits)).toEqual({ text, worldReadable: false });
  });

  it.each([
    [0o600, false],
    [0o640, false],
    [0o660, false],
    [0o604, true],
    [0o644, true],
    [0o602, false],
  ])('of mode %o is world-readable: %s', async (mode, worldReadable) => {
    expect(await read(fileWith('x', mode), limits)).toMatchObject({ worldReadable });
  });

  it('may have as many bytes as allowed, and not one more', async () => {
    const length = (size: number) => read(fileWith('x'.repeat(size)), { ...limits, maxSize: 5000 });

    expect(await length(5000)).toMatchObject({ text: 'x'.repeat(5000) });
    expect(await length(5001)).toEqual({ failure: 'is larger than 5000 bytes; check the path' });
  });

  it.each([
    [1, 'a\xff\nb\n'],
    [2, 'a\n\xc3\nb\n'],
    [3, 'a\nb\n\xe2\x82'],
  ])('that is not UTF-8 is refused with line %i', async (line, bytes) => {
    expect(await read(fileWith(Buffer.from(bytes, 'latin1')), limits)).toEqual({
      failure: `is not UTF-8 text (line ${line}); save it as UTF-8, or name another file`,
    });
  });

  it('must be a regular file if it is read again later', async () => {
    expect(await read('/dev/null', limits)).toEqual({
      failure: 'is not a regular file; name one that can be read again',
    });
  });

  it('says why it cannot be read', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'directory'));
    writeFileSync(join(folder, 'file'), '');
    const failureOf = async (name: string) => {
      const result = await read(join(folder, name), limits);
      return 'failure' in result ? result.failure : undefined;
    };

    expect(await failureOf('directory')).toBe('is a directory; name a file');
    expect(await failureOf('missing')).toBe('does not exist; create it, or correct the path');
    expect(await failureOf('file/inside')).toBe('does not exist; create it, or correct the path');
    expect(await failureOf('x\0')).toBe('has a null character in its path; remove it');
    expect(await failureOf('x'.repeat(300))).toBe('cannot be read (ENAMETOOLONG); correct the path');
  });

  it('is closed, also after an error', async () => {
    const paths = [fileWith('x'), fileWith('x'.repeat(5001)), fileWith(Buffer.from([0xff]))];
    await read(paths[0] ?? '', limits);
    const before = openFiles();

    for (let round = 0; round < 20; round += 1) {
      for (const path of paths) await read(path, { ...limits, maxSize: 5000 });
    }

    expect(openFiles()).toBeLessThan(before + 20);
  });
});

describe('a text file that is read once', () => {
  it('may be a device', async () => {
    expect(await readTextFile('/dev/null', { ...limits, regularOnly: false })).toMatchObject({ text: '' });
  });

  it('is no endless device, of which it reads one byte more than allowed', async () => {
    expect(await readTextFile('/dev/zero', { maxSize: 70_000, regularOnly: false })).toEqual({
      failure: 'is larger than 70000 bytes; check the path',
    });
  });
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
