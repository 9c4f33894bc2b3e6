import type { CallLimit, CallLog } from './calls.ts';
import { type Dialect, envelopes } from './dialect.ts';
import { type Fault, type FaultList, failureFor } from './faults/fault.ts';
import { withWrongShape, withWrongType } from './faults/invalid-payloads.ts';
import type { Json } from './json.ts';
import { CallArguments } from './methods/call-arguments.ts';
import { methodsOf } from './methods/list.ts';
import { Refusal } from './refusal.ts';
import { type ApiRequest, InvalidInput, readArguments } from './request.ts';
import { isPermitted } from './state/permissions.ts';
import type { AccountRecord } from './state/records.ts';
import type { SandboxMoment, Timeline } from './time/timeline.ts';

/** The answer to a request. A fault may change how the answer is sent. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The result of the call: 'success', an error code or 'http_500'. */
  readonly outcome: string;
}

export interface ApiContext {
  readonly dialect: Dialect;
  readonly accounts: ReadonlyMap<string, AccountRecord>;
  readonly timeline: Timeline;
  readonly faults: FaultList;
  readonly calls: CallLog;
  readonly rateLimit: CallLimit;
}

/** An answer, the fault that affects its delivery, and the time of the answer by the sandbox's clock. */
export interface DatedAnswer {
  readonly answer: Answer;
  readonly fault: Fault | undefined;
  readonly moment: SandboxMoment;
}

export type SandboxApi = ReturnType<typeof createApi>;

export function createApi(context: ApiContext) {
  const { dialect, accounts, faults, calls } = context;
  const envelope = envelopes[dialect];
  const methods = methodsOf(dialect);

  /** Answers a call and logs it. */
  function answerCall(request: ApiRequest): DatedAnswer {
    const identified = identifyAccount(accounts, request);
    const fault = faults.take(identified?.login, request.method);
    const moment = momentOf(context.timeline, fault);
    const failure = fault && failureFor(fault.kind, envelope, request);
    const answer = failure === undefined ? normalAnswer(request, identified, fault, moment) : wrap(failure, 'failure');
    calls.add({
      time: Date.now(),
      login: identified?.login,
      method: request.method,
      outcome: fault?.kind ?? answer.outcome,
    });
    return { answer, fault, moment };
  }

  function normalAnswer(
    request: ApiRequest,
    identified: AccountRecord | undefined,
    fault: Fault | undefined,
    moment: SandboxMoment,
  ): Answer {
    try {
      const payload = execute(request, identified, moment, lagOf(fault));
      return wrap(envelope.success(withWrongPayload(payload, fault)), 'success');
    } catch (error) {
      if (error instanceof Refusal) return refusalOf(error, request.method);
      if (error instanceof InvalidInput) {
        return { status: 500, contentType: error.contentType, body: error.message, outcome: 'http_500' };
      }
      throw error;
    }
  }

  function execute(
    request: ApiRequest,
    identified: AccountRecord | undefined,
    moment: SandboxMoment,
    lag: number,
  ): Json {
    if (request.httpMethod !== 'GET' && request.httpMethod !== 'POST') {
      throw new Refusal('malformed', 'Only GET and POST are accepted');
    }
    if (request.foreignBody) {
      throw new Refusal('malformed', 'The body must be a form, with Content-Type application/x-www-form-urlencoded');
    }
    const args = new CallArguments(readArguments(dialect, request));
    const { account, credential } = authenticate(identified, request);
    if (!context.rateLimit.tryAcquire(account.login)) throw new Refusal('rate_limit');
    const method = methods.get(request.method);
    if (method === undefined) throw new Refusal('unknown_method', 'No such method');
    if (credential === 'api password' && !isPermitted(account, dialect, request.method)) {
      throw new Refusal('permission');
    }
    const missing = method.parameters.find((name) => !name.endsWith('?') && !args.has(name));
    if (missing !== undefined) {
      throw new Refusal('invalid', `The parameter ${missing} is missing`);
    }
    const call = { account, args, moment, lag, timeline: context.timeline };
    const payload = method.run(call);
    return payload === undefined ? envelope.changed : payload;
  }

  function refusalOf(refusal: Refusal, method: string): Answer {
    const code = envelope.codeOf(refusal);
    return wrap(envelope.failure(code, envelope.textOf(refusal, method)), String(code));
  }

  /**
   * Logs a request that calls no method, and returns an answer with this HTTP status. `method`: the path below /api, such as
   * `mysql/getList`; empty if the request is not valid HTTP.
   */
  function refuse(status: number, text: string, method = ''): Answer {
    const answer = { ...refusalOf(new Refusal(status < 500 ? 'malformed' : 'failed', text), method), status };
    calls.add({ time: Date.now(), login: undefined, method, outcome: answer.outcome });
    return answer;
  }

  function wrap(body: Json, outcome: string): Answer {
    return { status: 200, contentType: envelope.contentType, body: envelope.print(body), outcome };
  }

  return { answerCall, refuse };
}

/** Converts the field `seconds` of a fault to milliseconds. */
function durationOf({ seconds = 900 }: Fault): number {
  return seconds * 1000;
}

function momentOf(timeline: Timeline, fault: Fault | undefined): SandboxMoment {
  const moment = timeline.now();
  if (fault?.kind === 'clock_ahead') return timeline.at(moment.instant + durationOf(fault));
  if (fault?.kind === 'clock_behind') return timeline.at(moment.instant - durationOf(fault));
  return moment;
}

function lagOf(fault: Fault | undefined): number {
  return fault?.kind === 'late_sums' ? durationOf(fault) : 0;
}

function withWrongPayload(payload: Json, fault: Fault | undefined): Json {
  if (fault?.kind === 'wrong_shape') return withWrongShape(payload);
  return fault?.kind === 'wrong_type' ? withWrongType(payload, fault.field) : payload;
}

/** Finds the account that a call names, without authentication. A bearer token takes precedence over login and password. */
function identifyAccount(accounts: ReadonlyMap<string, AccountRecord>, request: ApiRequest): AccountRecord | undefined {
  if (request.token !== undefined) {
    return [...accounts.values()].find((account) => account.token === request.token);
  }
  return request.login === undefined ? undefined : accounts.get(request.login);
}

/** The account and the credential of a call. Throws a Refusal if the credentials do not match. Permissions limit only the API password. */
function authenticate(account: AccountRecord | undefined, { token, password }: ApiRequest) {
  if (account !== undefined && token !== undefined && token === account.token) {
    return { account, credential: 'token' } as const;
  }
  if (account !== undefined && token === undefined) {
    if (password === account.password) return { account, credential: 'api password' } as const;
    if (password === account.mainPassword) return { account, credential: 'main password' } as const;
  }
  throw new Refusal('authentication');
}
