import * as z from 'zod';
import type { KeyPath, Problem } from '../values/config-error.ts';
import { closest, quote } from '../values/wording.ts';
import type { ConfigDocument } from './document.ts';
import { secretKeys } from './environment.ts';

/** Describes zod's issues as problems of the document. `base`: the path to which the paths of the issues are relative. */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[] | undefined,
  document: ConfigDocument,
  schema: z.ZodType,
  base: KeyPath = [],
): readonly Problem[] {
  return (issues ?? []).flatMap((issue) => {
    const path = [...base, ...issue.path];
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.flatMap((key) =>
          document.problemAt([...path, key], describeUnknownKey(key, knownKeys(schema, path)), 'key'),
        );
      case 'invalid_union': {
        // Use the branch whose type fits the value. Branches of other types report an issue without a path.
        const matching = issue.errors.find((branch) =>
          branch.every(({ path, code }) => path.length > 0 || !['invalid_type', 'invalid_value'].includes(code)),
        );
        return matching ? describeIssues(matching, document, schema, path) : document.problemAt(path, issue.message);
      }
      case 'invalid_key':
        return document.problemAt(path, `has a key that ${issue.issues[0]?.message ?? issue.message}`, 'key');
      case 'invalid_type':
        return document.problemAt(path, issue.message);
      default:
        return document.problemAt(path, withValue(document, path, issue.message));
    }
  });
}

/** Maximum number of known keys in a message. A longer list would hide the problem. */
const maxListedKeys = 20;

/** Describes an unknown key without repeating it, because the key may be a misplaced secret, such as `password:S3CRET:`. */
function describeUnknownKey(key: string, known: readonly string[]): string {
  const beginning = known.find((one) => key.startsWith(one) && /^\W/.test(key.slice(one.length)));
  if (beginning !== undefined) return `has an unknown key that starts with "${beginning}"; write "${beginning}: value"`;
  const suggestion = closest(key, known);
  if (suggestion !== undefined) return `has an unknown key; did you mean "${suggestion}"?`;
  if (known.length === 0 || known.length > maxListedKeys) return 'has an unknown key; remove it';
  return `has an unknown key; known keys: ${[...new Set(known)].join(', ')}`;
}

const hiddenKeys: readonly unknown[] = [...secretKeys, 'base_url', 'login', 'key', 'key_file', 'basic_auth_users'];

/** Prefixes a message with the value as written. Omits values of keys that may contain secrets. */
export function withValue(document: ConfigDocument, path: KeyPath, message: string): string {
  const written = path.some((key) => hiddenKeys.includes(key)) ? undefined : document.writtenAt(path);
  return written ? `${quote(written)} ${message}` : message;
}

function knownKeys(schema: unknown, path: KeyPath): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe) return knownKeys(schema.in, path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => knownKeys(option, path));
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    return key === undefined ? Object.keys(schema.shape) : knownKeys(schema.shape[String(key)], rest);
  }
  if (schema instanceof z.ZodArray) return knownKeys(schema.element, rest);
  if (schema instanceof z.ZodRecord) return knownKeys(schema.valueType, rest);
  return [];
}

/** Returns the part of the path before the first key that is not in the schema. */
export function knownPath(schema: unknown, path: KeyPath): KeyPath {
  const unknown = path.findIndex(
    (key, depth) => typeof key !== 'number' && !knownKeys(schema, path.slice(0, depth)).includes(String(key)),
  );
  return unknown === -1 ? path : path.slice(0, unknown);
}
