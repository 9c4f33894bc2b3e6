import type { FastifyInstance } from 'fastify';
import type { ApiContext } from './answer.ts';
import { type Fault, faultKinds, isFaultKind } from './faults/fault.ts';
import type { HostingAccount } from './hosting-account.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import { methodsOf } from './methods/list.ts';

interface ControlOptions {
  readonly context: ApiContext;
  readonly accounts: readonly HostingAccount[];
  /** The settings that GET /sandbox shows. */
  readonly settings: Readonly<Record<string, Json>>;
}

/** Adds the control API, which is not part of the hosting API. */
export function addControlRoutes(server: FastifyInstance, { context, accounts, settings }: ControlOptions): void {
  const { faults, calls } = context;

  // Refuse requests with the header Origin: a web page could make a browser send requests here. Only browsers send this header.
  server.addHook('onRequest', async ({ routeOptions, headers: { origin } }, reply) => {
    if (origin === undefined || routeOptions.url?.startsWith('/sandbox') !== true) return;
    await reply.code(403).send({ error: 'Requests of web pages are refused. Use a program such as curl.' });
  });

  server.get('/sandbox', () => ({
    ...settings,
    accounts: accounts.map(({ login, password, mainPassword, token, plan }) => ({
      login,
      password,
      mainPassword,
      token,
      plan,
    })),
    permissions: permissionsOf(accounts),
    faults: faults.all,
    kinds: faultKinds,
  }));

  server.get('/sandbox/methods', () =>
    [...methodsOf(context.dialect)].map(([path, { purpose, parameters }]) => ({ path, purpose, parameters })),
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

  server.get('/sandbox/permissions', () => permissionsOf(accounts));

  server.post('/sandbox/permissions', (request, reply) => {
    const error = changePermission(request.body, accounts);
    return error === undefined ? permissionsOf(accounts) : reply.code(400).send({ error });
  });

  server.delete('/sandbox/permissions', (_request, reply) => {
    for (const account of accounts) account.permitAll();
    return reply.code(204).send();
  });

  // Target of the fault `redirect`. The call log shows each request that follows the redirect.
  server.all('/sandbox/redirected', (request) => {
    calls.add({ time: Date.now(), login: undefined, method: request.url.slice(1), outcome: 'followed_redirect' });
    return { status: 'success', result: {} };
  });
}

const countNames = ['times', 'latency', 'retryAfter', 'seconds'] as const;

/** Returns the fault, or the error message if the body is invalid. */
function readFault(body: unknown, accounts: readonly HostingAccount[]): Fault | string {
  const fields = readFields(
    body,
    accounts,
    'Send a fault as JSON or as a form, for example kind=reset&login=shop&times=3',
  );
  if (typeof fields === 'string') return fields;
  const { kind, login, method, field } = fields;
  if (typeof kind !== 'string' || !isFaultKind(kind)) {
    const problem = kind === undefined ? 'kind is missing' : `Unknown kind ${JSON.stringify(kind)}`;
    return `${problem}. Valid kinds: ${Object.keys(faultKinds).join(', ')}`;
  }
  const counts: Partial<Record<(typeof countNames)[number], number>> = {};
  for (const name of countNames) {
    const value = fields[name];
    if (value === undefined || value === null) continue;
    const count = Number(value);
    if (!Number.isSafeInteger(count) || count < 0) return `${name} must be a whole number of at least 0`;
    counts[name] = count;
  }
  return { kind, login: readText(login), method: readText(method), field: readText(field), ...counts };
}

function permissionsOf(accounts: readonly HostingAccount[]): readonly Json[] {
  return accounts.map(({ login, forbidden }) => ({ login, forbidden }));
}

/** Permits or forbids the method or section in the body. Returns the error message if the body is invalid. */
function changePermission(body: unknown, accounts: readonly HostingAccount[]): string | undefined {
  const example = 'login=shop&method=mysql/getList&permitted=0';
  const fields = readFields(body, accounts, `Send a permission as JSON or as a form, for example ${example}`);
  if (typeof fields === 'string') return fields;
  const { login, method, permitted } = fields;
  if (typeof method !== 'string') {
    return 'method is missing: a method such as mysql/getList, or a section such as mysql';
  }
  const isOn = ['1', 1, true].some((on) => on === permitted);
  if (!isOn && !['0', 0, false].some((off) => off === permitted)) return 'permitted must be 0 or 1';
  try {
    for (const account of accounts.filter((one) => login === undefined || one.login === login)) {
      if (isOn) account.permit(method);
      else account.forbid(method);
    }
    return undefined;
  } catch (error) {
    return `${error instanceof Error ? error.message : error}. GET /sandbox/methods lists the methods`;
  }
}

/** Reads the fields of a body that is JSON or a form. Returns the error message if the body is invalid or names an unknown login. */
function readFields(body: unknown, accounts: readonly HostingAccount[], problem: string): JsonObject | string {
  const fields = typeof body === 'string' ? parseFields(body) : body;
  if (!isJsonObject(fields)) return problem;
  const { login } = fields;
  if (login === undefined || accounts.some((account) => account.login === login)) return fields;
  return `Unknown login ${JSON.stringify(login)}. Valid logins: ${accounts.map((account) => account.login).join(', ')}`;
}

function parseFields(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

function readText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
