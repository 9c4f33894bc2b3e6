import type { Dialect } from '../api/dialect.ts';
import { authenticate, claimedAccount } from './authentication.ts';
import type { CallLog } from './call-log.ts';
import { envelopes } from './dialects/envelopes.ts';
import { failureFor } from './faults/failures.ts';
import type { Fault } from './faults/fault.ts';
import type { FaultList } from './faults/fault-list.ts';
import { misshape, mistype } from './faults/spoiled-payloads.ts';
import { BrokenInput, readArguments } from './input.ts';
import type { Json } from './json.ts';
import { CallArguments } from './methods/call-arguments.ts';
import { methodsOf } from './methods/list.ts';
import type { RateLimit } from './rate-limit.ts';
import { Refusal } from './refusal.ts';
import type { ApiRequest } from './request.ts';
import { isMethodPermitted, isSectionPermitted } from './state/permissions.ts';
import type { AccountState } from './state/records.ts';
import type { Timeline } from './time/timeline.ts';

/** What goes out, before a fault of the wire gets at it. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** 'success', an error code or 'http_500'. */
  readonly outcome: string;
}

export interface ApiContext {
  readonly dialect: Dialect;
  readonly accounts: ReadonlyMap<string, AccountState>;
  readonly timeline: Timeline;
  readonly faults: FaultList;
  readonly calls: CallLog;
  readonly rateLimit: RateLimit;
}

/** From a call to its answer and the fault that is to spoil its delivery; every call is logged. */
export function createApi(context: ApiContext): (request: ApiRequest) => { answer: Answer; fault: Fault | undefined } {
  const { dialect, accounts, faults, calls } = context;
  const envelope = envelopes[dialect];
  const methods = methodsOf(dialect);

  function answerCall(request: ApiRequest): { answer: Answer; fault: Fault | undefined } {
    const claimed = claimedAccount(accounts, request);
    const fault = faults.take(claimed?.login, request.method);
    const failure = fault && failureFor(fault.kind, envelope, request.method, request);
    const answer = failure === undefined ? rightAnswer(request, claimed, fault) : wrap(failure, 'failure');
    calls.add({
      time: Date.now(),
      login: claimed?.login,
      method: request.method,
      outcome: fault?.kind ?? answer.outcome,
    });
    return { answer, fault };
  }

  function rightAnswer(request: ApiRequest, claimed: AccountState | undefined, fault: Fault | undefined): Answer {
    try {
      return wrap(envelope.success(spoil(execute(request, claimed), fault)), 'success');
    } catch (error) {
      if (error instanceof Refusal) {
        const code = envelope.codeOf(error);
        return wrap(envelope.failure(code, envelope.textOf(error, request.method)), String(code));
      }
      if (error instanceof BrokenInput) {
        return { status: 500, contentType: error.contentType, body: error.message, outcome: 'http_500' };
      }
      throw error;
    }
  }

  function execute(request: ApiRequest, claimed: AccountState | undefined): Json {
    if (request.httpMethod !== 'GET' && request.httpMethod !== 'POST') {
      throw new Refusal('malformed', 'Only GET and POST are accepted');
    }
    const given = new CallArguments(readArguments(dialect, request));
    const account = authenticate(claimed, request);
    if (!context.rateLimit.admits(account.login)) {
      throw new Refusal('rate_limit');
    }
    const method = methods.get(request.method);
    if (method === undefined) {
      throw new Refusal('unknown_method');
    }
    const isPermitted = dialect === 'provider' ? isSectionPermitted : isMethodPermitted;
    if (!isPermitted(account, request.method)) {
      throw new Refusal('permission');
    }
    const missing = method.parameters?.find((name) => !name.endsWith('?') && !given.has(name));
    if (missing !== undefined) {
      throw new Refusal('invalid', `The parameter ${missing} is missing`);
    }
    return method.answer({ account, given, moment: context.timeline.now(), timeline: context.timeline });
  }

  function wrap(body: Json, outcome: string): Answer {
    return { status: 200, contentType: envelope.contentType, body: envelope.print(body), outcome };
  }

  return answerCall;
}

function spoil(payload: Json, fault: Fault | undefined): Json {
  switch (fault?.kind) {
    case 'wrong_shape':
      return misshape(payload);
    case 'wrong_type':
      return mistype(payload, fault.field);
    default:
      return payload;
  }
}
