import type { Sandbox } from '../src/server.ts';
import { call, type Reply } from './api-caller.ts';
import type { ApiCall, Step } from './api-calls.ts';

/** The result of a successful call; otherwise the first error. */
export function resultOf({ json }: Reply): unknown {
  const answer = json.answer ?? json;
  return answer.status === 'success' ? answer.result : (answer.errors?.[0] ?? answer);
}

/** Makes a call of `shop` with its parameters as JSON, and returns the result or the error. */
export async function runStep(sandbox: Sandbox, [method, parameters = {}]: Step): Promise<unknown> {
  const input_data = JSON.stringify(parameters);
  return resultOf(await call(sandbox, 'shop', method, { input_format: 'json', input_data }));
}

/** Each effect of a call: what can be read now, and what is expected. */
export async function readBack(sandbox: Sandbox, { effects = [] }: ApiCall): Promise<readonly (readonly unknown[])[]> {
  const read = [];
  for (const effect of effects) {
    if (effect.length === 2) {
      const [ofAccount, expected] = effect;
      read.push([ofAccount(sandbox.account('shop')), expected]);
    } else {
      const [method, parameters, expected] = effect;
      read.push([await runStep(sandbox, [method, parameters]), expected]);
    }
  }
  return read;
}

/** All figures and settings of `shop`, to see whether a call changes any. */
export function everythingOf(sandbox: Sandbox): unknown {
  return JSON.parse(JSON.stringify(sandbox.account('shop')));
}
