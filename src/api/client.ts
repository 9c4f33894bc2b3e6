import type * as z from 'zod';
import type { ApiConfig, Credentials } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Api } from './api.ts';
import type { Priority } from './budget.ts';
import { readEnvelope, reasonOfCode } from './envelope.ts';
import { ApiError, type ApiErrorDetails, type Reason } from './error.ts';
import type { Method } from './method.ts';
import { describeIssues, readPayload } from './payload.ts';
import { redactor } from './redaction.ts';
import { requestForm } from './request-form.ts';
import type { ApiSession } from './session.ts';
import { type Dispatcher, type HttpResponse, post, TransportError } from './transport.ts';

/** Milliseconds to pause after a LIMIT_ERROR: the limit is per minute, so earlier calls no longer count afterwards. */
const limitPause = 60_000;

/** Longest Retry-After in milliseconds that is honored: the API limits calls per minute, not per day. */
const maxRetryAfter = 3_600_000;

/** Milliseconds until a method that the API did not know is called again. */
const unknownMethodLifetime = 86_400_000;

/** Characters. An error message may contain text of any length from the API. */
const maxMessageLength = 300;

/** Codes by which the API rejects an unknown method that is called without parameters. */
const unknownMethodCodes: ReadonlySet<string> = new Set(['NO_SUCH_METHOD', 'INCORRECT_REQUEST']);

type Parameters = Readonly<Record<string, string>>;

/** Receives what happens to calls. */
export interface CallObserver {
  /** A call was sent; called when its outcome is known. Not called for a failure with reason `local`. */
  onSent(method: Method): void;
  /** The Date header of the response, in Unix milliseconds. */
  onDate?(date: number): void;
  /** `seconds` from the start to the last byte; `error` if the call failed or its payload had issues. */
  onEnd(method: Method, seconds: number, error: ApiError | undefined): void;
}

/** Options of all calls of one poll. */
export interface PollOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  /** Receives the issues of a payload, and the number of list elements dropped because of them. */
  readonly onIssue: (error: ApiError, droppedElements: number) => void;
  /** Receives the number of list elements that later ones with the same key replaced. */
  readonly onDuplicates?: (method: Method, duplicates: number) => void;
}

/** Makes the calls of one account with its credentials, within the budget of its session. */
export class ApiClient {
  readonly #config: ApiConfig;
  readonly #credentials: Credentials;
  readonly #dispatcher: Dispatcher;
  readonly #session: ApiSession;
  readonly #observer: CallObserver;

