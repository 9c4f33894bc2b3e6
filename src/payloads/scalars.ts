import { domainToUnicode } from 'node:url';
import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';

/** How the provider of an account writes values. The notation is configured, because responses do not contain it. */
export interface Notation {
  /** `decimal`: KB, MB and GB are powers of 1000. `binary`: powers of 1024. KiB, MiB and GiB are always powers of 1024. */
  readonly sizeUnits: 'decimal' | 'binary';
  /** The decimal mark; the other mark or a space separates thousands. With `auto`, both are decimal marks; ambiguous commas are refused. */
  readonly numberFormat: 'auto' | 'comma' | 'dot';
  /** IANA time zone of dates without a zone. */
  readonly timeZone: string;
}

/** An hour or a day in Unix milliseconds; `end` is exclusive. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** The letters of units, in Latin and in Cyrillic. The letter at index `i` means 1000 or 1024 to the power `i + 1`. */
const unitLetters = ['kmgtpe', 'кмгтпэ'];

/** Matches a word for bytes, such as `bytes`, or a larger unit, such as `K`, `KB` or `KiB`. */
const unitPattern = /^(?:b|bytes?|б|байт|байта|байтов|([a-zа-э])(?:([iи]?)[bб])?)$/iu;

/** Matches a tab, or an ordinary, no-break, narrow no-break or fixed-width space. */
const space = '[ \\t\\u00a0\\u2000-\\u200a\\u202f]';

const marks = {
  auto: { thousands: [space], decimal: '[.,]' },
  comma: { thousands: [space, '\\.'], decimal: ',' },
  dot: { thousands: [space, ','], decimal: '\\.' },
};

/** The number that the provider sends for "no limit". In a size, a unit may follow the number, as in `2147483647 MB`. */
export const noLimit = 2_147_483_647;

const datePattern = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;
const noDate = new Set(['', '0', '0000-00-00', '0000-00-00 00:00:00']);

/** Schemas of single values. Errors quote the rejected value. Optional schemas read null and missing values as undefined. */
export type Scalars = ReturnType<typeof createScalars>;

