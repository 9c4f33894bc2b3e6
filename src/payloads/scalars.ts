import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';

/** How the provider of an account writes values. Configured, because responses do not say it. */
export interface Notation {
  /** Whether KB, MB and GB are powers of 1000 or of 1024. KiB, MiB and GiB are always powers of 1024. */
  readonly sizeUnits: 'decimal' | 'binary';
  /**
   * The decimal mark of numbers in texts; the other mark separates thousands. `auto` reads both as a decimal mark, and refuses a comma
   * before exactly three digits, which may be either.
   */
  readonly numberFormat: 'auto' | 'comma' | 'dot';
  /** IANA time zone of dates without a zone. */
  readonly timeZone: string;
}

/** An hour or a day in Unix milliseconds; `end` is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** Exponents of 1000 or 1024, depending on the notation. */
const unitExponents: Readonly<Record<string, number>> = {
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

/** Exponents of 1024. */
const binaryUnitExponents: Readonly<Record<string, number>> = { kib: 1, mib: 2, gib: 3, tib: 4, pib: 5 };

/** Ordinary, no-break, thin, narrow no-break and the other fixed-width spaces. */
const space = '[ \\u00a0\\u2000-\\u200a\\u202f]';

/** Separators of thousands, and decimal marks, of each number format. */
const marks: Readonly<Record<Notation['numberFormat'], { readonly thousands: string; readonly decimal: string }>> = {
  auto: { thousands: space, decimal: '[.,]' },
  comma: { thousands: `(?:${space}|\\.)`, decimal: ',' },
  dot: { thousands: `(?:${space}|,)`, decimal: '\\.' },
};

/** The provider writes "no limit" as the largest signed 32-bit number, with a unit if the limit is a size. */
const noLimit = 2_147_483_647;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const dateTimePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const noDate = new Set(['', '0', '0000-00-00', '0000-00-00 00:00:00']);

/**
 * Schemas of the single values in a response, for one notation. Their error messages quote the rejected value. Optional
 * ones read `null` and absence as undefined.
 */
export type Scalars = ReturnType<typeof createScalars>;

function createScalars(notation: Notation) {
  const base = notation.sizeUnits === 'binary' ? 1024 : 1000;
  const bytesPerUnit = new Map([
    ...Object.entries(unitExponents).map(([unit, exponent]) => [unit, base ** exponent] as const),
    ...Object.entries(binaryUnitExponents).map(([unit, exponent]) => [unit, 1024 ** exponent] as const),
  ]);

  const readAmount = amountReader(notation.numberFormat);

  /** Bytes of `"<number> <unit>"`. A number without a unit is multiplied by `defaultUnit`. */
  const sizeOf = (defaultUnit: number) =>
    textOrNumber('a size').transform((value, context) => {
      const { number, unit, isAmbiguous } = readAmount(value);
      const bytes = Math.round(
        number * (unit === '' ? defaultUnit : (bytesPerUnit.get(unit.toLowerCase()) ?? Number.NaN)),
      );
      if (!Number.isFinite(bytes) || bytes < 0) return fail(context, value, 'a size');
      return isAmbiguous ? failAmbiguous(context, value) : bytes;
    });

  /** Undefined for "no limit", which includes zero and negative values. */
  const limitOf = (amountSchema: z.ZodType<number, string | number>) =>
    textOrNumber('a limit')
      .nullish()
      .transform((value, context) => {
        if (value === null || value === undefined || isUnlimited(value)) return undefined;
        const { negative, amount } = splitSign(value);
        const { number, isAmbiguous } = readAmount(amount);
        if (isAmbiguous) return failAmbiguous(context, value);
        if (number === noLimit) return undefined;
        const parsed = amountSchema.safeParse(amount);
        if (!parsed.success) return fail(context, value, 'a limit');
        return negative || parsed.data === 0 ? undefined : parsed.data;
      });

  const number = textOrNumber('a number').transform((value, context) => {
    if (typeof value === 'number') return value;
    // Only numbers without a unit have a sign or an exponent.
    const [, sign = '', amount = '', exponent = ''] = /^([+-]?)(.*?)(e[+-]?\d+)?$/is.exec(value.trim()) ?? [];
    const { digits, unit, isAmbiguous } = readAmount(amount);
    const number = unit === '' ? Number(`${sign}${digits}${exponent}`) : Number.NaN;
    if (!Number.isFinite(number)) return fail(context, value, 'a number');
    return isAmbiguous ? failAmbiguous(context, value) : number;
  });

  const count = number.refine((value) => value >= 0, { error: (issue) => `${quote(issue.input)} is not a count` });

  const dateTime = text('a date').transform((value, context) => {
    try {
      if (!dateTimePattern.test(value) && !datePattern.test(value)) return fail(context, value, 'a date');
      return Temporal.PlainDateTime.from(value.replace(' ', 'T')).toZonedDateTime(notation.timeZone, {
        disambiguation: 'later',
      }).epochMilliseconds;
    } catch {
      return fail(context, value, 'a date');
    }
  });

  /** The hour that starts at a date with a time. */
  const hour = dateTime.transform((start): Period => ({ start, end: start + 3_600_000 }));

  /** The day of a date, which lasts 23 or 25 hours when the clocks change. */
  const day = text('a day').transform((value, context): Period => {
    try {
      if (!datePattern.test(value)) return fail(context, value, 'a day');
      const date = Temporal.PlainDate.from(value);
      const start = date.toZonedDateTime(notation.timeZone).epochMilliseconds;
      const end = date.add({ days: 1 }).toZonedDateTime(notation.timeZone).epochMilliseconds;
      return { start, end };
    } catch {
      return fail(context, value, 'a day');
    }
  });

  const megabytes = sizeOf(base ** 2);

  return {
    notation,
    timeZone: notation.timeZone,
    /** Bytes of a size; a number without a unit is in megabytes. */
    megabytes,
    /** Bytes of a size; a number without a unit is in bytes. */
    bytes: sizeOf(1),
    /** As `megabytes`; undefined for "no limit". */
    megabytesLimit: limitOf(megabytes),
    number,
    /** A number that is not negative. */
    count,
    /** As `count`; undefined for "no limit". */
    limit: limitOf(count),
    /** An id as the text of a label. */
    id: textOrNumber('an id').transform((value, context) =>
      value === '' ? fail(context, value, 'an id') : String(value).toWellFormed(),
    ),
    /** A name as the text of a label. Replaces characters that UTF-8 cannot encode, so that duplicate labels are detected. */
    name: text('a name')
      .min(1, { error: 'is empty' })
      .transform((value) => value.toWellFormed()),
    /** As `name`; undefined if absent or empty. */
    optionalName: text('a name')
      .nullish()
      .transform((value) => (value === null || value === undefined || value === '' ? undefined : value.toWellFormed())),
    flag: z.unknown().transform((value, context) => {
      if (value === true || value === 1 || value === '1') return true;
      if (value === false || value === 0 || value === '0') return false;
      return fail(context, value, 'a flag');
    }),
    /** Unix milliseconds; undefined for the values that mean "no date". */
    date: textOrNumber('a date')
      .nullish()
      .transform((value, context) => {
        if (value === null || value === undefined || noDate.has(String(value))) return undefined;
        const parsed = dateTime.safeParse(value);
        return parsed.success ? parsed.data : fail(context, value, 'a date');
      }),
    hour,
    day,
    /**
     * A list; the API may write an empty one as `{}` or `null`. Reports elements whose key follows again later as
     * duplicates, so that the last one wins with all its fields.
     */
    list: <T extends z.ZodType>(element: T, keyOf?: (element: z.output<T>) => string) => {
      const elements = z.array(element);
      const distinct = keyOf === undefined ? elements : elements.superRefine(reportDuplicates(keyOf), onlyValid);
      return z.preprocess((value) => (value === null || isEmptyObject(value) ? [] : value), distinct);
    },
    /** An object; the API may write an empty one as `[]`, as PHP does. */
    object: <T extends z.ZodType>(schema: T) =>
      z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema),
  };
}

