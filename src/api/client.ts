import type { ApiConfig, Credentials, Secret } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { secretOf } from '../config/values/secret.ts';
import type { PayloadSchema } from '../payloads/scalars.ts';
import type { Api } from './api.ts';
import type { Priority } from './budget.ts';
import type { Connections } from './connections.ts';
import { type DecodedBody, decodeBody } from './decoding.ts';
import { decodeInThread } from './decoding-thread.ts';
import { reasonOfCode } from './envelope.ts';
import { ApiError, type ApiErrorDetails, type Reason } from './error.ts';
import type { Method } from './method.ts';
import { describeIssues, type ReadPayload } from './payload.ts';
import { redactor } from './redaction.ts';
import { requestForm } from './request-form.ts';
import { type ApiSession, maxPause, unknownMethodLifetime } from './session.ts';
import { type HttpResponse, post, TransportError } from './transport.ts';

/** Milliseconds of the pause after LIMIT_ERROR or HTTP status 429, unless the response has a Retry-After header. */
const limitPause = 60_000;

/** Maximum number of characters of an error message. The API may send a text of any length. */
const maxMessageLength = 300;

/** Larger bodies, in bytes, are decoded in another thread. A body of this size may take 30 ms if every element has an issue. */
const maxInlineBytes = 16_384;

/** Codes by which the API rejects an unknown method that is called without parameters. */
const unknownMethodCodes: ReadonlySet<string> = new Set(['NO_SUCH_METHOD', 'INCORRECT_REQUEST']);

/** HTTP statuses of servers that have no such path: redirects, and answers to unknown paths and methods. */
const foreignStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

type Parameters = Readonly<Record<string, string>>;

type CallMethod<T> = (method: Method, schema: PayloadSchema<T>, parameters?: Parameters) => Promise<T>;

/** The result of a call. A call has no outcome if the credential gate held it back or its secret could not be read. */
export interface CallOutcome {
  readonly method: Method;
  /** False if the call failed with the reason `local`. */
  readonly wasSent: boolean;
  /** Seconds from the start of the call to the last byte of the response; undefined if the poll was aborted. */
  readonly seconds: number | undefined;
  /** The failure of the call or the issues of its payload; undefined if it has neither. */
  readonly error: ApiError | undefined;
  /** Whether the call resolves with a payload, which may have issues. */
  readonly hasPayload: boolean;
  readonly droppedElements: number;
  /** Number of list elements that a later element with the same key replaced. */
  readonly duplicates: number;
}

type CallObserver = (outcome: CallOutcome) => void;

interface PollOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  readonly onCall: CallObserver;
}

/** Makes the calls of one account with its credentials, within the budget of its session. */
export class ApiClient {
  readonly #config: ApiConfig;
  readonly #credentials: Credentials;
  readonly #connections: Connections;
  readonly #session: ApiSession;
  readonly #secret: Secret;
  readonly #onCall: CallObserver;
  readonly #saveSession: (() => Promise<void>) | undefined;

  constructor(
    config: ApiConfig,
    credentials: Credentials,
    connections: Connections,
    session: ApiSession,
    onCall: CallObserver,
    saveSession?: () => Promise<void>,
  ) {
    this.#config = config;
    this.#credentials = credentials;
    this.#connections = connections;
    this.#session = session;
    this.#secret = secretOf(credentials);
    this.#onCall = onCall;
    this.#saveSession = saveSession;
  }

  /** Returns the API for one poll. Its calls reject with the signal's reason when the signal aborts. */
  forPoll(poll: PollOptions): Api {
    const { budget, gate } = this.#session;
    const { priority, signal } = poll;
    const save = this.#saveSession;
    const call = async <T>(method: Method, schema: PayloadSchema<T>, parameters: Parameters = {}): Promise<T> => {
      try {
        for (;;) {
          const secret = this.#secret.reveal();
          // Undefined if the secret changed while the call waited for the budget. Then the call tries the new secret.
          const send = async () =>
            this.#secret.reveal() === secret ? this.#call(method, schema, parameters, secret, poll) : undefined;
          const recorded = save === undefined ? send : () => gate.record(secret, signal, save, send);
          const payload = await (gate.isProven(secret)
            ? budget.run(priority, signal, send)
            : gate.attempt(secret, priority, signal, () => budget.run(priority, signal, recorded)));
          if (payload !== undefined) return payload;
        }
      } catch (error) {
        throw error instanceof ConfigError ? notSent(method, error) : error;
      }
    };
    return {
      call,
      callFirst: (candidates, isUsable) => this.#callFirst(candidates, isUsable, call),
      callIfOffered: (method, schema, parameters) => this.#callIfOffered(method, schema, parameters, call),
    };
  }

