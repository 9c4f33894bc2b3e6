import type { AccountConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { secretOf } from '../config/values/secret.ts';
import type { PayloadSchema } from '../payloads/scalars.ts';
import { readAnswer, refuseLongLists } from './answer.ts';
import type { Priority } from './budget.ts';
import type { Connections } from './connections.ts';
import { ApiError } from './error.ts';
import type { Method } from './method.ts';
import { describeIssues, type ReadPayload, readPayload } from './payload.ts';
import { redactor } from './redaction.ts';
import { requestForm } from './request-form.ts';
import type { AnsweredCall, ApiSession } from './session.ts';
import { type HttpResponse, post } from './transport.ts';

/** Milliseconds of the pause after LIMIT_ERROR or HTTP status 429 without a Retry-After header. */
const limitPause = 60_000;

/** Milliseconds until an unknown method is called again. */
const unknownMethodLifetime = 86_400_000;

/** Maximum number of characters of an error message. The API may send a text of any length. */
const maxMessageLength = 300;

/** Error codes of the API for an unknown method that is called without parameters. */
const unknownMethodCodes: ReadonlySet<string> = new Set(['NO_SUCH_METHOD', 'INCORRECT_REQUEST']);

/** Observed texts for a missing permission. The text for a wrong password does not mention the method. */
const permissionText = /cannot access (?:the )?method|method disabled/i;

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
}

interface PollOptions {
  readonly priority: Priority;
  /** Position of the item in its poll. */
  readonly position: number;
  readonly signal: AbortSignal;
  /** Called once for each call, before the call resolves or rejects. */
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
    const { priority, position, signal } = this.#poll;
    const configured = secretOf(this.#options.credentials);
    try {
      for (;;) {
        const secret = configured.reveal();
        // Resolves with undefined if the secret changed while the call waited for the budget. The loop then tries the new secret.
        const send = async () =>
          configured.reveal() === secret ? this.#send({ method, parameters, secret }, schema) : undefined;
        const inBudget = () => budget.run(priority, signal, send, position);
        const payload = await gate.attempt(secret, priority, signal, inBudget);
        if (payload !== undefined) return payload;
      }
    } catch (error) {
      throw error instanceof ConfigError ? notSent(method, error) : error;
    }
  }

  /**
   * Calls a method, or another one if the API refuses the first, because an API may refuse an unknown method with any error code. The first
   * is unknown if its error code says so, or if `isUsable` accepts the other payload. An unknown method is not called for a day. If the API
   * may know the refused method, rejects with its error.
   */
  async callFirst<T>(
    [method, schema]: readonly [Method, PayloadSchema<T>],
    other: readonly [Method, PayloadSchema<T>],
    isUsable: (payload: T) => boolean,
  ): Promise<T> {
    if (this.#isUnknown(method)) return this.call(...other);
    try {
      return await this.call(method, schema);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const payload = await this.call(...other);
      if (!isUsable(payload) && !unknownMethodCodes.has(error.code ?? '')) throw error;
      // A failing API may reject every call as malformed. Mark the refused method only after another method succeeded.
      this.#markUnknown(method);
      return payload;
    }
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

  async #send<T>(call: SentCall, schema: PayloadSchema<T>): Promise<T> {
    const { method, secret } = call;
    const { api } = this.#options;
    const session = this.#session;
    const wasProven = session.gate.isProven(secret);
    let started = performance.now();
    let ended: number | undefined;
    let read: ReadPayload<T | undefined> | undefined;
    let error: ApiError | undefined;
    try {
      const response = await this.#post(call, () => {
        started = performance.now();
      });
      ended = performance.now();
      const { dialect, result } = readAnswer(response, method);
      session.dialect = dialect;
      session.rejectedMethods.delete(method);
      session.gate.accepted(secret);
      refuseLongLists(result, api.maxItems);
      read = readPayload(schema(api), result);
      if (read.issues.length > 0)
        throw new ApiError(describeIssues(read.issues), { reason: 'payload', accepted: true });
      return read.payload as T;
    } catch (thrown) {
      if (thrown instanceof ConfigError) error = notSent(method, thrown);
      if (thrown instanceof ApiError) error = forUsers(thrown, call, this.#lacksPermission(thrown, call, wasProven));
      if (error === undefined) throw thrown;
      this.#applyFailure(error, secret, wasProven);
      if (read?.payload !== undefined) return read.payload;
      throw error;
    } finally {
      const seconds = this.#poll.signal.aborted ? undefined : ((ended ?? performance.now()) - started) / 1000;
      this.#poll.onCall({ method, wasSent: error?.reason !== 'local', seconds, error, read });
    }
  }

  async #post(call: SentCall, onStart: () => void): Promise<HttpResponse> {
    const { method, parameters, secret } = call;
    const { api, credentials, connections } = this.#options;
    const { baseUrl, timeout, maxItems, inputFormat } = api;
    const { dialect, clock, onAnswer } = this.#session;
    const format = inputFormat === 'auto' ? (dialect === 'provider' ? 'json' : 'plain') : inputFormat;
    const { query, ...form } = requestForm(credentials, secret, parameters, format);
    const limits = { timeout, maxItems, signal: this.#poll.signal };
    try {
      const response = await post(connections, { url: `${baseUrl}/${method}${query}`, ...form, ...limits, onStart });
      clock.observe(Date.parse(String(response.headers['date'])));
      onAnswer?.(call, response);
      return response;
    } catch (error) {
      if (error instanceof ApiError) onAnswer?.(call, error);
      throw error;
    }
  }

  /**
   * Tells a missing permission from a wrong password, because both may have the code AUTH_ERROR: by the text, or because the method is
   * rejected again after the API accepted the secret for another method. One rejection may mean a new password.
   */
  #lacksPermission({ reason, message }: ApiError, { method, secret }: SentCall, wasProven: boolean): boolean {
    if (reason !== 'auth') return false;
    const { gate, rejectedMethods } = this.#session;
    const isRepeated = rejectedMethods.has(method) && wasProven && gate.isProven(secret);
    rejectedMethods.add(method);
    return isRepeated || permissionText.test(message);
  }

  #applyFailure({ reason, message, dialect, retryAfter }: ApiError, secret: string, wasProven: boolean): void {
    const session = this.#session;
    session.dialect = dialect ?? session.dialect;
    if (reason === 'limit') session.budget.pause(retryAfter ?? limitPause);
    if (reason === 'permission' || reason === 'method') session.gate.accepted(secret);
    const refusal = reason === 'auth' ? session.gate.rejected(secret, wasProven, message) : undefined;
    if (refusal !== undefined) session.budget.rejectWaiting(refusal);
  }
}

interface SentCall extends AnsweredCall {
  /** The secret that this call sends. The configured secret may change during the call. */
  readonly secret: string;
}

/** Whether the API answered with an error that may concern only this call. Rejected credentials and limits concern all calls. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== undefined && error.reason !== 'auth' && error.reason !== 'limit';
}

function notSent(method: Method, error: ConfigError): ApiError {
  return new ApiError(`${method}: not sent: ${error.message}`, { reason: 'local', cause: error });
}

/** The error with a message that names the method, fits in a log line and contains no secret. */
function forUsers(error: ApiError, { method, secret }: SentCall, lacksPermission: boolean): ApiError {
  // Redact before shortening, because redaction does not recognize a secret that is cut off.
  const text = `${method}: ${redactor(secret)(error.message)}`.replace(/\p{Cc}+/gu, ' ');
  const message = text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text;
  const permission = lacksPermission && ({ reason: 'permission', accepted: true } as const);
  return new ApiError(message, { ...error, cause: error.cause, ...permission });
}
