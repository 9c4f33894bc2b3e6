import type * as z from 'zod';
import type { ApiConfig, Credentials } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Api } from './api.ts';
import type { Priority } from './budget.ts';
import type { Connections } from './connections.ts';
import { type DecodedBody, decodeBody } from './decoding.ts';
import { decodeInThread, type PayloadReference } from './decoding-thread.ts';
import { reasonOfCode } from './envelope.ts';
import { ApiError, type ApiErrorDetails, type Reason } from './error.ts';
import type { Method } from './method.ts';
import { describeIssues, type ReadPayload } from './payload.ts';
import { redactor } from './redaction.ts';
import { requestForm } from './request-form.ts';
import { type ApiSession, maxPause, unknownMethodLifetime } from './session.ts';
import { type HttpResponse, post, TransportError } from './transport.ts';

/** Milliseconds to pause after a LIMIT_ERROR: the limit is per minute, so earlier calls no longer count afterwards. */
const limitPause = 60_000;

/** Characters. An error message may contain text of any length from the API. */
const maxMessageLength = 300;

/** Bytes. Larger bodies are read in another thread: even these may take 30 ms if every element has an issue. */
const maxInlineBytes = 16_384;

/** Codes by which the API rejects an unknown method that is called without parameters. */
const unknownMethodCodes: ReadonlySet<string> = new Set(['NO_SUCH_METHOD', 'INCORRECT_REQUEST']);

type Parameters = Readonly<Record<string, string>>;

type CallMethod<T> = (method: Method, schema: z.ZodType<T>) => Promise<T>;

/** Receives what happens to calls. */
export interface CallObserver {
  /** A call was sent; called when its outcome is known. Not called for a failure with reason `local`. */
  onSent(method: Method): void;
  /** `seconds` from the start to the last byte; `error` if the call failed or its payload had issues. */
  onEnd(method: Method, seconds: number, error: ApiError | undefined): void;
}

/** Options of all calls of one poll. */
export interface PollOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  /** Called for each call that was sent, when its outcome is known. */
  readonly onSent?: () => void;
  /** Receives the issues of a payload, and the number of list elements dropped because of them. */
  readonly onIssue: (error: ApiError, droppedElements: number) => void;
  /** Receives the number of list elements that later ones with the same key replaced. */
  readonly onDuplicates?: (method: Method, duplicates: number) => void;
}

/** Makes the calls of one account with its credentials, within the budget of its session. */
export class ApiClient {
  readonly #config: ApiConfig;
  readonly #credentials: Credentials;
  readonly #connections: Connections;
  readonly #session: ApiSession;
  readonly #observer: CallObserver;

  constructor(
    config: ApiConfig,
    credentials: Credentials,
    connections: Connections,
    session: ApiSession,
    observer: CallObserver,
  ) {
    this.#config = config;
    this.#credentials = credentials;
    this.#connections = connections;
    this.#session = session;
    this.#observer = observer;
  }

