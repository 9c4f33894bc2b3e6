import { statSync } from 'node:fs';
import { describeReadError } from '../config/text-file.ts';

/** Milliseconds in which a file can change twice without a new time stamp, on file systems with coarse clocks. */
const timestampGranularity = 2000;

/**
 * A text that changes when a path leads to another file or to new content: a write, a rename and the swap of a symbolic
 * link all change it. Undefined while the file is so new that another write might leave the version unchanged.
 */
export function fileVersion(path: string): string | undefined {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(path, { bigint: true });
    if (Math.abs(Date.now() - Number(ctimeMs)) < timestampGranularity) return undefined;
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return describeReadError(error);
  }
}
