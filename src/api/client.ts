import type * as z from 'zod';
import type { ApiConfig, Credentials } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Api } from './api.ts';
import type { Budget, Priority } from './budget.ts';
import type { Dialect } from './dialect.ts';
import { openEnvelope, reasonOfCode } from './envelope.ts';
import { ApiError, type ApiErrorDetails, type Reason } from './error.ts';
import type { Method } from './method.ts';
import { describeIssues, readPayload } from './payload.ts';
import { redactor } from './redaction.ts';
import { requestForm } from './request-form.ts';
import { SectionMemory } from './section-memory.ts';
import { type Dispatcher, type HttpAnswer, post, TransportError } from './transport.ts';

/** Milliseconds after a refusal for the rate: by then no call of ours counts any more. */
const limitPause = 60_000;

/** The longest Retry-After that is believed: the allowance is one of calls per minute. */
const longestRetryAfter = 3_600_000;

/** Milliseconds after which a method that the API did not know is asked for again. */
const unknownMethodMemory = 86_400_000;

/** Characters of the API's own words that an error repeats. */
const maxMessageLength = 300;

/** How the API says that it does not know a method that is called without parameters. */
const unknownMethodCodes: ReadonlySet<string> = new Set(['NO_SUCH_METHOD', 'INCORRECT_REQUEST']);

type Parameters = Readonly<Record<string, string>>;

/** Told of every call that is sent. */
export interface CallObserver {
  onStart(method: Method): void;
  /** The API's own clock as its answer shows it, in unix milliseconds. */
  onDate?(date: number): void;
  /** `seconds` from the start to the last byte; `error` where the call failed or its payload had an issue. */
  onEnd(method: Method, seconds: number, error: ApiError | undefined): void;
}

/** What one poll brings along for its calls. */
export interface PollOptions {
  readonly priority: Priority;
  readonly signal: AbortSignal;
  /** Told of fields that made no sense and were left out of a payload, and how many elements of lists went with them. */
  readonly onIssue: (error: ApiError, droppedElements: number) => void;
}

/** The calls of one account, with its credentials and budget, and what was learned of the dialect of its answers. */
export class ApiClient {
  readonly #config: ApiConfig;
  readonly #credentials: Credentials;
  readonly #dispatcher: Dispatcher;
  readonly #budget: Budget;
  readonly #observer: CallObserver;
  readonly #sections = new SectionMemory();
  /** Until when (unix milliseconds) a method counts as unknown. */
  readonly #unknownMethods = new Map<Method, number>();
  #dialect: Dialect = 'specification';

  constructor(
    config: ApiConfig,
    credentials: Credentials,
    dispatcher: Dispatcher,
    budget: Budget,
    observer: CallObserver,
  ) {
    this.#config = config;
    this.#credentials = credentials;
    this.#dispatcher = dispatcher;
    this.#budget = budget;
    this.#observer = observer;
  }