  /** The API for the calls of one poll. They reject with the signal's reason when the signal aborts. */
  forPoll(options: PollOptions): Api {
    const { priority, signal } = options;
    const { budget, gate } = this.#session;
    const call = async <T>(method: Method, schema: z.ZodType<T>, parameters: Parameters = {}): Promise<T> => {
      const passage = gate.isClosed ? await gate.enter(this.#reveal(method)) : undefined;
      const waiting = gate.signalWhileWaiting();
      try {
        return await budget.run(priority, AbortSignal.any([signal, waiting.signal]), () => {
          waiting.end();
          return this.#call(method, schema, parameters, options);
        });
      } finally {
        waiting.end();
        passage?.end();
      }
    };
    return {
      call,
      callFirst: (candidates, isUsable) => this.#callFirst(candidates, isUsable, call),
      callIfOffered: (method, schema) => this.#callIfOffered(method, schema, call),
    };
  }

  async #callFirst<T>(
    candidates: readonly (readonly [Method, z.ZodType<T>])[],
    isUsable: (payload: T) => boolean,
    call: CallMethod<T>,
  ): Promise<T> {
    const [candidate, ...others] = candidates.filter(([method]) => !this.#isUnknown(method));
    if (candidate === undefined) throw new RangeError('callFirst needs at least one method');
    const [method, schema] = candidate;
    if (others.length === 0) return call(method, schema);
    let refusal: ApiError;
    try {
      return await call(method, schema);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
    const payload = await this.#callFirst(others, isUsable, call);
    if (!isUsable(payload) && !unknownMethodCodes.has(refusal.code ?? '')) throw refusal;
    // Recorded only after another method succeeded, because a failing API may reject every call as malformed.
    this.#markUnknown(method);
    return payload;
  }

  async #callIfOffered<T>(method: Method, schema: z.ZodType<T>, call: CallMethod<T>): Promise<T | undefined> {
    const { offeredMethods } = this.#session;
    if (this.#isUnknown(method)) return undefined;
    try {
      const payload = await call(method, schema);
      offeredMethods.add(method);
      return payload;
    } catch (error) {
      if (!isRefusal(error) || offeredMethods.has(method)) throw error;
      if (unknownMethodCodes.has(error.code ?? '')) this.#markUnknown(method);
      return undefined;
    }
  }

  #markUnknown(method: Method): void {
    this.#session.unknownMethods.set(method, performance.now() + unknownMethodLifetime);
  }

  #isUnknown(method: Method): boolean {
    return (this.#session.unknownMethods.get(method) ?? 0) > performance.now();
  }

  async #call<T>(method: Method, schema: z.ZodType<T>, parameters: Parameters, options: PollOptions): Promise<T> {
    // Again, because the call may have waited for minutes.
    const secret = this.#reveal(method);
    let started = performance.now();
    let ended: number | undefined;
    let failure: ApiError | undefined;
    try {
      const sent = this.#session.access.sent();
      const call: Call = { method, parameters, secret, sent, started, signal: options.signal };
      const response = await this.#post(call, () => {
        started = performance.now();
      });
      ended = performance.now();
      const decoded = await this.#decode(response, schema, options.signal);
      const { payload, issues, droppedElements, duplicates } = this.#resultOf(call, response, decoded);
      if (issues.length > 0) {
        failure = makeError(call, describeIssues(issues), { reason: 'payload', accepted: true });
      }
      if (duplicates > 0) options.onDuplicates?.(method, duplicates);
      if (payload === undefined && failure !== undefined) throw failure;
      if (failure !== undefined) options.onIssue(failure, droppedElements);
      return payload as T;
    } catch (error) {
      if (error instanceof ApiError) failure = error;
      throw error;
    } finally {
      if (failure?.reason !== 'local') {
        this.#observer.onSent(method);
        options.onSent?.();
      }
      if (failure?.reason === 'limit') this.#session.budget.pause(failure.retryAfter ?? limitPause);
      const seconds = ((ended ?? performance.now()) - started) / 1000;
      if (!options.signal.aborted) this.#observer.onEnd(method, seconds, failure);
    }
  }

  /** The current password or token. If it cannot be read, no call is sent. */
  #reveal(method: Method): string {
    const credentials = this.#credentials;
    try {
      return (credentials.kind === 'token' ? credentials.token : credentials.password).reveal();
    } catch (error) {
      throw error instanceof ConfigError ? notSent(method, error) : error;
    }
  }

  async #post(call: Call, onStart: () => void): Promise<HttpResponse> {
    const { method, parameters, secret, signal } = call;
    const { baseUrl, timeout, inputFormat } = this.#config;
    const format = inputFormat === 'auto' ? (this.#session.dialect === 'provider' ? 'json' : 'plain') : inputFormat;
    const form = requestForm(this.#credentials, secret, parameters, format);
    try {
      const response = await post(this.#connections, {
        url: `${baseUrl}/${method}`,
        ...form,
        timeout,
        signal,
        onStart,
      });
      const date = parseDate(response.headers['date']);
      if (date !== undefined) this.#session.clock.observe(date);
      return response;
    } catch (error) {
      if (error instanceof ConfigError) throw notSent(method, error);
      if (!(error instanceof TransportError)) throw error;
      throw makeError(call, error.message, { reason: error.reason, cause: error });
    }
  }

  async #decode<T>({ body }: HttpResponse, schema: z.ZodType<T>, signal: AbortSignal): Promise<DecodedBody<T>> {
    const { maxItems } = this.#config;
    const payload = schema.meta()?.['payload'] as PayloadReference | undefined;
    if (body.length <= maxInlineBytes || payload === undefined) return decodeBody(body, schema, maxItems);
    return decodeInThread({ bytes: body, payload, maxItems }, signal);
  }

  #resultOf<T>(call: Call, response: HttpResponse, decoded: DecodedBody<T>): ReadPayload<T | undefined> {
    if (decoded.kind === 'error') {
      const { code, text } = decoded;
      this.#session.dialect = decoded.dialect ?? this.#session.dialect;
      const { access, gate } = this.#session;
      const reason = access.rejected(call.method, reasonOfCode(code), text, call.sent);
      const error = makeError(call, `${code}: ${text}`, { ...statusDetails(response, reason), code });
      if (reason === 'auth') gate.rejected(call.secret, call.started, error.message);
      if (reason === 'permission' || reason === 'method') gate.accepted();
      throw error;
    }
    if (response.status < 200 || response.status > 299) {
      throw makeError(call, describeStatus(response), { ...statusDetails(response, 'http'), accepted: false });
    }
    if (decoded.kind === 'invalid') throw makeError(call, decoded.problem, { reason: 'payload' });
    this.#session.dialect = decoded.dialect;
    this.#session.access.accepted(call.method, call.sent);
    this.#session.gate.accepted();
    return decoded.read;
  }
}

