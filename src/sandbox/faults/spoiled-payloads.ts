import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** A list where an object or a scalar is due, an object where a list is. */
export function misshape(payload: Json): Json {
  return Array.isArray(payload) ? { items: payload, count: payload.length } : [payload];
}

const nonsense: Readonly<Record<string, Json>> = {
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
 * The payload with nonsense in one field, wherever that field is first found: `field`, or else the most telling one it has. A list
 * of bare texts gets an object as its first item.
 */
export function mistype(payload: Json, field?: string): Json {
  for (const name of field === undefined ? Object.keys(nonsense) : [field]) {
    const spoiled = replaceFirst(payload, name, nonsense[name] ?? { unexpected: true });
    if (spoiled !== undefined) {
      return spoiled;
    }
  }
  if (Array.isArray(payload)) {
    const [first, ...rest] = payload;
    return isJsonObject(first) ? [mistypeAny(first), ...rest] : [{ unexpected: true }, ...rest];
  }
  return isJsonObject(payload) ? mistypeAny(payload) : { unexpected: true };
}

function mistypeAny(object: JsonObject): JsonObject {
  const [first] = Object.keys(object);
  return first === undefined ? { unexpected: true } : { ...object, [first]: { unexpected: true } };
}

function replaceFirst(payload: Json, field: string, value: Json): Json | undefined {
  if (Array.isArray(payload)) {
    for (const [index, item] of payload.entries()) {
      const replaced = replaceFirst(item, field, value);
      if (replaced !== undefined) {
        return payload.with(index, replaced);
      }
    }
    return undefined;
  }
  if (!isJsonObject(payload)) {
    return undefined;
  }
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
