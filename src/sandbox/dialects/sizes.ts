import type { Dialect } from '../../api/dialect.ts';

/** A size as a dialect prints it, and the printed (rounded) size in bytes. */
export interface PrintedSize {
  readonly text: string;
  readonly bytes: number;
}

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;
const megabyte = 1_000_000;

/** Prints a size. The specification's dialect prints decimal units ("1.25 GB"). The provider's dialect rounds up to megabytes ("1250"). */
export function printSize(bytes: number, dialect: Dialect): PrintedSize {
  return dialect === 'specification' ? printWithUnit(bytes) : printMegabytes(bytes);
}

function printWithUnit(bytes: number): PrintedSize {
  let factor = 1;
  for (const [index, unit] of units.entries()) {
    const number = Number((bytes / factor).toFixed(unit === 'B' ? 0 : 2));
    if (number < 1000 || index === units.length - 1) {
      return { text: `${number} ${unit}`, bytes: Math.round(number * factor) };
    }
    factor *= 1000;
  }
  return { text: `${bytes} B`, bytes };
}

function printMegabytes(bytes: number): PrintedSize {
  const megabytes = Math.ceil(bytes / megabyte);
  return { text: String(megabytes), bytes: megabytes * megabyte };
}
