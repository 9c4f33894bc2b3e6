import fastify from 'fastify';
import type { Dialect } from '../api/dialect.ts';
import type { AccountSeed } from './accounts/account-seed.ts';
import { demoAccounts } from './accounts/demo-accounts.ts';
import { type ApiContext, createApi } from './answer.ts';
import { CallLog, type LoggedCall } from './call-log.ts';
import { addControlRoutes } from './control.ts';
import { deliver } from './faults/delivery.ts';
import type { Fault } from './faults/fault.ts';
import { FaultList } from './faults/fault-list.ts';
import { createHostingAccount, type HostingAccount } from './hosting-account.ts';
import { RateLimit } from './rate-limit.ts';
import { readRequest } from './request.ts';
import { createAccountState } from './state/create-account-state.ts';
import { type Clock, createTimeline } from './time/timeline.ts';

export interface SandboxOptions {
  /** Default: specification. */
  readonly dialect?: Dialect | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** Default: the demo accounts. Logins and tokens must be unique. */
  readonly accounts?: readonly AccountSeed[] | undefined;
  /** Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Factor by which simulated time runs faster than the clock; dates follow the clock. Default: 1. */
  readonly speed?: number | undefined;
  /** IANA name of the time zone of printed dates. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** Calls per account in any 60 seconds; 0 means no limit. Default: 60. */
  readonly requestsPerMinute?: number | undefined;
}

/** A running sandbox. */
export interface Sandbox {
  /** Base URL of the API: `http://127.0.0.1:PORT/api`. */
  readonly baseUrl: string;
  /** URL of the control API: `http://127.0.0.1:PORT/sandbox`. */
  readonly controlUrl: string;
  readonly accounts: readonly HostingAccount[];
  /** The newest 10 000 API calls, oldest first. */
  readonly calls: readonly LoggedCall[];
  /** Throws an Error for an unknown login. */
  account(login: string): HostingAccount;
  /** Replaces an older fault with the same login and method. Throws an Error for an unknown login. */
  setFault(fault: Fault): void;
  clearFaults(): void;
  /** Closes every connection, including stalled ones. */
  close(): Promise<void>;
}

/** Rejects if the port is in use or an option is invalid. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { dialect = 'specification', port = 0, speed = 1 } = options;
  const { accounts: seeds = demoAccounts, clock = Date, timeZone = 'UTC', requestsPerMinute = 60 } = options;
  const duplicate = seeds.find((seed, index) => seeds.findIndex((other) => other.login === seed.login) !== index);
  if (duplicate !== undefined) {
    throw new Error(`Two accounts of the sandbox have the login ${duplicate.login}.`);
  }
  const timeline = createTimeline(clock, speed);
  const states = seeds.map((seed) => createAccountState(seed, timeline.start, timeZone));
  const accounts = states.map((state) => createHostingAccount(state, dialect, timeline));
  const context: ApiContext = {
    dialect,
    timeline,
    accounts: new Map(states.map((state) => [state.login, state])),
    faults: new FaultList(),
    calls: new CallLog(),
    rateLimit: new RateLimit(requestsPerMinute),
  };
  const answerCall = createApi(context);

  const server = fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.all<{ Params: { '*': string } }>('/api/*', async (request, reply) => {
    const query = request.url.indexOf('?');
    const { answer, fault } = answerCall(
      readRequest({
        httpMethod: request.method,
        path: request.params['*'],
        query: query < 0 ? '' : request.url.slice(query + 1),
        body: typeof request.body === 'string' ? request.body : undefined,
        authorization: request.headers.authorization,
      }),
    );
    await deliver(reply, answer, fault, `${origin}/sandbox/redirected`);
    return reply;
  });
  addControlRoutes(server, { context, accounts, settings: { dialect, speed, timeZone, requestsPerMinute } });
  const origin = await server.listen({ host: '127.0.0.1', port });

  function account(login: string): HostingAccount {
    const found = accounts.find((candidate) => candidate.login === login);
    if (found === undefined) {
      throw new Error(`The sandbox has no account ${login}; it has ${seeds.map((seed) => seed.login).join(', ')}.`);
    }
    return found;
  }

  function setFault(fault: Fault): void {
    if (fault.login !== undefined) {
      account(fault.login);
    }
    context.faults.set(fault);
  }

  return {
    baseUrl: `${origin}/api`,
    controlUrl: `${origin}/sandbox`,
    accounts,
    get calls() {
      return context.calls.all;
    },
    account,
    setFault,
    clearFaults: () => context.faults.clear(),
    close: () => server.close(),
  };
}
