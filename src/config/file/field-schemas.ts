import * as z from 'zod';
import { formatDuration, parseDuration } from '../values/duration.ts';

// Messages of these schemas follow the key and its value: `api.timeout: "30 sec" is not a duration; write …`.

type Note = {
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly examples?: readonly unknown[];
  /** The name of the type in the documentation, if "text" is too general. */
  readonly title?: string;
  /** A pattern for editors. The pattern must also match `${NAME}`. */
  readonly pattern?: string;
};

type Validator = (text: string) => string | undefined;

export function text(validate: Validator, note: Note) {
  return z
    .string({ error: ({ input }) => describeNonText(input, validate) })
    .check((context) => {
      const message = validate(context.value);
      if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
    })
    .meta(note);
}

/** Describes a value that is not text. Suggests quotes only if the value would be valid with them. */
function describeNonText(input: unknown, validate: Validator): string {
  if (input === undefined) return 'is missing';
  if (input === null) return emptyValue;
  if (typeof input === 'object') return 'is not text; write a single value';
  return validate(String(input)) ?? 'is not text; put it in quotes';
}

const emptyValue = 'is empty; write a value, or remove the key';

export function nonEmptyText(note: Note) {
  return text((value) => (value === '' ? emptyValue : undefined), note);
}

export function path(note: Note) {
  return nonEmptyText({ title: 'path', ...note });
}

/** A duration from `from` to `to` milliseconds. */
export function duration(from: number, to: number, note: Note) {
  const range = `from ${formatDuration(from)} to ${formatDuration(to)}`;
  const validate: Validator = (value) => {
    const milliseconds = parseDuration(value);
    if (Number.isNaN(milliseconds))
      return 'is not a duration; write a whole number and s, m, h or d, such as 30s or 1h';
    return milliseconds < from || milliseconds > to ? `is out of range; write a duration ${range}` : undefined;
  };
  return text(validate, { title: `duration ${range}`, pattern: '^(\\d+[smhd]|.*\\$\\{.*)$', ...note });
}

export function wholeNumber(from: number, to: number, note: Note) {
  const range = `from ${from} to ${to}`;
  return z
    .int({ error: `is not a whole number; write one ${range}, without quotes` })
    .min(from, { error: `is too small; write a whole number ${range}` })
    .max(to, { error: `is too large; write a whole number ${range}` })
    .meta(note);
}

export function choice<const Choices extends readonly [string, ...string[]]>(choices: Choices, note: Note) {
  return z.enum(choices, { error: `is not one of ${choices.join(', ')}; write one of them` }).meta(note);
}

export function oneOrMore(element: z.ZodString, error: string, errorIfEmpty: string, note: Note) {
  const list = z.array(element).min(1, { error: errorIfEmpty });
  return z.union([element, list], { error }).meta(note);
}

export function mapping<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.input === undefined ? 'is missing' : 'is not a mapping; write lines of "key: value"'),
  });
}

/** A part of the file that may be empty. For example, all its lines may be commented out. */
export function section<S extends z.ZodType>(schema: S, description: string, example: object) {
  return schema.nullish().meta({ description, examples: [example] });
}
