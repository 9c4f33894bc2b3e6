import PQueue from 'p-queue';
import type { AccountConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { secretOf } from '../config/values/secret.ts';
import type { PayloadSchema } from '../payloads/scalars.ts';
import { permissionText, readAnswer, refuseLongLists } from './answer.ts';
import type { CallOrder } from './budget.ts';
import type { Connections } from './connections.ts';
import { ApiError } from './error.ts';
import type { Method } from './method.ts';
import { describeIssues, readPayload } from './payload.ts';
import { redact } from './redaction.ts';
import type { AnsweredCall, ApiSession } from './session.ts';
import { type HttpResponse, post } from './transport.ts';

/** Maximum number of concurrent calls to one host. If the host stops answering, more calls would take too much memory. */
const maxConcurrentCalls = 128;

/** One queue per base URL, so a silent host delays only its own accounts. If calls waited in undici, the wait would count as call time. */
const queues = new Map<string, PQueue>();

/** Length of the pause, in milliseconds, after LIMIT_ERROR or HTTP status 429 without a Retry-After header. */
const limitPause = 60_000;

/** Milliseconds until an unknown method is called again. */
const unknownMethodLifetime = 86_400_000;

/** Maximum number of characters of an error message. The API may send a text of any length. */
const maxMessageLength = 300;

/** A call that has ended. Calls that the credential gate blocked, and calls whose secret could not be read, are not recorded. */
export interface Call {
  readonly method: Method;
  /** Seconds from the start of the call until its response has been read; undefined if the poll was aborted. */
  readonly seconds: number | undefined;
  /** Why the call failed, or the issues of its payload. If the reason of `error` is `local`, the call was not sent. */
  readonly error: ApiError | undefined;
}

export interface ClientOptions extends Pick<AccountConfig, 'api' | 'credentials'> {
  readonly connections: Connections;
  readonly session: ApiSession;
}

/** Makes the calls for one payload, and records calls and issues for the poll. If the signal aborts, calls reject with its reason. */
export class ApiClient {
  readonly calls: Call[] = [];
  /** One error for each payload from which `call` removed invalid fields. */
  readonly issues: ApiError[] = [];
  /** False if list elements were dropped because of issues. */
  isComplete = true;
  readonly #options: ClientOptions;
  readonly #order: CallOrder;

  constructor(options: ClientOptions, order: CallOrder) {
    this.#options = options;
    this.#order = order;
  }

  /** Calls a method. Omits invalid fields, and reports them in `issues`. Rejects with ApiError if the call fails or no field is valid. */
  async call<T>(method: Method, schema: PayloadSchema<T>, parameters: AnsweredCall['parameters'] = {}): Promise<T> {
    const { api, credentials, session } = this.#options;
    const { budget, gate } = session;
    const { signal } = this.#order;
    const queue = queues.get(api.baseUrl) ?? new PQueue({ concurrency: maxConcurrentCalls });
    queues.set(api.baseUrl, queue);
    try {
      const secret = secretOf(credentials).reveal();
      const send = () => queue.add(() => this.#send({ method, parameters, secret }, schema), { signal });
      gate.admit(secret);
      return await budget.run(this.#order, () => gate.admit(secret), send);
    } catch (error) {
      throw error instanceof ConfigError ? notSent(method, error) : error;
    }
  }

  /**
   * Calls a method that the API may lack. If the API refuses a method that it has not accepted before, resolves with the result of
   * `instead`, or with undefined. If the error code means an unknown method, or if `instead` has a result, does not call the method again
   * for a day. For other error codes, rejects if `instead` resolves with undefined, because the API may know the method.
   */
  async callIfOffered<T>(
    method: Method,
    schema: PayloadSchema<T>,
    parameters?: AnsweredCall['parameters'],
    instead?: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { methods } = this.#options.session;
    const known = methods.get(method);
    if (typeof known === 'number' && known > performance.now()) return instead?.();
    try {
      return await this.call(method, schema, parameters);
    } catch (error) {
      if (!isRefusal(error) || methods.get(method) === 'accepted') throw error;
      const result = await instead?.();
      // With parameters, INCORRECT_REQUEST may mean wrong parameters, so only NO_SUCH_METHOD means an unknown method.
      const isUnknown = error.code === 'NO_SUCH_METHOD' || (!parameters && error.code === 'INCORRECT_REQUEST');
      if (isUnknown || result !== undefined) methods.set(method, performance.now() + unknownMethodLifetime);
      else if (instead !== undefined) throw error;
      return result;
    }
  }

  async #send<T>(call: SentCall, schema: PayloadSchema<T>): Promise<T> {
    const { method, secret } = call;
    const { api, session } = this.#options;
    const wasProven = session.gate.proven === secret;
    const started = performance.now();
    let error: ApiError | undefined;
    try {
      const response = await this.#post(call);
      const { dialect, result } = readAnswer(response, method);
      session.dialect = dialect;
      session.methods.set(method, 'accepted');
      session.gate.accepted(secret);
      refuseLongLists(result, api.maxItems);
      const { payload, issues, droppedElements } = readPayload(schema(api), result);
      if (droppedElements > 0) this.isComplete = false;
      if (issues.length === 0) return payload as T;
      error = forUsers(new ApiError(describeIssues(issues), { reason: 'payload', accepted: true }), call);
      if (payload === undefined) throw error;
      this.issues.push(error);
      return payload;
    } catch (thrown) {
      error ??= this.#judge(thrown, call, wasProven);
      throw error ?? thrown;
    } finally {
      const seconds = this.#order.signal.aborted ? undefined : (performance.now() - started) / 1000;
      this.calls.push({ method, seconds, error });
    }
  }

  /** The URL contains no credentials and no parameters, because proxies and logs store URLs. */
  async #post(call: SentCall): Promise<HttpResponse> {
    const { method, parameters, secret } = call;
    const { api, credentials, connections, session } = this.#options;
    const usesJson = api.inputFormat === 'auto' ? session.dialect === 'provider' : api.inputFormat === 'json';
    const isToken = credentials.kind === 'token';
    const login = isToken ? {} : { login: credentials.login, passwd: secret, output_format: 'json' };
    const json = { input_format: 'json', input_data: JSON.stringify(parameters) };
    const hasJson = usesJson && Object.keys(parameters).length > 0;
    const request = {
      url: `${api.baseUrl}/${method}${isToken ? '?output_format=json' : ''}`,
      headers: isToken ? { authorization: `Bearer ${secret}` } : {},
      body: new URLSearchParams({ ...login, ...(hasJson ? json : parameters) }).toString(),
      api,
      signal: this.#order.signal,
    };
    try {
      const response = await post(connections, request);
      const date = Date.parse(String(response.headers['date']));
      if (!Number.isNaN(date)) session.skew = date - Date.now();
      session.onAnswer?.(call, response);
      return response;
    } catch (error) {
      if (error instanceof ApiError) session.onAnswer?.(call, error);
      throw error;
    }
  }

  /**
   * Updates the session after a failed call. Returns undefined if the error is not a failed call, such as an abort. AUTH_ERROR may mean a
   * wrong password or a missing permission. It means a missing permission if the text says so, or if the API rejects the method again after
   * it accepted the secret for another method. A single rejection may also mean that the password has just changed.
   */
  #judge(thrown: unknown, call: SentCall, wasProven: boolean): ApiError | undefined {
    const { method, secret } = call;
    const { budget, gate, methods } = this.#options.session;
    if (thrown instanceof ConfigError) return notSent(method, thrown);
    if (!(thrown instanceof ApiError)) return undefined;
    const isRejected = thrown.reason === 'auth';
    const isRepeated = methods.get(method) === 'rejected' && wasProven && gate.proven === secret;
    if (isRejected) methods.set(method, 'rejected');
    const error = forUsers(thrown, call, isRejected && (isRepeated || permissionText.test(thrown.message)));
    const { reason, message, retryAfter } = error;
    if (reason === 'limit') budget.pause(retryAfter ?? limitPause);
    if (reason === 'permission' || reason === 'method') gate.accepted(secret);
    if (reason === 'auth') gate.rejected(secret, wasProven, message);
    return error;
  }
}

interface SentCall extends AnsweredCall {
  /** The secret that this call sends. The configured secret may change during the call. */
  readonly secret: string;
}

/** Whether the API answered with an error that may concern only this call. Errors about credentials or limits concern all calls. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== undefined && error.reason !== 'auth' && error.reason !== 'limit';
}

function notSent(method: Method, error: ConfigError): ApiError {
  return new ApiError(`${method}: not sent: ${error.message}`, { reason: 'local', cause: error });
}

/** Returns the error with a message that names the method, fits in a log line and contains no secret. */
function forUsers(error: ApiError, { method, secret }: SentCall, lacksPermission = false): ApiError {
  // Redact before shortening, because redaction misses a secret that is cut off. An encoded secret has at most 9 times its length.
  const beginning = error.message.slice(0, 9 * (secret.length + 1) * maxMessageLength);
  const text = `${method}: ${redact(beginning, secret)}`;
  const shortened = text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text;
  const permission = lacksPermission && ({ reason: 'permission', accepted: true } as const);
  return new ApiError(shortened.replace(/\p{Cc}+/gu, ' '), { ...error, cause: error.cause, ...permission });
}
