import { shop } from '../src/accounts/shop.ts';
import type { Dialect } from '../src/dialect.ts';
import { isJsonObject, type Json } from '../src/json.ts';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { call, fixedClock, type Reply } from './api-caller.ts';
import { type ApiCall, apiCalls, onlyReads, type Step } from './api-calls.ts';

/** The result of a successful call; otherwise the first error. */
export function resultOf({ json }: Reply): unknown {
  const answer = json.answer ?? json;
  return answer.status === 'success' ? answer.result : (answer.errors?.[0] ?? answer);
}

/** Makes a call of `shop` with its parameters as JSON, and returns the result or the error. */
export async function runStep(sandbox: Sandbox, [method, parameters = {}]: Step | ApiCall): Promise<unknown> {
  const input_data = JSON.stringify(parameters);
  return resultOf(await call(sandbox, 'shop', method, { input_format: 'json', input_data }));
}

/** Starts a sandbox with the account `shop`, and makes the calls that must precede this call. */
export async function startBefore(dialect: Dialect, [, , before = []]: ApiCall): Promise<Sandbox> {
  const sandbox = await startSandbox({ dialect, accounts: [shop], clock: fixedClock, requestsPerMinute: 0 });
  for (const step of before) await runStep(sandbox, step);
  return sandbox;
}

/** All figures and settings of `shop`, to see whether a call changes any. */
export function everythingOf(sandbox: Sandbox): unknown {
  return JSON.parse(JSON.stringify(sandbox.account('shop')));
}

/** What a call returns and changes. */
export interface Outcome {
  readonly result: unknown;
  /** All figures and settings of `shop` afterwards. */
  readonly everything: unknown;
  /** The call, its result, and the lines in the answers of other methods that it adds and removes. */
  readonly text: string;
}

/** Makes a call in a new sandbox. */
export async function outcomeOf(dialect: Dialect, one: ApiCall): Promise<Outcome> {
  const [method, parameters = {}, before = []] = one;
  const sandbox = await startBefore(dialect, one);
  const earlier = onlyReads(method) ? [] : await readAll(sandbox, dialect);
  const result = await runStep(sandbox, one);
  const later = onlyReads(method) ? [] : await readAll(sandbox, dialect);
  const everything = everythingOf(sandbox);
  await sandbox.close();
  const removed = earlier.filter((line) => !later.includes(line)).map((line) => `- ${line}`);
  const added = later.filter((line) => !earlier.includes(line)).map((line) => `+ ${line}`);
  const preceding = before.map(([step, values = {}]) => `after ${step} ${JSON.stringify(values)}`);
  const head = [`${method} ${JSON.stringify(parameters)}`, ...preceding];
  const lines = [...head, ...linesOf(result as Json), ...removed, ...added];
  return { result, everything, text: `${lines.join('\n    ')}\n` };
}

/** The answers of all methods that only read, and the settings that no method returns, in lines. */
async function readAll(sandbox: Sandbox, dialect: Dialect): Promise<readonly string[]> {
  const { hidden } = sandbox.account('shop');
  const lines = linesOf({ hidden } as unknown as Json, 3);
  for (const [method, parameters] of apiCalls[dialect].filter(([name]) => onlyReads(name))) {
    const result = (await runStep(sandbox, [method, parameters ?? {}])) as Json;
    lines.push(...linesOf(result).map((line) => `${method} ${line}`));
  }
  return lines;
}

/** A line for each element of a list and each field of an object. Of long lists, the length and both ends. */
function linesOf(value: Json, depth = 1): string[] {
  const isEmpty = Object.keys(value ?? {}).length === 0;
  if (depth > 0 && !isEmpty && Array.isArray(value)) return value.map((item) => JSON.stringify(item, shortened));
  if (depth === 0 || isEmpty || !isJsonObject(value)) return [JSON.stringify(value, shortened)];
  return Object.entries(value).flatMap(([name, item]) => linesOf(item, depth - 1).map((line) => `${name}: ${line}`));
}

function shortened(_name: string, value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= 8) return value;
  return [value[0], `${value.length - 2} more`, value.at(-1)];
}
