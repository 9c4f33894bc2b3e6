import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { Refusal } from '../refusal.ts';

/** The arguments of a call. Reading an argument of the wrong type throws a Refusal. */
export class CallArguments {
  readonly #values: JsonObject;

  constructor(values: JsonObject) {
    this.#values = values;
  }

  has(name: string): boolean {
    const value = this.#value(name);
    return value !== undefined && value !== null && value !== '';
  }

  text(name: string): string {
    const value = this.#value(name);
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new Refusal('invalid', `The parameter ${name} must be a string or a number`);
    }
    return String(value);
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  flag(name: string): boolean {
    const value = this.#value(name);
    if (value === true || value === 1 || value === '1' || value === 'true') return true;
    if (value === false || value === 0 || value === '0' || value === 'false') {
      return false;
    }
    throw new Refusal('invalid', `The parameter ${name} must be 0 or 1`);
  }

  /** A whole number of at least 1. */
  count(name: string): number {
    const count = Number(this.text(name));
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new Refusal('invalid', `The parameter ${name} must be a whole number of at least 1`);
    }
    return count;
  }

  /** Whether an optional list is missing or has no elements. */
  isEmptyList(name: string): boolean {
    const value = this.#value(name);
    return !this.has(name) || (Array.isArray(value) && value.length === 0);
  }

  /** A list of strings. Accepts a single string as a list with one element. */
  texts(name: string): readonly string[] {
    const value = this.#value(name);
    const list = typeof value === 'string' ? [value] : listOf(name, value);
    if (list.length === 0 || !list.every((item) => typeof item === 'string')) {
      throw new Refusal('invalid', `The parameter ${name} must be a list of strings`);
    }
    return list;
  }

  /** A list of objects, such as `records[0][type]=A`. */
  objects(name: string): readonly CallArguments[] {
    const list = listOf(name, this.#value(name));
    if (list.length === 0 || !list.every(isJsonObject)) {
      throw new Refusal('invalid', `The parameter ${name} must be a list such as ${name}[0][...]`);
    }
    return list.filter(isJsonObject).map((item) => new CallArguments(item));
  }

  /** An object whose values are lists of objects, as in the provider's dns/changeRecords. */
  objectsByKey(name: string): ReadonlyMap<string, readonly CallArguments[]> {
    const value = this.#value(name);
    // PHP encodes an empty object as an empty list.
    if (!isJsonObject(value) && !(Array.isArray(value) && value.length === 0)) {
      throw new Refusal('invalid', `The parameter ${name} must be an object`);
    }
    return new Map(
      Object.entries(value).map(([key, list]) => {
        const items = listOf(name, list);
        if (typeof list !== 'object' || !items.every(isJsonObject)) {
          throw new Refusal('invalid', `The parameter ${name} must have lists such as ${name}[A][0][...]`);
        }
        return [key, items.map((item) => new CallArguments(item))];
      }),
    );
  }

  #value(name: string): Json | undefined {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }
}

/** Reads a list. Forms and PHP write a list as an object with the keys 0, 1, 2 and so on. Throws a Refusal for other keys. */
function listOf(name: string, value: Json | undefined): readonly Json[] {
  if (!isJsonObject(value)) {
    return Array.isArray(value) ? value : [];
  }
  return Object.keys(value).map((_, index) => {
    const item = value[index];
    if (item === undefined) {
      throw new Refusal('invalid', `The indices of ${name} must be whole numbers from 0 on, without gaps`);
    }
    return item;
  });
}
