import { type BigIntStats, statSync } from 'node:fs';
import { describeReadError } from './text-file.ts';

/** If a file changes twice within this number of milliseconds, both changes may have the same time stamp. */
const timestampGranularity = 2000;

/** A text that changes with each write, rename or replacement. Undefined for 2 s after a write: a second write may not change the text. */
export function fileVersion(path: string): string | undefined {
  try {
    return versionOf(statSync(path, { bigint: true }));
  } catch (error) {
    return describeReadError(error);
  }
}

/** Computes `fileVersion` from the status of the file. */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs, ctimeMs }: BigIntStats): string | undefined {
  if (Math.abs(Date.now() - Number(ctimeMs)) < timestampGranularity) return undefined;
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
