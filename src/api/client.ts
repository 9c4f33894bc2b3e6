import type { AccountConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { secretOf } from '../config/values/secret.ts';
import type { PayloadSchema } from '../payloads/scalars.ts';
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
import { type AnsweredCall, type ApiSession, maxPause, unknownMethodLifetime } from './session.ts';
import { type HttpResponse, post, TransportError } from './transport.ts';

/** Milliseconds of the pause after LIMIT_ERROR or HTTP status 429 without a Retry-After header. */
const limitPause = 60_000;

/** Maximum number of characters of an error message. The API may send a text of any length. */
const maxMessageLength = 300;

/** Bodies with more bytes are decoded in another thread. Decoding this many bytes takes 30 ms if every element has an issue. */
const maxInlineBytes = 16_384;

/** Error codes of the API for an unknown method that is called without parameters. */
const unknownMethodCodes: ReadonlySet<string> = new Set(['NO_SUCH_METHOD', 'INCORRECT_REQUEST']);

/** HTTP statuses of a server without the API: redirects, and errors for unknown paths or HTTP methods. */
const foreignStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410]);

type Parameters = Readonly<Record<string, string>>;

/** The result of a call. A call has no outcome if the credential gate blocked the call, or if the secret could not be read. */
export interface CallOutcome {
  readonly method: Method;
  /** False if the call failed with the reason `local`. */
  readonly wasSent: boolean;
  /** Seconds from the start of the call to the last byte of the response; undefined if the poll was aborted. */
  readonly seconds: number | undefined;
  /** The failure of the call, or the issues of its payload; undefined without failure and issues. */
  readonly error: ApiError | undefined;
  readonly read: ReadPayload<unknown> | undefined;
}

export interface ClientOptions extends Pick<AccountConfig, 'api' | 'credentials'> {
  readonly connections: Connections;
  readonly session: ApiSession;
  readonly onCall: (outcome: CallOutcome) => void;
  /** Saves the session before each call whose secret the API has not accepted yet. If undefined, the session is not saved. */
  readonly saveNow?: (() => Promise<void>) | undefined;
}

interface PollOptions {
  readonly priority: Priority;
  /** Position of the item in its poll. */
  readonly position: number;
  readonly signal: AbortSignal;
  readonly onCall: (outcome: CallOutcome) => void;
}

/** The typed calls that a collector can make for one account, within the account's budget. */
export type Api = Pick<ApiClient, 'call' | 'callFirst' | 'callIfOffered'>;

/** Makes the calls of one poll. When the signal of the poll aborts, the calls reject with the signal's reason. */
export class ApiClient {
  readonly #options: ClientOptions;
  readonly #session: ApiSession;
  readonly #poll: PollOptions;

  constructor(options: ClientOptions, poll: PollOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#poll = poll;
  }

  /** Omits and reports invalid fields of the result. Rejects with an ApiError if the call fails or no field is valid. */
  async call<T>(method: Method, schema: PayloadSchema<T>, parameters: Parameters = {}): Promise<T> {
    const { budget, gate } = this.#session;
    const { credentials, saveNow } = this.#options;
    const { priority, position, signal } = this.#poll;
    const configured = secretOf(credentials);
    try {
      for (;;) {
        const secret = configured.reveal();
        // Resolves with undefined if the secret changed while the call waited for the budget. The loop then tries the new secret.
        const send = async () =>
          configured.reveal() === secret ? this.#send(method, schema, parameters, secret) : undefined;
        const recorded = saveNow === undefined ? send : () => gate.record(secret, signal, saveNow, send);
        const payload = await (gate.isProven(secret)
          ? budget.run(priority, signal, send, position)
          : gate.attempt(secret, priority, signal, () => budget.run(priority, signal, recorded, position)));
        if (payload !== undefined) return payload;
      }
    } catch (error) {
      throw error instanceof ConfigError ? notSent(method, error) : error;
    }
  }