  async #callFirst<T>(
    candidates: readonly (readonly [Method, PayloadSchema<T>])[],
    isUsable: (payload: T) => boolean,
    call: CallMethod<T>,
  ): Promise<T> {
    const [candidate, ...others] = candidates.filter(([method]) => !this.#isUnknown(method));
    if (candidate === undefined) throw new RangeError('callFirst needs at least one method');
    const [method] = candidate;
    if (others.length === 0) return call(...candidate);
    let refusal: ApiError;
    try {
      return await call(...candidate);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
    const result = await this.#callFirst(others, isUsable, call);
    if (!isUsable(result) && !unknownMethodCodes.has(refusal.code ?? '')) throw refusal;
    // Mark the method only after another method succeeded, because a failing API may reject every call as malformed.
    this.#markUnknown(method);
    return result;
  }

  async #callIfOffered<T>(
    method: Method,
    schema: PayloadSchema<T>,
    parameters: Parameters | undefined,
    call: CallMethod<T>,
  ): Promise<T | undefined> {
    const { offeredMethods } = this.#session;
    if (this.#isUnknown(method)) return undefined;
    try {
      const result = await call(method, schema, parameters);
      offeredMethods.add(method);
      return result;
    } catch (error) {
      if (!isRefusal(error) || offeredMethods.has(method)) throw error;
      // In a call with parameters, codes other than NO_SUCH_METHOD may mean wrong parameters and not an unknown method.
      if (parameters === undefined ? unknownMethodCodes.has(error.code ?? '') : error.code === 'NO_SUCH_METHOD') {
        this.#markUnknown(method);
      }
      return undefined;
    }
  }

  #markUnknown(method: Method): void {
    this.#session.unknownMethods.set(method, performance.now() + unknownMethodLifetime);
  }

  #isUnknown(method: Method): boolean {
    return (this.#session.unknownMethods.get(method) ?? 0) > performance.now();
  }

  async #call<T>(
    method: Method,
    schema: PayloadSchema<T>,
    parameters: Parameters,
    secret: string,
    poll: PollOptions,
  ): Promise<T> {
    const { access, budget } = this.#session;
    const { signal } = poll;
    let started = performance.now();
    let ended: number | undefined;
    let read: ReadPayload<T | undefined> | undefined;
    let failure: ApiError | undefined;
    try {
      const call: SentCall = { method, parameters, secret, sent: access.sent(), started, signal };
      const response = await this.#post(call, () => {
        started = performance.now();
      });
      ended = performance.now();
      read = this.#resultOf(call, response, await this.#decode(response, schema, signal));
      if (read.issues.length > 0) {
        failure = makeError(call, describeIssues(read.issues), { reason: 'payload', accepted: true });
        if (read.payload === undefined) throw failure;
      }
      return read.payload as T;
    } catch (error) {
      if (error instanceof ApiError) failure = error;
      throw error;
    } finally {
      if (failure?.reason === 'limit') budget.pause(failure.retryAfter ?? limitPause);
      const outcome: CallOutcome = {
        method,
        wasSent: failure?.reason !== 'local',
        seconds: signal.aborted ? undefined : ((ended ?? performance.now()) - started) / 1000,
        error: failure,
        hasPayload: read?.payload !== undefined,
        droppedElements: read?.droppedElements ?? 0,
        duplicates: read?.duplicates ?? 0,
      };
      this.#onCall(outcome);
      poll.onCall(outcome);
    }
  }

  async #post(call: SentCall, onStart: () => void): Promise<HttpResponse> {
    const { method, parameters, secret, signal } = call;
    const { baseUrl, timeout, inputFormat } = this.#config;
    const format = inputFormat === 'auto' ? (this.#session.dialect === 'provider' ? 'json' : 'plain') : inputFormat;
    const { query, ...form } = requestForm(this.#credentials, secret, parameters, format);
    try {
      const response = await post(this.#connections, {
        url: `${baseUrl}/${method}${query}`,
        ...form,
        timeout,
        signal,
        onStart,
      });
      this.#session.clock.observe(Date.parse(String(response.headers['date'])));
      return response;
    } catch (error) {
      if (error instanceof ConfigError) throw notSent(method, error);
      if (!(error instanceof TransportError)) throw error;
      throw makeError(call, error.message, { reason: error.reason, cause: error });
    }
  }

  async #decode<T>({ body }: HttpResponse, schema: PayloadSchema<T>, signal: AbortSignal): Promise<DecodedBody<T>> {
    const { maxItems, sizeUnits, numberFormat, timeZone } = this.#config;
    if (body.length <= maxInlineBytes) return decodeBody(body, schema(this.#config), maxItems);
    const notation = { sizeUnits, numberFormat, timeZone };
    return decodeInThread({ bytes: body, payloadName: schema.payloadName, notation, maxItems }, signal);
  }

  #resultOf<T>(call: SentCall, response: HttpResponse, decoded: DecodedBody<T>): ReadPayload<T | undefined> {
    if (decoded.kind === 'error') {
      const { code, text } = decoded;
      this.#session.dialect = decoded.dialect ?? this.#session.dialect;
      const { access, budget, gate } = this.#session;
      const reason = access.rejected(call.method, reasonOfCode(code), text, call.sent);
      const error = makeError(call, describeError(code, text), { ...statusDetails(response, reason), code });
      const refusal = reason === 'auth' ? gate.rejected(call.secret, call.started, error.message) : undefined;
      if (refusal !== undefined) budget.rejectWaiting(refusal);
      if (reason === 'permission' || reason === 'method') gate.accepted(call.secret);
      throw error;
    }
    if (response.status < 200 || response.status > 299) {
      const details = { accepted: false, status: response.status, isForeign: foreignStatuses.has(response.status) };
      throw makeError(call, describeStatus(response), { ...statusDetails(response, 'http'), ...details });
    }
    if (decoded.kind === 'invalid') {
      throw makeError(call, decoded.problem, { reason: 'payload', isForeign: decoded.isForeign });
    }
    this.#session.dialect = decoded.dialect;
    this.#session.access.accepted(call.method, call.sent);
    this.#session.gate.accepted(call.secret);
    return decoded.read;
  }
}