function createScalars(notation: Notation) {
  const base = notation.sizeUnits === 'binary' ? 1024 : 1000;
  /** The number of bytes in a unit, such as `MB`; NaN for an unknown unit. */
  const bytesOf = (unit: string) => {
    const [known, letter = '', binary = ''] = unitPattern.exec(unit.toLowerCase()) ?? [];
    const exponent = Math.max(...unitLetters.map((letters) => letters.indexOf(letter)));
    if (known === undefined || exponent < 0) return Number.NaN;
    return letter === '' ? 1 : (binary === '' ? base : 1024) ** (exponent + 1);
  };

  const readAmount = amountReader(notation.numberFormat);

  /** Reads a size, such as `1.5 GB`, and returns it in bytes. Multiplies a number without a unit by `defaultUnit`. */
  const sizeOf = (defaultUnit: number) =>
    textOrNumber('a size').transform((value, context) => {
      const { number, unit, isAmbiguous } = readAmount(value);
      const bytes = Math.round(number * (unit === '' ? defaultUnit : bytesOf(unit)));
      if (!Number.isFinite(bytes) || bytes < 0) return fail(context, value, 'is not a size');
      return isAmbiguous ? fail(context, value, ambiguous) : bytes;
    });

  /** Reads a limit; undefined for "no limit", which includes zero and negative values. */
  const limitOf = (amountSchema: z.ZodType<number, string | number>) =>
    textOrNumber('a limit')
      .nullish()
      .transform((value, context) => {
        const text = String(value ?? 'unlimited').trim();
        if (/^(?:unlimited|∞)$/i.test(text)) return undefined;
        const amount = text.replace(/^-/, '');
        const { number, isAmbiguous } = readAmount(amount);
        if (isAmbiguous) return fail(context, value, ambiguous);
        if (number === noLimit) return undefined;
        const parsed = amountSchema.safeParse(amount);
        if (!parsed.success) return fail(context, value, 'is not a limit');
        return amount !== text || parsed.data === 0 ? undefined : parsed.data;
      });

  const number = textOrNumber('a number').transform((value, context) => {
    if (typeof value === 'number') return value;
    // Read the sign and the exponent here, because numbers with a unit have neither.
    const [, sign = '', amount = '', exponent = ''] = /^([+-]?)(.*?)(e[+-]?\d+)?$/is.exec(value.trim()) ?? [];
    const { digits, unit, isAmbiguous } = readAmount(amount);
    const number = unit === '' ? Number(`${sign}${digits}${exponent}`) : Number.NaN;
    if (!Number.isFinite(number)) return fail(context, value, 'is not a number');
    return isAmbiguous ? fail(context, value, ambiguous) : number;
  });

  const count = number.pipe(z.number().min(0, { error: (issue) => `${quote(issue.input)} is not a count` }));

  const dateTime = text('a date').transform((value, context) => {
    try {
      if (!datePattern.test(value)) return fail(context, value, 'is not a date');
      return Temporal.PlainDateTime.from(value.replace(' ', 'T')).toZonedDateTime(notation.timeZone, {
        disambiguation: 'later',
      }).epochMilliseconds;
    } catch {
      return fail(context, value, 'is not a date');
    }
  });

  const hour = dateTime.transform((start): Period => ({ start, end: start + 3_600_000 }));

  /** Converts a date to the period of its day. A day on which the clocks change lasts 23 or 25 hours. */
  const day = z.iso.date({ error: (issue) => `${quote(issue.input)} is not a day` }).transform((value): Period => {
    const date = Temporal.PlainDate.from(value);
    const start = date.toZonedDateTime(notation.timeZone).epochMilliseconds;
    const end = date.add({ days: 1 }).toZonedDateTime(notation.timeZone).epochMilliseconds;
    return { start, end };
  });

  const megabytes = sizeOf(base ** 2);

  /** A name for a label. Replaces characters that UTF-8 cannot encode, so that names that are equal on the page are equal here too. */
  const name = text('a name')
    .min(1, { error: 'is empty' })
    .transform((value) => value.toWellFormed());

  return {
    timeZone: notation.timeZone,
    /** Reads a size and returns it in bytes. If the size has no unit, it is in megabytes. */
    megabytes,
    /** Reads a size and returns it in bytes. If the size has no unit, it is in mebibytes. */
    mebibytes: sizeOf(1024 ** 2),
    bytes: sizeOf(1),
    /** Like `megabytes`; undefined for "no limit". */
    megabytesLimit: limitOf(megabytes),
    number,
    count,
    /** Like `count`; undefined for "no limit". */
    limit: limitOf(count),
    id: textOrNumber('an id').transform((value, context) => {
      // JavaScript rounds a number of this size, which may make two ids equal.
      const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
      return value === '' || isRounded ? fail(context, value, 'is not an id') : String(value).toWellFormed();
    }),
    name,
    /** The name of a domain in lower case without a dot at the end, because the API may write the same name in other ways. */
    domain: name.transform((value) => value.toLowerCase().replace(/(?<=.)\.$/, '')),
    /** Like `name`; undefined if absent or empty. */
    optionalName: text('a name')
      .nullish()
      .transform((value) => (value === null || value === undefined || value === '' ? undefined : value.toWellFormed())),
    flag: z.unknown().transform((value, context) => {
      if (value === true || value === 1 || value === '1') return true;
      if (value === false || value === 0 || value === '0') return false;
      return fail(context, value, 'is not a flag');
    }),
    /** Unix milliseconds; undefined for the values that mean "no date". */
    date: textOrNumber('a date')
      .nullish()
      .transform((value, context) => {
        if (value === null || value === undefined || noDate.has(String(value))) return undefined;
        const parsed = dateTime.safeParse(value);
        return parsed.success ? parsed.data : fail(context, value, 'is not a date');
      }),
    hour,
    day,
    /** A list; the API may write an empty list as `{}`. If elements have equal keys, the last element wins. */
    list: <T extends z.ZodType>(element: T, keyOf?: (element: z.output<T>) => string) => {
      const elements = z.array(element);
      const distinct = keyOf && elements.transform((all) => [...new Map(all.map((one) => [keyOf(one), one])).values()]);
      return z.preprocess((value) => {
        const isEmptyObject =
          typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
        return isEmptyObject ? [] : value;
      }, distinct ?? elements);
    },
    /** An object; the API may write an empty object as `[]`, as PHP does. */
    object: <T extends z.ZodType>(schema: T) =>
      z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema),
  };
}

