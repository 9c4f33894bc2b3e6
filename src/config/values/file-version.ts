import { type BigIntStats, statSync } from 'node:fs';
import { describeReadError } from './text-file.ts';

/** Milliseconds in which a file can change twice without a new time stamp. */
const timestampGranularity = 2000;

/** A text that changes when the file is written, renamed or replaced. Undefined for two seconds after a write, because a second write in this time may not change it. */
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
