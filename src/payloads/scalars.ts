import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';

/** How one account's provider writes its figures: settings, not part of any answer. */
export interface Notation {
  /** What KB, MB, GB mean: 1000 or 1024 based. KiB, MiB, GiB are always 1024 based. */
  readonly sizeUnits: 'decimal' | 'binary';
  /** IANA name of the zone of dates that carry none. */
  readonly timeZone: string;
}

/** The start of an hour or a day, and the moment at which it has ended. Both are unix milliseconds. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

const unitExponents: Readonly<Record<string, number>> = {
  '': 0,
  b: 0,
  byte: 0,
  bytes: 0,
  б: 0,
  байт: 0,
  k: 1,
  kb: 1,
  кб: 1,
  m: 2,
  mb: 2,
  мб: 2,
  g: 3,
  gb: 3,
  гб: 3,
  t: 4,
  tb: 4,
  тб: 4,
  p: 5,
  pb: 5,
};

const binaryUnitExponents: Readonly<Record<string, number>> = { kib: 1, mib: 2, gib: 3, tib: 4, pib: 5 };

/** Ordinary, no-break, thin and narrow no-break space, and the other fixed-width ones. */
const space = '[ \\u00a0\\u2000-\\u200a\\u202f]';
const sizePattern = new RegExp(`^((?:\\d{1,3}(?:${space}\\d{3})+|\\d+)(?:[.,]\\d+)?)${space}*(\\p{L}*)$`, 'u');
const spaces = new RegExp(space, 'g');

/** The provider's number for it is the largest signed 32-bit one. Written as a size it has a unit, too. */
const noLimitPattern = /^(?:unlimited|∞|2147483647(?:[.,]0+)?\p{L}*)$/iu;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const dateTimePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const noDate = new Set(['', '0', '0000-00-00', '0000-00-00 00:00:00']);

/**
 * Schemas of the single values that answers are made of, for one notation. Each refuses what makes no sense in a
 * sentence that names the value; each optional one reads `null` and absence as undefined.
 */
export type Scalars = ReturnType<typeof makeScalars>;

function makeScalars(notation: Notation) {
  const base = notation.sizeUnits === 'binary' ? 1024 : 1000;

  /** Bytes of `"<number> <unit>"`, or of a bare number of `bareUnit` bytes. Undefined where it is no size. */
  function parseSize(value: string | number, bareUnit: number): number | undefined {
    if (typeof value === 'number') return toBytes(value, bareUnit);
    const match = sizePattern.exec(value.trim());
    if (match === null) return undefined;
    const number = Number(match[1]?.replace(spaces, '').replace(',', '.'));
    const unit = (match[2] ?? '').toLowerCase();
    if (unit === '') return toBytes(number, bareUnit);
    const binaryExponent = binaryUnitExponents[unit];
    if (binaryExponent !== undefined) return toBytes(number, 1024 ** binaryExponent);
    const exponent = unitExponents[unit];
    return exponent === undefined ? undefined : toBytes(number, base ** exponent);
  }

  /** Unix milliseconds of a local date with time, in the notation's zone. */
  function parseDateTime(text: string): number | undefined {
    try {
      return Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(notation.timeZone, {
        disambiguation: 'later',
      }).epochMilliseconds;
    } catch {
      return undefined;
    }
  }

  const sizeOf = (bareUnit: number) =>
    textOrNumber('a size').transform((value, context) => parseSize(value, bareUnit) ?? fail(context, value, 'a size'));

  /** `undefined` for "no limit"; zero and less are no limit, too. */
  const limitOf = (limited: z.ZodType<number, string | number>) =>
    textOrNumber('a limit')
      .nullish()
      .transform((value, context) => {
        if (value === null || value === undefined || isNoLimit(value)) return undefined;
        const { negative, amount } = splitSign(value);
        const parsed = limited.safeParse(amount);
        if (!parsed.success) return fail(context, value, 'a limit');
        return negative || parsed.data === 0 ? undefined : parsed.data;
      });

  const number = textOrNumber('a number').transform((value, context) => {
    const parsed = typeof value === 'number' ? value : parseNumber(value);
    return Number.isFinite(parsed) ? parsed : fail(context, value, 'a number');
  });

  const count = number.refine((value) => value >= 0, { error: (issue) => `${shown(issue.input)} is not a count` });

  const dateTime = text('a date').transform((value, context) => {
    const time = dateTimePattern.test(value) || datePattern.test(value) ? parseDateTime(value) : undefined;
    return time ?? fail(context, value, 'a date');
  });

  /** The hour that begins at a date with time. */
  const hour = dateTime.transform((start): Period => ({ start, end: start + 3_600_000 }));

  /** The day of a date, which may last 23 or 25 hours. */
  const day = text('a day').transform((value, context): Period => {
    try {
      const date = Temporal.PlainDate.from(datePattern.test(value) ? value : 'no date');
      const start = date.toZonedDateTime(notation.timeZone).epochMilliseconds;
      const end = date.add({ days: 1 }).toZonedDateTime(notation.timeZone).epochMilliseconds;
      return { start, end };
    } catch {
      return fail(context, value, 'a day');
    }
  });

  const megabyte = base ** 2;
  const megabytes = sizeOf(megabyte);

  return {
    /** Bytes of a size with a unit; a bare number counts megabytes. */
    megabytes,
    /** Bytes of a size with a unit; a bare number counts bytes. */
    bytes: sizeOf(1),
    /** As `megabytes`; undefined for "no limit". */
    megabytesLimit: limitOf(megabytes),
    number,
    /** A number that is not negative. */
    count,
    /** As `count`; undefined for "no limit". */
    limit: limitOf(count),
    /** Label text of an id. */
    id: textOrNumber('an id').transform((value, context) =>
      value === '' ? fail(context, value, 'an id') : String(value).toWellFormed(),
    ),
    /** A name that can be a label: what UTF-8 can't carry is replaced here, so that equal labels are seen to be equal. */
    name: text('a name')
      .min(1, { error: 'is empty' })
      .transform((value) => value.toWellFormed()),
    /** As `name`; undefined where the answer leaves it out or empty. */
    optionalName: text('a name')
      .nullish()
      .transform((value) => (value === null || value === undefined || value === '' ? undefined : value.toWellFormed())),
    flag: z.unknown().transform((value, context) => {
      if (value === true || value === 1 || value === '1') return true;
      if (value === false || value === 0 || value === '0') return false;
      return fail(context, value, 'a flag');
    }),
    /** Unix milliseconds; undefined for the ways in which answers say "no date". */
    date: textOrNumber('a date')
      .nullish()
      .transform((value, context) => {
        if (value === null || value === undefined || noDate.has(String(value))) return undefined;
        const parsed = dateTime.safeParse(value);
        return parsed.success ? parsed.data : fail(context, value, 'a date');
      }),
    hour,
    day,
    /** A list, which may come as `{}` or `null` when it is empty. */
    list: <T extends z.ZodType>(element: T) =>
      z.preprocess((value) => (value === null || isEmptyObject(value) ? [] : value), z.array(element)),
  };
}

