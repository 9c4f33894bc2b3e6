import type { FastifyInstance } from 'fastify';
import type { ApiContext } from './answer.ts';
import { type Fault, faultKinds, isFaultKind } from './faults/fault.ts';
import type { HostingAccount } from './hosting-account.ts';
import { isJsonObject, type Json } from './json.ts';
import { methodsOf } from './methods/list.ts';

interface ControlOptions {
  readonly context: ApiContext;
  readonly accounts: readonly HostingAccount[];
  /** The options of the sandbox. */
  readonly settings: Readonly<Record<string, Json>>;
}

/** Adds the control API, which is not part of the hosting API. */
export function addControlRoutes(server: FastifyInstance, { context, accounts, settings }: ControlOptions): void {
  const { faults, calls } = context;

  server.get('/sandbox', () => ({
    ...settings,
    accounts: accounts.map(({ login, password, token, plan }) => ({ login, password, token, plan })),
    faults: faults.all,
    kinds: faultKinds,
  }));

  server.get('/sandbox/methods', () =>
    [...methodsOf(context.dialect)].map(([path, { purpose, parameters = [] }]) => ({ path, purpose, parameters })),
  );

  server.get('/sandbox/calls', () => calls.all);

  server.get('/sandbox/faults', () => faults.all);

  server.post('/sandbox/faults', (request, reply) => {
    const fault = readFault(request.body, accounts);
    if (typeof fault === 'string') {
      return reply.code(400).send({ error: fault });
    }
    faults.set(fault);
    return reply.code(201).send(faults.all);
  });

  server.delete('/sandbox/faults', (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });

  // Target of the fault `redirect`. The call log shows each client that follows it.
  server.all('/sandbox/redirected', (request) => {
    calls.add({ time: Date.now(), login: undefined, method: request.url.slice(1), outcome: 'followed_redirect' });
    return { status: 'success', result: {} };
  });
}

/** Returns the fault, or the error message if the body is invalid. */
function readFault(body: unknown, accounts: readonly HostingAccount[]): Fault | string {
  const fields = typeof body === 'string' ? readFields(body) : body;
  if (!isJsonObject(fields)) {
    return 'Send a fault as JSON or as a form, for example kind=reset&login=shop&times=3';
  }
  const { kind, login, method, times, latency, field, retryAfter } = fields;
  if (typeof kind !== 'string' || !isFaultKind(kind)) {
    const problem = kind === undefined ? 'kind is missing' : `Unknown kind ${JSON.stringify(kind)}`;
    return `${problem}. Valid kinds: ${Object.keys(faultKinds).join(', ')}`;
  }
  if (login !== undefined && !accounts.some((account) => account.login === login)) {
    return `Unknown login ${JSON.stringify(login)}. Valid logins: ${accounts.map((account) => account.login).join(', ')}`;
  }
  const numbers = { times: readCount(times), latency: readCount(latency), retryAfter: readCount(retryAfter) };
  const wrong = Object.entries(numbers).find(([, value]) => value === 'wrong');
  if (wrong !== undefined) {
    return `${wrong[0]} must be a whole number of at least 0`;
  }
  return {
    kind,
    login: readText(login),
    method: readText(method),
    field: readText(field),
    times: numberOrNone(numbers.times),
    latency: numberOrNone(numbers.latency),
    retryAfter: numberOrNone(numbers.retryAfter),
  };
}

function readFields(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

function readText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readCount(value: Json | undefined): number | 'wrong' | undefined {
  if (value === undefined || value === null) {
    return undefined;
  }
  const count = Number(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : 'wrong';
}

function numberOrNone(value: number | 'wrong' | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
