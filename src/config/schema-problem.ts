import type * as z from 'zod';
import type { Problem } from './config-error.ts';
import type { ConfigDocument } from './document.ts';
import { type KeyPath, quote } from './key-path.ts';
import { knownKeys } from './known-keys.ts';
import { closest } from './suggestion.ts';

/** What a schema says of a document, in our words: where, and what to do. */
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
      const likeliest = issue.errors.find((issues) => issues.every((one) => !isAboutType(one)));
      if (likeliest !== undefined) return likeliest.flatMap((one) => describeIssue(one, document, schema, path));
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

/** Of a union, the branch for another type of value: its complaints are beside the point. */
function isAboutType(issue: z.core.$ZodIssue): boolean {
  return issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

const unshown: readonly unknown[] = ['password', 'token', 'password_file', 'token_file', 'base_url'];

/**
 * A message with the value as it stands in the file, its variables unexpanded. Secrets are not shown, nor the keys in
 * which people put secrets by mistake.
 */
export function withValue(document: ConfigDocument, path: KeyPath, message: string): string {
  const written = unshown.includes(path.at(-1)) ? undefined : document.writtenAt(path);
  return written === undefined || written === '' ? message : `${quote(written)} ${message}`;
}