  constructor(
    config: ApiConfig,
    credentials: Credentials,
    dispatcher: Dispatcher,
    session: ApiSession,
    observer: CallObserver,
  ) {
    this.#config = config;
    this.#credentials = credentials;
    this.#dispatcher = dispatcher;
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
    return { call, callFirst: (candidates) => this.#callFirst(candidates, call) };
  }

  async #callFirst<T>(
    candidates: readonly (readonly [Method, z.ZodType<T>])[],
    call: (method: Method, schema: z.ZodType<T>) => Promise<T>,
  ): Promise<T> {
    const [candidate, ...others] = candidates.filter(
      ([method]) => (this.#session.unknownMethods.get(method) ?? 0) < Date.now(),
    );
    if (candidate === undefined) throw new RangeError('callFirst needs at least one method');
    const [method, schema] = candidate;
    if (others.length === 0) return call(method, schema);
    try {
      return await call(method, schema);
    } catch (error) {
      if (!(error instanceof ApiError && unknownMethodCodes.has(error.code ?? ''))) throw error;
    }
    const payload = await this.#callFirst(others, call);
    // Recorded only after another method succeeded, because a failing API may reject every call as malformed.
    this.#session.unknownMethods.set(method, Date.now() + unknownMethodLifetime);
    return payload;
  }

  async #call<T>(method: Method, schema: z.ZodType<T>, parameters: Parameters, options: PollOptions): Promise<T> {
    // Again, because the call may have waited for minutes.
    const secret = this.#reveal(method);
    let started = performance.now();
    let failure: ApiError | undefined;
    try {
      const sent = this.#session.sections.sent();
      const call: Call = { method, parameters, secret, sent, started, signal: options.signal };
      const response = await this.#post(call, () => {
        started = performance.now();
      });
      const result = this.#resultOf(call, response);
      const { payload, issues, droppedElements, duplicates } = readPayload(schema, result, this.#config.maxItems);
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
      if (failure?.reason !== 'local') this.#observer.onSent(method);
      if (failure?.reason === 'limit') this.#session.budget.pause(failure.retryAfter ?? limitPause);
      if (!options.signal.aborted) this.#observer.onEnd(method, (performance.now() - started) / 1000, failure);
    }
  }

  /** The current password or token. If it cannot be read, no call is sent. */
  #reveal(method: Method): string {
    const credentials = this.#credentials;
    try {
      return (credentials.kind === 'token' ? credentials.token : credentials.password).reveal();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ApiError(`${method}: not sent: ${error.message}`, { reason: 'local', cause: error });
    }
  }

  async #post(call: Call, onStart: () => void): Promise<HttpResponse> {
    const { method, parameters, secret, signal } = call;
    const { baseUrl, timeout, inputFormat } = this.#config;
    const format = inputFormat === 'auto' ? (this.#session.dialect === 'provider' ? 'json' : 'plain') : inputFormat;
    const form = requestForm(this.#credentials, secret, parameters, format);
    try {
      const response = await post(this.#dispatcher, { url: `${baseUrl}/${method}`, ...form, timeout, signal, onStart });
      const date = Date.parse(String(response.headers['date']));
      if (!Number.isNaN(date)) this.#observer.onDate?.(date);
      return response;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      throw makeError(call, error.message, { reason: error.reason, cause: error });
    }
  }

  #resultOf(call: Call, response: HttpResponse): unknown {
    const envelope = readEnvelope(response.body);
    if (envelope.kind === 'error') {
      const { code, text } = envelope;
      this.#session.dialect = envelope.dialect ?? this.#session.dialect;
      const { sections, gate } = this.#session;
      const reason = sections.rejected(call.method, reasonOfCode(code), text, call.sent);
      if (reason === 'auth') gate.rejected(call.secret, call.started);
      if (reason === 'permission' || reason === 'method') gate.accepted();
      throw makeError(call, `${code}: ${text}`, { ...statusDetails(response, reason), code });
    }
    if (response.status < 200 || response.status > 299) {
      throw makeError(call, describeStatus(response), { ...statusDetails(response, 'http'), accepted: false });
    }
    if (envelope.kind === 'invalid') throw makeError(call, envelope.problem, { reason: 'payload' });
    if (!response.isUtf8) throw makeError(call, 'the response is not UTF-8', { reason: 'payload' });
    this.#session.dialect = envelope.dialect;
    this.#session.sections.accepted(call.method, call.sent);
    this.#session.gate.accepted();
    return envelope.result;
  }
}

/** One call, and the secret that it was sent with: the configured secret may change before the call fails. */
interface Call {
  readonly method: Method;
  readonly parameters: Parameters;
  readonly secret: string;
  /** Sequence number of SectionAccess. */
  readonly sent: number;
  /** Monotonic clock, in milliseconds. */
  readonly started: number;
  readonly signal: AbortSignal;
}

/** Redacts before truncating, because redaction does not recognize part of a secret. */
function makeError({ method, secret }: Call, message: string, details: ApiErrorDetails): ApiError {
  const text = redactor(secret)(`${method}: ${message}`).replace(/\p{Cc}+/gu, ' ');
  return new ApiError(text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text, details);
}

/** Status 429 is a limit, regardless of the body. */
function statusDetails({ status, headers }: HttpResponse, reason: Reason): ApiErrorDetails {
  return { reason: status === 429 ? 'limit' : reason, retryAfter: parseRetryAfter(headers['retry-after']) };
}

/** Milliseconds of a Retry-After header, which holds seconds or a date. */
function parseRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? Math.min(wait, maxRetryAfter) : undefined;
}

function describeStatus({ status, headers }: HttpResponse): string {
  const { location } = headers;
  const target = typeof location === 'string' && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  return status >= 300 && status < 400
    ? `HTTP status ${status}: a redirect${target}, which is not followed; set base_url to the final address`
    : `HTTP status ${status}`;
}