/** The keys of invalid elements are unknown. */
const onlyValid = { when: ({ issues }: z.core.ParsePayload) => issues.length === 0 };

function reportDuplicates<T>(keyOf: (element: T) => string) {
  return (elements: readonly T[], context: z.core.$RefinementCtx): void => {
    const newest = new Map(elements.map((element, index) => [keyOf(element), index]));
    if (newest.size === elements.length) return;
    for (const [index, element] of elements.entries()) {
      if (newest.get(keyOf(element)) === index) continue;
      context.addIssue({ code: 'custom', path: [index], message: 'is a duplicate', params: { duplicate: true } });
    }
  };
}

function text(expected: string) {
  return z.string({ error: (issue) => `${quote(issue.input)} is not ${expected}` });
}

function textOrNumber(expected: string) {
  return z.union([z.string(), z.number()], { error: (issue) => `${quote(issue.input)} is not ${expected}` });
}

/** A number that is not negative, with the letters after it. The number is NaN if the text is something else. */
interface Amount {
  readonly number: number;
  /** The number in JavaScript's notation. */
  readonly digits: string;
  readonly unit: string;
  /** Whether the text is a different number in another format. */
  readonly isAmbiguous: boolean;
}

function amountReader(format: Notation['numberFormat']): (value: string | number) => Amount {
  const { thousands, decimal } = marks[format];
  const pattern = new RegExp(`^(\\d{1,3}(?:${thousands}\\d{3})+|\\d+)(?:${decimal}(\\d+))?${space}*(\\p{L}*)$`, 'u');
  return (value) => {
    if (typeof value === 'number') return { number: value, digits: String(value), unit: '', isAmbiguous: false };
    const text = value.trim();
    const [, whole, decimals = '0', unit = ''] = pattern.exec(text) ?? [];
    if (whole === undefined) return { number: Number.NaN, digits: 'NaN', unit: '', isAmbiguous: false };
    const digits = `${whole.replace(/\D/g, '')}.${decimals}`;
    return {
      number: Number(digits),
      digits,
      unit,
      isAmbiguous: format === 'auto' && /,\d{3}(?!\d)/.test(text),
    };
  };
}