/** The key of a domain: the same in Unicode and in punycode. */
export function domainKey({ fqdn }: { readonly fqdn: string }): string {
  return fqdn.includes('xn--') ? domainToUnicode(fqdn) || fqdn : fqdn;
}

const expecting = (expected: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing' : `${quote(input)} is not ${expected}`,
});
const text = (expected: string) => z.string(expecting(expected));
const textOrNumber = (expected: string) => z.union([z.string(), z.number()], expecting(expected));

/**
 * Returns a function that reads an unsigned number and its unit. `number` is NaN if the text is not a number with an optional unit.
 * `digits`: the number in JavaScript's notation. `isAmbiguous`: whether the text would be a different number in another number format.
 */
function amountReader(format: Notation['numberFormat']) {
  const { thousands, decimal } = marks[format];
  // A number with separators does not start with 0. The same separator precedes each group of three digits.
  const grouped = thousands.map((separator) => `[1-9]\\d{0,2}(?:${separator}\\d{3})+`);
  const pattern = new RegExp(`^(${[...grouped, '\\d+'].join('|')})(?:${decimal}(\\d+))?${space}*(\\p{L}*)$`, 'u');
  return (value: string | number) => {
    if (typeof value === 'number') return { number: value, digits: String(value), unit: '', isAmbiguous: false };
    const text = value.trim();
    const [, whole, decimals = '0', unit = ''] = pattern.exec(text) ?? [];
    if (whole === undefined) return { number: Number.NaN, digits: 'NaN', unit: '', isAmbiguous: false };
    const digits = `${whole.replace(/\D/g, '')}.${decimals}`;
    const isAmbiguous = format === 'auto' && /^[1-9]\d{0,2},\d{3}(?!\d)/.test(text);
    return { number: Number(digits), digits, unit, isAmbiguous };
  };
}

/** The issue of a required field that is missing or null. The payload keeps its other fields. */
export function missing(name: string) {
  return { code: 'custom' as const, path: [name], message: 'is missing', params: { missing: true } };
}

const ambiguous =
  'is ambiguous; set number_format to dot if the comma separates thousands, or to comma if it is the decimal mark';

function fail(context: z.core.$RefinementCtx, value: unknown, problem: string): never {
  context.addIssue({ code: 'custom', input: value, message: `${quote(value)} ${problem}` });
  return z.NEVER;
}

/** Quotes a value for an error message. Omits a long text, because redaction might not recognize a shortened secret. */
function quote(value: unknown): string {
  if (typeof value === 'string' && value.length > 60) return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value) ?? String(value);
}

export type PayloadSchema<Payload = unknown> = (notation: Notation) => z.ZodType<Payload>;

/** Creates a schema once per notation, because creation and the first parse take ten times as long as a later parse. */
export function payloadSchema<Payload>(create: (scalars: Scalars) => z.ZodType<Payload>): PayloadSchema<Payload> {
  const schemas = new Map<string, z.ZodType<Payload>>();
  return ({ sizeUnits, numberFormat, timeZone }) => {
    const key = `${sizeUnits} ${numberFormat} ${timeZone}`;
    const schema = schemas.get(key) ?? create(createScalars({ sizeUnits, numberFormat, timeZone }));
    schemas.set(key, schema);
    return schema;
  };
}
