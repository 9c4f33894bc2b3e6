import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shop } from '../src/accounts/shop.ts';
import type { Dialect } from '../src/dialect.ts';
import type { Json } from '../src/json.ts';
import { createAccountState } from '../src/state/create-account-state.ts';
import { fixedNow } from './api-caller.ts';

export type Step = readonly [method: string, parameters?: Readonly<Record<string, Json>>];

/**
 * One method of the API with arguments for all parameters, and the calls that must precede it. It succeeds in a new sandbox with the
 * account `shop` at the fixed time.
 */
export type ApiCall = readonly [...Required<Step>, before?: readonly Step[]] | Step;

const { domains, nextId } = createAccountState(shop, fixedNow, 'UTC');

/** The ids of the first domain, and of the first new site, domain, subdomain or task. */
export const ids = { domain: domains[0]?.id ?? 0, next: nextId };

/** The calls of a file of expected answers, each with the calls that precede it. Add a call to the file, then run with `--update`. */
export function callsIn(name: string): readonly ApiCall[] {
  const text = readFileSync(join(import.meta.dirname, `golden/${name}.txt`), 'utf8');
  const stepOf = ([, method = '', parameters = '']: readonly string[]): Step => [method, JSON.parse(parameters)];
  return [...text.matchAll(/^(\S+) (\{.*)((?:\n {4}after .*)*)/gm)].map((match) => {
    const [method, parameters = {}] = stepOf(match);
    return [method, parameters, [...(match[3] ?? '').matchAll(/after (\S+) (.*)/g)].map(stepOf)];
  });
}

export const apiCalls: Readonly<Record<Dialect, readonly ApiCall[]>> = {
  specification: callsIn('specification'),
  provider: callsIn('provider'),
};

/** Whether a method only reads. */
export const onlyReads = (method: string): boolean => /\/(?:get|is|check|forwardListShow)/.test(method);