/** One call, and the secret that it was sent with: the configured secret may change before the call fails. */
interface Call {
  readonly method: Method;
  readonly parameters: Parameters;
  readonly secret: string;
  /** Sequence number of MethodAccess. */
  readonly sent: number;
  /** Monotonic clock, in milliseconds. */
  readonly started: number;
  readonly signal: AbortSignal;
}

/** Whether the API refused this call only, with its envelope: not for its credentials or the number of calls. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== undefined && error.reason !== 'auth' && error.reason !== 'limit';
}

/** A file that the configuration names cannot be used. */
function notSent(method: Method, error: ConfigError): ApiError {
  return new ApiError(`${method}: not sent: ${error.message}`, { reason: 'local', cause: error });
}

/** Redacts before truncating, because redaction does not recognize part of a secret. */
function makeError({ method, secret }: Call, message: string, details: ApiErrorDetails): ApiError {
  const text = `${method}: ${redactor(secret)(message)}`.replace(/\p{Cc}+/gu, ' ');
  return new ApiError(text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text, {
    ...details,
    method,
  });
}

/** Status 429 is a limit, regardless of the body. */
function statusDetails({ status, headers }: HttpResponse, reason: Reason): ApiErrorDetails {
  return { reason: status === 429 ? 'limit' : reason, retryAfter: parseRetryAfter(headers) };
}

/** Milliseconds of a Retry-After header: seconds, or a date, which is relative to the Date header and not to our clock. */
function parseRetryAfter({ 'retry-after': header, date }: HttpResponse['headers']): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const wait = /^\s*\d+\s*$/.test(header)
    ? Number(header) * 1000
    : Date.parse(header) - (parseDate(date) ?? Date.now());
  return wait > 0 ? Math.min(wait, maxPause) : undefined;
}

/** Unix milliseconds of an HTTP date. */
function parseDate(header: string | string[] | undefined): number | undefined {
  const date = Date.parse(String(header));
  return Number.isNaN(date) ? undefined : date;
}

function describeStatus({ status, headers }: HttpResponse): string {
  const { location } = headers;
  const target = typeof location === 'string' && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  return status >= 300 && status < 400
    ? `HTTP status ${status}: a redirect${target}, which is not followed; set base_url to the final address`
    : `HTTP status ${status}`;
}