interface SentCall {
  readonly method: Method;
  readonly parameters: Parameters;
  /** The secret that this call sends. The configured secret may change during the call. */
  readonly secret: string;
  readonly sent: number;
  /** Start of the call, in milliseconds of the monotonic clock. */
  readonly started: number;
  readonly signal: AbortSignal;
}

function describeError(code: string, text: string): string {
  if (code === '') return text === '' ? 'the API reports an error without code and text' : text;
  return `${code}: ${text}`;
}

/** Whether the API answered a call with an error that may concern only this call, unlike rejected credentials or a limit. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== undefined && error.reason !== 'auth' && error.reason !== 'limit';
}

function notSent(method: Method, error: ConfigError): ApiError {
  return new ApiError(`${method}: not sent: ${error.message}`, { reason: 'local', cause: error });
}

function makeError({ method, secret }: SentCall, message: string, details: ApiErrorDetails): ApiError {
  // Redact before shortening, because redaction cannot recognize a secret of which only a short piece is left at the end.
  const text = `${method}: ${redactor(secret)(message)}`.replace(/\p{Cc}+/gu, ' ');
  return new ApiError(text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text, {
    ...details,
    method,
  });
}

/** The details of an error response. HTTP status 429 always has the reason `limit`, regardless of the body. */
function statusDetails({ status, headers }: HttpResponse, reason: Reason): ApiErrorDetails {
  return { reason: status === 429 ? 'limit' : reason, retryAfter: parseRetryAfter(headers) };
}

/** Milliseconds until the next call. A date in Retry-After is relative to the Date header, not to the local clock. */
function parseRetryAfter({ 'retry-after': header, date }: HttpResponse['headers']): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const answered = Date.parse(String(date));
  const wait = /^\s*\d+\s*$/.test(header)
    ? Number(header) * 1000
    : Date.parse(header) - (Number.isNaN(answered) ? Date.now() : answered);
  return wait > 0 ? Math.min(wait, maxPause) : undefined;
}

function describeStatus({ status, headers }: HttpResponse): string {
  const { location } = headers;
  const target = typeof location === 'string' && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  return status >= 300 && status < 400
    ? `HTTP status ${status}: a redirect${target}, which is not followed; set base_url to the final address`
    : `HTTP status ${status}`;
}
