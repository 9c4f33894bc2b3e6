import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { AccountSeed } from './accounts/account-seed.ts';
import { demoAccounts } from './accounts/demo-accounts.ts';
import { type ApiContext, createApi } from './answer.ts';
import { CallLimit, CallLog, type LoggedCall } from './calls.ts';
import { addControlRoutes } from './control.ts';
import type { Dialect } from './dialect.ts';
import { deliver } from './faults/delivery.ts';
import { type Fault, FaultList } from './faults/fault.ts';
import { createHostingAccount, type HostingAccount } from './hosting-account.ts';
import { readRequest } from './request.ts';
import { createAccountState } from './state/create-account-state.ts';
import { type Clock, createTimeline } from './time/timeline.ts';
import { createErrorAnswers, maxBody } from './unreadable-requests.ts';

export interface SandboxOptions {
  /** The dialect of the answers. Default: specification. */
  readonly dialect?: Dialect | undefined;
  /** The port on 127.0.0.1. Default: 0, any free port. */
  readonly port?: number | undefined;
  /** The initial accounts. Logins and tokens must be unique. Default: the demo accounts. */
  readonly accounts?: readonly AccountSeed[] | undefined;
  /** The clock of the sandbox. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Speed of simulated time as a multiple of the clock's speed. Dates follow the clock. Default: 1. */
  readonly speed?: number | undefined;
  /** IANA name of the time zone of printed dates. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** Serves HTTPS with a new self-signed certificate. Default: false. */
  readonly tls?: boolean | undefined;
  /** Calls per account in any 60 seconds; 0 means no limit. Default: 60. */
  readonly requestsPerMinute?: number | undefined;
}

export type Sandbox = Readonly<Awaited<ReturnType<typeof startSandbox>>>;

/** Starts a sandbox. The promise rejects if the port is in use or an option is invalid. */
export async function startSandbox(options: SandboxOptions = {}) {
  const { dialect = 'specification', port = 0, speed = 1, tls = false } = options;
  const { accounts: seeds = demoAccounts, clock = Date, timeZone = 'UTC', requestsPerMinute = 60 } = options;
  const duplicate = seeds.find((seed, index) => seeds.findIndex((other) => other.login === seed.login) !== index);
  if (duplicate !== undefined) {
    throw new Error(`Two accounts of the sandbox have the login ${duplicate.login}.`);
  }
  const equal = seeds.find(({ password, mainPassword }) => password === mainPassword);
  if (equal !== undefined) {
    throw new Error(`The two passwords of the account ${equal.login} must differ.`);
  }
  const timeline = createTimeline(clock, speed);
  const states = seeds.map((seed) => createAccountState(seed, timeline.start, timeZone));
  const accounts = states.map((state) => createHostingAccount(state, dialect, timeline));
  for (const [index, { forbidden = [] }] of seeds.entries()) {
    for (const entry of forbidden) accounts[index]?.forbid(entry);
  }
  const context: ApiContext = {
    dialect,
    timeline,
    accounts: new Map(states.map((state) => [state.login, state])),
    faults: new FaultList(),
    calls: new CallLog(),
    rateLimit: new CallLimit(requestsPerMinute),
  };
  const api = createApi(context);
  const errors = createErrorAnswers(api);

  // Load the module only for TLS, because the libraries for certificates are large.
  const keyPair = tls ? await (await import('./certificate.ts')).createCertificate() : undefined;
  const http = {
    // By default, Node.js answers a request without a Host header before fastify, and this answer has no body.
    requireHostHeader: false,
    // Milliseconds after which Node.js closes an idle connection. With the default of five seconds, a server that stalls would
    // close connections that the client is about to use.
    keepAliveTimeout: 72_000,
  };
  const server = fastify({
    serverFactory: (handler) => {
      const created =
        keyPair === undefined
          ? createServer(http, handler)
          : createTlsServer({ ...http, key: keyPair.key, cert: keyPair.certificate }, handler);
      // Without these handlers, Node.js answers an unknown Expect header without a body, and does not answer CONNECT.
      return created.on('checkExpectation', handler).on('connect', (_, socket) => errors.onUnreadable(socket));
    },
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    bodyLimit: maxBody,
    frameworkErrors: errors.onError,
    clientErrorHandler: (error, socket) => errors.onUnreadable(socket, error),
  });
  server.setErrorHandler(errors.onError);
  server.setNotFoundHandler(errors.onNotFound);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const answer = async (request: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) => {
    const { answer, fault, moment } = api.answerCall(await readRequest(dialect, request));
    reply.header('date', new Date(moment.instant).toUTCString());
    await deliver(reply, answer, fault, `${origin}/sandbox/redirected`);
    return reply;
  };
  server.all('/api', answer);
  server.all('/api/*', answer);
  addControlRoutes(server, { context, accounts, settings: { dialect, speed, timeZone, requestsPerMinute } });
  const address = new URL(await server.listen({ host: '127.0.0.1', port }));
  const origin = `${tls ? 'https' : 'http'}://${address.host}`;

  /** The account with this login. Throws an Error for an unknown login. */
  function account(login: string): HostingAccount {
    const found = accounts.find((candidate) => candidate.login === login);
    if (found === undefined) {
      throw new Error(`The sandbox has no account ${login}; it has ${seeds.map((seed) => seed.login).join(', ')}.`);
    }
    return found;
  }

  /** Adds a fault, or replaces the fault with the same login and method. Throws an Error for an unknown login. */
  function setFault(fault: Fault): void {
    if (fault.login !== undefined) {
      account(fault.login);
    }
    context.faults.set(fault);
  }

  return {
    /** Base URL of the API: `http://127.0.0.1:PORT/api`, or https with `tls`. */
    baseUrl: `${origin}/api`,
    /** The self-signed certificate in PEM, which a client must trust; undefined without `tls`. */
    certificate: keyPair?.certificate,
    /** URL of the control API: `http://127.0.0.1:PORT/sandbox`. */
    controlUrl: `${origin}/sandbox`,
    accounts,
    /** The newest 10 000 API calls, oldest first. */
    get calls(): readonly LoggedCall[] {
      return context.calls.all;
    },
    account,
    setFault,
    clearFaults: () => context.faults.clear(),
    /** Closes every connection, including stalled ones. */
    close: async (): Promise<void> => server.close(),
  };
}