function isUnlimited(value: string | number): boolean {
  return typeof value === 'string' && /^(?:unlimited|∞)$/i.test(value.trim());
}

/** Splits the sign off because only limits may be negative; sizes and counts reject a sign. */
function splitSign(value: string | number): { readonly negative: boolean; readonly amount: string | number } {
  if (typeof value === 'number') return { negative: value < 0, amount: Math.abs(value) };
  const amount = value.trim();
  return amount.startsWith('-') ? { negative: true, amount: amount.slice(1) } : { negative: false, amount };
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function failAmbiguous(context: z.core.$RefinementCtx, value: unknown): never {
  const message = `${quote(value)} is ambiguous; set number_format to dot if the comma separates thousands, or to comma if it is the decimal mark`;
  context.addIssue({ code: 'custom', input: value, message });
  return z.NEVER;
}

function fail(context: z.core.$RefinementCtx, value: unknown, expected: string): never {
  context.addIssue({ code: 'custom', input: value, message: `${quote(value)} is not ${expected}` });
  return z.NEVER;
}

/**
 * A value for an error message, or a description of a long one. Never part of a value, because redaction does not
 * recognize part of a secret.
 */
function quote(value: unknown): string {
  if (typeof value === 'string' && value.length > 60) return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value) ?? String(value);
}

const scalarsByNotation = new Map<string, Scalars>();

/** The scalars of a notation. Accounts with the same notation share them and the schemas built from them. */
export function scalarsFor(notation: Notation): Scalars {
  const { sizeUnits, numberFormat, timeZone } = notation;
  const key = `${sizeUnits} ${numberFormat} ${timeZone}`;
  const scalars = scalarsByNotation.get(key) ?? createScalars({ sizeUnits, numberFormat, timeZone });
  scalarsByNotation.set(key, scalars);
  return scalars;
}

/** Builds the schema of a payload for a notation. */
export interface PayloadSchema<S extends z.ZodType = z.ZodType> {
  (scalars: Scalars): S;
  readonly payloadName: string;
}

/**
 * Builds a payload's schema once per notation: building and the first parse take ten times as long as a later parse. The
 * metadata of the schema say how another thread can build it.
 */
export function payloadSchema<S extends z.ZodType>(name: string, create: (scalars: Scalars) => S): PayloadSchema<S> {
  const schemas = new WeakMap<Scalars, S>();
  const schemaFor = (scalars: Scalars) => {
    const { notation } = scalars;
    const schema = schemas.get(scalars) ?? create(scalars).meta({ payload: { name, notation } });
    schemas.set(scalars, schema);
    return schema;
  };
  return Object.assign(schemaFor, { payloadName: name });
}