  /**
   * Calls the candidates in order until one succeeds, because an API may refuse an unknown method with any error code. A refused method
   * is unknown if its error code says so, or if `isUsable` accepts the payload of the next method. An unknown method is not called for a
   * day. If the API may know the refused method, rejects with the error of this method.
   */
  async callFirst<T>(
    candidates: readonly (readonly [Method, PayloadSchema<T>])[],
    isUsable: (payload: T) => boolean,
  ): Promise<T> {
    const [candidate, ...others] = candidates.filter(([method]) => !this.#isUnknown(method));
    if (candidate === undefined) throw new RangeError('callFirst needs at least one method');
    const [method] = candidate;
    if (others.length === 0) return this.call(...candidate);
    let refusal: ApiError;
    try {
      return await this.call(...candidate);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
    const result = await this.callFirst(others, isUsable);
    if (!isUsable(result) && !unknownMethodCodes.has(refusal.code ?? '')) throw refusal;
    // A failing API may reject every call as malformed. Mark the refused method only after another method succeeded.
    this.#markUnknown(method);
    return result;
  }

  /** Resolves with undefined if the API refuses the method and never accepted it. An unknown method is not called for a day. */
  async callIfOffered<T>(method: Method, schema: PayloadSchema<T>, parameters?: Parameters): Promise<T | undefined> {
    const { offeredMethods } = this.#session;
    if (this.#isUnknown(method)) return undefined;
    try {
      const result = await this.call(method, schema, parameters);
      offeredMethods.add(method);
      return result;
    } catch (error) {
      if (!isRefusal(error) || offeredMethods.has(method)) throw error;
      // In a call with parameters, only NO_SUCH_METHOD means an unknown method. Other codes may mean wrong parameters.
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

  async #send<T>(method: Method, schema: PayloadSchema<T>, parameters: Parameters, secret: string): Promise<T> {
    const { access, budget } = this.#session;
    const { signal } = this.#poll;
    let started = performance.now();
    let ended: number | undefined;
    let read: ReadPayload<T | undefined> | undefined;
    let failure: ApiError | undefined;
    try {
      const call: SentCall = { method, parameters, secret, sent: access.sent(), started };
      const response = await this.#post(call, () => {
        started = performance.now();
      });
      ended = performance.now();
      const { sizeUnits, numberFormat, timeZone, maxItems } = this.#options.api;
      const notation = { sizeUnits, numberFormat, timeZone };
      const { body: bytes } = response;
      const decoded =
        bytes.length <= maxInlineBytes
          ? decodeBody(bytes, schema(notation), maxItems)
          : await decodeInThread<T>({ bytes, payloadName: schema.payloadName, notation, maxItems }, signal);
      read = this.#resultOf(call, response, decoded);
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
        read,
      };
      this.#options.onCall(outcome);
      this.#poll.onCall(outcome);
    }
  }

  async #post(call: SentCall, onStart: () => void): Promise<HttpResponse> {
    const { method, parameters, secret } = call;
    const { api, credentials, connections } = this.#options;
    const { baseUrl, timeout, inputFormat } = api;
    const format = inputFormat === 'auto' ? (this.#session.dialect === 'provider' ? 'json' : 'plain') : inputFormat;
    const { query, ...form } = requestForm(credentials, secret, parameters, format);
    try {
      const url = `${baseUrl}/${method}${query}`;
      const response = await post(connections, { url, ...form, timeout, signal: this.#poll.signal, onStart });
      this.#session.clock.observe(Date.parse(String(response.headers['date'])));
      this.#session.onAnswer?.(call, response);
      return response;
    } catch (error) {
      if (error instanceof ConfigError) throw notSent(method, error);
      if (!(error instanceof TransportError)) throw error;
      this.#session.onAnswer?.(call, error);
      throw makeError(call, error.message, { reason: error.reason, cause: error });
    }
  }

  #resultOf<T>(call: SentCall, response: HttpResponse, decoded: DecodedBody<T>): ReadPayload<T | undefined> {
    if (decoded.kind === 'error') {
      const { code, text } = decoded;
      this.#session.dialect = decoded.dialect ?? this.#session.dialect;
      const { access, budget, gate } = this.#session;
      const reason = access.rejected(call.method, reasonOfCode(code), text, call.sent);
      const known = code === '' ? text || 'the API reports an error without code and text' : `${code}: ${text}`;
      const error = makeError(call, known, { ...statusDetails(response, reason), code });
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

interface SentCall extends AnsweredCall {
  /** The secret that this call sends. The configured secret may change during the call. */
  readonly secret: string;
  readonly sent: number;
  /** Start of the call, in milliseconds of the monotonic clock. */
  readonly started: number;
}

/** Whether the API answered with an error that may concern only this call. Rejected credentials and limits concern all calls. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== undefined && error.reason !== 'auth' && error.reason !== 'limit';
}

function notSent(method: Method, error: ConfigError): ApiError {
  return new ApiError(`${method}: not sent: ${error.message}`, { reason: 'local', cause: error });
}

function makeError({ method, secret }: SentCall, message: string, details: ApiErrorDetails): ApiError {
  // Redact before shortening, because redaction may not recognize a secret that is cut off.
  const text = `${method}: ${redactor(secret)(message)}`.replace(/\p{Cc}+/gu, ' ');
  return new ApiError(text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text, {
    ...details,
    method,
  });
}

function statusDetails({ status, headers }: HttpResponse, reason: Reason): ApiErrorDetails {
  return { reason: status === 429 ? 'limit' : reason, retryAfter: parseRetryAfter(headers) };
}

/** Milliseconds to wait; undefined without a valid Retry-After header. A date is compared with the Date header, or else the local clock. */
function parseRetryAfter({ 'retry-after': header, date }: HttpResponse['headers']): number | undefined {
  if (typeof header !== 'string') return undefined;
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
