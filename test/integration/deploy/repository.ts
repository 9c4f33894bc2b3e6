import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The root of the checkout. */
export const repository = join(import.meta.dirname, '../../..');

/** The text of a file, by its path in the repository. */
export function readText(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

/** A YAML file, taken for what the caller says; what is wrong with that shows where it is used. */
export function readYaml<T>(path: string): T {
  return parse(readText(path)) as T;
}
