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
  /** Whose words the API speaks; the specification's where left out. */
  readonly dialect?: Dialect | undefined;
  /** 0 or nothing takes any free port. */
  readonly port?: number | undefined;
  /** The accounts of the demo where left out. Logins and tokens must differ. */
  readonly accounts?: readonly AccountSeed[] | undefined;
  /** Unix milliseconds; the machine's clock where left out. */
  readonly clock?: Clock | undefined;
  /** How many times as fast figures live since the start; dates stay those of the clock. 1 where left out. */
  readonly speed?: number | undefined;
  /** IANA name of the zone that dates are written in; UTC where left out. */
  readonly timeZone?: string | undefined;
  /** Calls that an account may make in any 60 seconds; 60 where left out, 0 is no limit. */
  readonly requestsPerMinute?: number | undefined;
}

/** A running stand-in of the API. */
export interface Sandbox {
  /** Where the API is: `http://127.0.0.1:PORT/api`. */
  readonly baseUrl: string;
  /** Where a running sandbox can be played with: `http://127.0.0.1:PORT/sandbox`. */
  readonly controlUrl: string;
  readonly accounts: readonly HostingAccount[];
  /** Every call of the API, oldest first, the newest 10 000. */
  readonly calls: readonly LoggedCall[];
  /** Throws an Error for a login that does not exist. */
  account(login: string): HostingAccount;
  /** Takes the place of an older fault for the same login and method. Throws an Error for a login that does not exist. */
  setFault(fault: Fault): void;
  clearFaults(): void;
  /** Drops every connection, those that hang as well. */
  close(): Promise<void>;
}

/** Rejects when the port is taken, or an option makes no sense. */
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
    await deliver(reply, answer, fault, `${origin}/sandbox/elsewhere`);
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
