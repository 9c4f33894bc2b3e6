import * as z from 'zod';
import type { KeyPath } from '../values/key-path.ts';

/** The keys that a schema allows in the mapping at a path. */
export function knownKeys(schema: unknown, path: KeyPath): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return knownKeys(schema.unwrap(), path);
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

/** The start of the path, up to the first key that is not in the schema. */
export function knownPath(schema: unknown, path: KeyPath): KeyPath {
  const unknown = path.findIndex(
    (key, depth) => typeof key !== 'number' && !knownKeys(schema, path.slice(0, depth)).includes(String(key)),
  );
  return unknown === -1 ? path : path.slice(0, unknown);
}
