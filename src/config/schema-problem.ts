import type * as z from 'zod';
import type { Problem } from './config-error.ts';
import type { ConfigDocument } from './document.ts';
import { type KeyPath, quote } from './key-path.ts';
import { knownKeys } from './known-keys.ts';
import { closest } from './suggestion.ts';

/** Translates an issue of a schema into problems with their places and what to do. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  document: ConfigDocument,
  schema: z.ZodType,
  base: KeyPath = [],
): readonly Problem[] {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.flatMap((key) => {
        const suggestion = closest(key, knownKeys(schema, path));
        const advice = suggestion === undefined ? 'remove it' : `did you mean "${suggestion}"?`;
        return document.problemAtKey([...path, key], `unknown key; ${advice}`);
      });
    case 'invalid_union': {
      const matching = issue.errors.find((issues) => issues.every((one) => !isAboutType(one)));
      if (matching !== undefined) return matching.flatMap((one) => describeIssue(one, document, schema, path));
      return document.problemAt(path, issue.message);
    }
    case 'invalid_key':
      return document.problemAtKey(path, issue.issues[0]?.message ?? issue.message);
    case 'invalid_type':
      return document.problemAt(path, issue.message);
    default:
      return document.problemAt(path, withValue(document, path, issue.message));
  }
}

/** Whether a branch of a union is for another type of value, so that its issues do not apply. */
function isAboutType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

const hiddenKeys: readonly unknown[] = ['password', 'token', 'password_file', 'token_file', 'base_url'];

/**
 * A message with the value as written in the file, with variables unexpanded. Omits the values of keys that contain
 * secrets or may contain one by mistake.
 */
export function withValue(document: ConfigDocument, path: KeyPath, message: string): string {
  const written = hiddenKeys.includes(path.at(-1)) ? undefined : document.writtenAt(path);
  return written === undefined || written === '' ? message : `${quote(written)} ${message}`;
}
