import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** Replaces a list with an object, and anything else with a list. */
export function withWrongShape(payload: Json): Json {
  return Array.isArray(payload) ? { items: payload, count: payload.length } : [payload];
}

const invalidValues: Readonly<Record<string, Json>> = {
  disk_usage: '12 parsecs',
  user_quota: '12 parsecs',
  size: '12 parsecs',
  cp: 'abc',
  value: 'abc',
  cpu_time: 'abc',
  date_expire: 'the day after tomorrow',
  date: 'the day before yesterday',
  is_hidden: 'perhaps',
};

/**
 * Replaces the first occurrence of `field` with an invalid value. Without `field`, replaces the first field of `invalidValues` that
 * the payload contains. In a list of strings, replaces the first element with an object.
 */
export function withWrongType(payload: Json, field?: string): Json {
  for (const name of field === undefined ? Object.keys(invalidValues) : [field]) {
    const replaced = replaceFirst(payload, name, invalidValues[name] ?? { unexpected: true });
    if (replaced !== undefined) return replaced;
  }
  if (Array.isArray(payload)) {
    const [first, ...rest] = payload;
    return isJsonObject(first) ? [withWrongFirstField(first), ...rest] : [{ unexpected: true }, ...rest];
  }
  return isJsonObject(payload) ? withWrongFirstField(payload) : { unexpected: true };
}

function withWrongFirstField(object: JsonObject): JsonObject {
  const [first] = Object.keys(object);
  return first === undefined ? { unexpected: true } : { ...object, [first]: { unexpected: true } };
}

function replaceFirst(payload: Json, field: string, value: Json): Json | undefined {
  if (Array.isArray(payload)) {
    for (const [index, item] of payload.entries()) {
      const replaced = replaceFirst(item, field, value);
      if (replaced !== undefined) return payload.with(index, replaced);
    }
    return undefined;
  }
  if (!isJsonObject(payload)) return undefined;
  if (Object.hasOwn(payload, field)) {
    return { ...payload, [field]: value };
  }
  for (const [key, item] of Object.entries(payload)) {
    const replaced = replaceFirst(item, field, value);
    if (replaced !== undefined) {
      return { ...payload, [key]: replaced };
    }
  }
  return undefined;
}