  /** The API as one poll sees it. Calls reject with the signal's reason once that aborts. */
  forPoll(options: PollOptions): Api {
    const { priority, signal } = options;
    const call = <T>(method: Method, schema: z.ZodType<T>, parameters: Parameters = {}): Promise<T> =>
      this.#budget.run(priority, signal, () => this.#call(method, schema, parameters, options));
    return { call, callFirst: (candidates) => this.#callFirst(candidates, call) };
  }

  async #callFirst<T>(
    candidates: readonly (readonly [Method, z.ZodType<T>])[],
    call: (method: Method, schema: z.ZodType<T>) => Promise<T>,
  ): Promise<T> {
    const [candidate, ...others] = candidates.filter(
      ([method]) => (this.#unknownMethods.get(method) ?? 0) < Date.now(),
    );
    if (candidate === undefined) throw new RangeError('no method is left to call');
    const [method, schema] = candidate;
    if (others.length === 0) return call(method, schema);
    try {
      return await call(method, schema);
    } catch (error) {
      if (!(error instanceof ApiError && unknownMethodCodes.has(error.code ?? ''))) throw error;
    }
    const payload = await this.#callFirst(others, call);
    // Only now: an API in trouble may refuse whatever it is asked as malformed.
    this.#unknownMethods.set(method, Date.now() + unknownMethodMemory);
    return payload;
  }

  async #call<T>(method: Method, schema: z.ZodType<T>, parameters: Parameters, options: PollOptions): Promise<T> {
    let started = performance.now();
    this.#observer.onStart(method);
    let failure: ApiError | undefined;
    try {
      const secret = this.#reveal(method);
      const call: Call = { method, parameters, secret, sent: this.#sections.sent(), signal: options.signal };
      const result = this.#open(
        call,
        await this.#post(call, () => {
          started = performance.now();
        }),
      );
      const { payload, issues, droppedElements } = readPayload(schema, result);
      if (issues.length > 0) {
        failure = makeError(call, describeIssues(issues), { reason: 'payload', accepted: true });
      }
      if (payload === undefined && failure !== undefined) throw failure;
      if (failure !== undefined) options.onIssue(failure, droppedElements);
      return payload as T;
    } catch (error) {
      if (error instanceof ApiError) failure = error;
      throw error;
    } finally {
      if (failure?.reason === 'limit') this.#budget.pause(failure.retryAfter ?? limitPause);
      if (!options.signal.aborted) this.#observer.onEnd(method, (performance.now() - started) / 1000, failure);
    }
  }

  /** The password or token as it is now. Without one no call is sent, and it counts as one that was refused. */
  #reveal(method: Method): string {
    const credentials = this.#credentials;
    try {
      return (credentials.kind === 'token' ? credentials.token : credentials.password).reveal();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ApiError(`${method}: not called: ${error.message}`, { reason: 'auth', cause: error });
    }
  }

  async #post(call: Call, onStart: () => void): Promise<HttpAnswer> {
    const { method, parameters, secret, signal } = call;
    const { baseUrl, timeout, inputFormat } = this.#config;
    const format = inputFormat === 'auto' ? (this.#dialect === 'provider' ? 'json' : 'plain') : inputFormat;
    const form = requestForm(this.#credentials, secret, parameters, format);
    try {
      const answer = await post(this.#dispatcher, { url: `${baseUrl}/${method}`, ...form, timeout, signal, onStart });
      const date = Date.parse(String(answer.headers['date']));
      if (!Number.isNaN(date)) this.#observer.onDate?.(date);
      return answer;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      throw makeError(call, error.message, { reason: error.reason, cause: error });
    }
  }

  /** The result that an answer holds. */
  #open(call: Call, answer: HttpAnswer): unknown {
    const opened = openEnvelope(answer.body);
    if (opened.kind === 'refusal') {
      const { code, text } = opened;
      this.#dialect = opened.dialect ?? this.#dialect;
      const reason = this.#sections.refused(call.method, reasonOfCode(code), text, call.sent);
      throw makeError(call, `${code}: ${text}`, { ...ofStatus(answer, reason), code });
    }
    if (answer.status < 200 || answer.status > 299) {
      throw makeError(call, describeStatus(answer), { ...ofStatus(answer, 'http'), accepted: false });
    }
    if (opened.kind === 'unreadable') {
      throw makeError(call, `the answer is ${opened.why}`, { reason: 'payload' });
    }
    if (!answer.isUtf8) throw makeError(call, 'the answer is not UTF-8', { reason: 'payload' });
    this.#dialect = opened.dialect;
    this.#sections.accepted(call.method, call.sent);
    return opened.result;
  }
}

/** One call, with the secret that it was sent with: by the time it fails the secret may be another one. */
interface Call {
  readonly method: Method;
  readonly parameters: Parameters;
  readonly secret: string;
  /** By the clock of the section memory. */
  readonly sent: number;
  readonly signal: AbortSignal;
}

/** Redacts first and shortens then: a piece of a secret would not be known as one. */
function makeError({ method, secret }: Call, message: string, details: ApiErrorDetails): ApiError {
  const text = redactor(secret)(`${method}: ${message}`).replace(/\p{Cc}+/gu, ' ');
  return new ApiError(text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}...` : text, details);
}

/** 429 is a limit, whatever else the answer says. */
function ofStatus({ status, headers }: HttpAnswer, reason: Reason): ApiErrorDetails {
  return { reason: status === 429 ? 'limit' : reason, retryAfter: readRetryAfter(headers['retry-after']) };
}

/** Milliseconds of a Retry-After, which is a number of seconds or a date; undefined where it tells nothing. */
function readRetryAfter(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? Math.min(wait, longestRetryAfter) : undefined;
}

function describeStatus({ status, headers }: HttpAnswer): string {
  const { location } = headers;
  const target = typeof location === 'string' && URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  return status >= 300 && status < 400
    ? `HTTP status ${status}: a redirect${target}, which is not followed`
    : `HTTP status ${status}`;
}
