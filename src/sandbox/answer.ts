import type { Dialect } from '../api/dialect.ts';
import { authenticate, identifyAccount } from './authentication.ts';
import type { CallLog } from './call-log.ts';
import { providerEnvelope } from './dialects/provider.ts';
import { specificationEnvelope } from './dialects/specification.ts';
import { failureFor } from './faults/failures.ts';
import type { Fault } from './faults/fault.ts';
import type { FaultList } from './faults/fault-list.ts';
import { withWrongShape, withWrongType } from './faults/invalid-payloads.ts';
import { InvalidInput, readArguments } from './input.ts';
import type { Json } from './json.ts';
import { CallArguments } from './methods/call-arguments.ts';
import { methodsOf } from './methods/list.ts';
import type { RateLimit } from './rate-limit.ts';
import { Refusal } from './refusal.ts';
import type { ApiRequest } from './request.ts';
import { isMethodPermitted, isSectionPermitted } from './state/permissions.ts';
import type { AccountState } from './state/records.ts';
import type { Timeline } from './time/timeline.ts';

/** A response before a fault changes its delivery. */
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

/** Returns the function that answers calls and logs them. The fault, if any, applies to the delivery of the answer. */
export function createApi(context: ApiContext): (request: ApiRequest) => { answer: Answer; fault: Fault | undefined } {
  const { dialect, accounts, faults, calls } = context;
  const envelope = dialect === 'provider' ? providerEnvelope : specificationEnvelope;
  const methods = methodsOf(dialect);

  function answerCall(request: ApiRequest): { answer: Answer; fault: Fault | undefined } {
    const identified = identifyAccount(accounts, request);
    const fault = faults.take(identified?.login, request.method);
    const failure = fault && failureFor(fault.kind, envelope, request);
    const answer = failure === undefined ? normalAnswer(request, identified, fault) : wrap(failure, 'failure');
    calls.add({
      time: Date.now(),
      login: identified?.login,
      method: request.method,
      outcome: fault?.kind ?? answer.outcome,
    });
    return { answer, fault };
  }

  function normalAnswer(request: ApiRequest, identified: AccountState | undefined, fault: Fault | undefined): Answer {
    try {
      return wrap(envelope.success(withWrongPayload(execute(request, identified), fault)), 'success');
    } catch (error) {
      if (error instanceof Refusal) {
        const code = envelope.codeOf(error);
        return wrap(envelope.failure(code, envelope.textOf(error, request.method)), String(code));
      }
      if (error instanceof InvalidInput) {
        return { status: 500, contentType: error.contentType, body: error.message, outcome: 'http_500' };
      }
      throw error;
    }
  }

  function execute(request: ApiRequest, identified: AccountState | undefined): Json {
    if (request.httpMethod !== 'GET' && request.httpMethod !== 'POST') {
      throw new Refusal('malformed', 'Only GET and POST are accepted');
    }
    const args = new CallArguments(readArguments(dialect, request));
    const account = authenticate(identified, request);
    if (!context.rateLimit.tryAcquire(account.login)) {
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
    const missing = method.parameters?.find((name) => !name.endsWith('?') && !args.has(name));
    if (missing !== undefined) {
      throw new Refusal('invalid', `The parameter ${missing} is missing`);
    }
    const call = { account, args, moment: context.timeline.now(), timeline: context.timeline };
    if ('answer' in method) {
      return method.answer(call);
    }
    method.change(call);
    return true;
  }

  function wrap(body: Json, outcome: string): Answer {
    return { status: 200, contentType: envelope.contentType, body: envelope.print(body), outcome };
  }

  return answerCall;
}

function withWrongPayload(payload: Json, fault: Fault | undefined): Json {
  switch (fault?.kind) {
    case 'wrong_shape':
      return withWrongShape(payload);
    case 'wrong_type':
      return withWrongType(payload, fault.field);
    default:
      return payload;
  }
}
