import { type BigIntStats, statSync } from 'node:fs';
import { describeReadError } from './text-file.ts';

/** Milliseconds in which a file can change twice without a new time stamp. */
const timestampGranularity = 2000;

/** A text that changes with each write, rename or replacement. Undefined for 2 s after a write, because another write may not change it. */
export function fileVersion(path: string): string | undefined {
  try {
    return versionOf(statSync(path, { bigint: true }));
  } catch (error) {
    return describeReadError(error);
  }
}

/** Like `fileVersion`, for a file that exists. */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs, ctimeMs }: BigIntStats): string | undefined {
  if (Math.abs(Date.now() - Number(ctimeMs)) < timestampGranularity) return undefined;
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
