import { renameSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fileVersion } from '../../../src/config/values/text-file.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

afterEach(() => void vi.useRealTimers());

/** A file that was written long ago. */
function writtenFile(text = 'a') {
  const folder = temporaryFolder();
  const path = join(folder, 'web.yml');
  writeFileSync(path, text);
  utimesSync(path, 1000, 1000);
  return { folder, path };
}

/** The version of a file some milliseconds after its last change. */
function versionAfter(path: string, milliseconds: number): string | undefined {
  vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(statSync(path).ctimeMs) + milliseconds });
  return fileVersion(path);
}

describe('the version of a file', () => {
  it('is unknown in the two seconds after a change, in which another change may have the same time', () => {
    const { path } = writtenFile();

    expect(versionAfter(path, 0)).toBeUndefined();
    expect(versionAfter(path, 1999)).toBeUndefined();
    expect(versionAfter(path, 2000)).toBe(versionAfter(path, 90_000));
    expect(versionAfter(path, 2000)).toMatch(/^\d+/);
  });

  it('is unknown if the change is less than two seconds in the future, and known if the clock was set back', () => {
    const { path } = writtenFile();

    expect(versionAfter(path, -1999)).toBeUndefined();
    expect(versionAfter(path, -2000)).toBe(versionAfter(path, 90_000));
  });

  it('is the same as long as nothing changes', () => {
    const { path } = writtenFile();

    expect(versionAfter(path, 5000)).toBe(versionAfter(path, 90_000));
  });

  it.each([
    ['a write of the same size', ({ path }) => writeFileSync(path, 'b')],
    ['a longer text', ({ path }) => writeFileSync(path, 'ab')],
    [
      'a rename',
      ({ folder, path }) => {
        writeFileSync(join(folder, 'new'), 'a');
        renameSync(join(folder, 'new'), path);
      },
    ],
    [
      'a symbolic link',
      ({ folder, path }) => {
        writeFileSync(join(folder, 'target'), 'a');
        unlinkSync(path);
        symlinkSync('target', path);
      },
    ],
  ] satisfies readonly (readonly [string, (file: ReturnType<typeof writtenFile>) => void])[])(
    'changes with %s',
    (_, change) => {
      const file = writtenFile();
      const before = versionAfter(file.path, 5000);

      change(file);

      expect(versionAfter(file.path, 5000)).not.toBe(before);
    },
  );

  it('of a missing file is known, and differs from the version after other failures', () => {
    const { folder, path } = writtenFile();
    unlinkSync(path);
    const missing = fileVersion(path);
    symlinkSync('web.yml', path);
    const circular = fileVersion(path);

    expect(missing).toBe(fileVersion(join(folder, 'other.yml')));
    expect([missing, circular]).toEqual([
      'does not exist; create it, or correct the path',
      'cannot be read (ELOOP); correct the path',
    ]);
  });
});