function text(expected: string) {
  return z.string({ error: (issue) => `${shown(issue.input)} is not ${expected}` });
}

function textOrNumber(expected: string) {
  return z.union([z.string(), z.number()], { error: (issue) => `${shown(issue.input)} is not ${expected}` });
}

function toBytes(number: number, unit: number): number | undefined {
  const bytes = Math.round(number * unit);
  return Number.isFinite(bytes) && bytes >= 0 ? bytes : undefined;
}

function parseNumber(text: string): number {
  const trimmed = text.trim();
  return /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
}

function isNoLimit(value: string | number): boolean {
  return noLimitPattern.test(String(value).trim().replace(spaces, ''));
}

/** Only limits may be negative, which sizes and counts refuse. */
function splitSign(value: string | number): { readonly negative: boolean; readonly amount: string | number } {
  if (typeof value === 'number') return { negative: value < 0, amount: Math.abs(value) };
  const amount = value.trim();
  return amount.startsWith('-') ? { negative: true, amount: amount.slice(1) } : { negative: false, amount };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function fail(context: z.core.$RefinementCtx, value: unknown, expected: string): never {
  context.addIssue({ code: 'custom', input: value, message: `${shown(value)} is not ${expected}` });
  return z.NEVER;
}

/**
 * A value as a message shows it: as it is, or what it is where that would be long. Never a piece of it: a piece of a
 * secret would not be known as one.
 */
function shown(value: unknown): string {
  if (typeof value === 'string' && value.length > 60) return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value) ?? String(value);
}

const known = new Map<string, Scalars>();

/** The scalars of a notation; the same ones for the same notation, since building schemas is dear. */
export function scalarsFor(notation: Notation): Scalars {
  const key = `${notation.sizeUnits} ${notation.timeZone}`;
  const scalars = known.get(key) ?? makeScalars(notation);
  known.set(key, scalars);
  return scalars;
}

/** A payload's schema, made once for each notation. */
export function payloadSchema<S extends z.ZodType>(make: (scalars: Scalars) => S): (scalars: Scalars) => S {
  const made = new WeakMap<Scalars, S>();
  return (scalars) => {
    const schema = made.get(scalars) ?? make(scalars);
    made.set(scalars, schema);
    return schema;
  };
}
