import { subscribe } from 'node:diagnostics_channel';
import PQueue from 'p-queue';
import type { Dispatcher } from 'undici';
import { ConfigError } from '../config/values/config-error.ts';
import { readBody } from './body.ts';
import type { Connections } from './connections.ts';
import { ApiError } from './error.ts';

/** Maximum number of concurrent calls to one host. While the API is silent, more connections would take too much memory. */
const maxConcurrentCalls = 128;

/** One queue per host. A silent host delays only its own accounts. Do not use undici's queue: waiting in it would count as call time. */
const queues = new Map<string, PQueue>();

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Maximum milliseconds from the start of the call to the last byte of the response. */
  readonly timeout: number;
  /** Determines the maximum size of the response. */
  readonly maxItems: number;
  readonly signal: AbortSignal;
  readonly onStart: () => void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Sends a form by POST, after waiting for a free connection to the host. Rejects with ApiError; with ConfigError if the ca_file cannot be
 * used; with the signal's reason on abort.
 */
export async function post(connections: Connections, call: HttpRequest): Promise<HttpResponse> {
  const { host } = new URL(call.url);
  const queue = queues.get(host) ?? new PQueue({ concurrency: maxConcurrentCalls });
  queues.set(host, queue);
  return queue.add(() => send(connections, call), { signal: call.signal });
}

async function send(connections: Connections, call: HttpRequest): Promise<HttpResponse> {
  call.onStart();
  const stop = new AbortController();
  const abort = () => stop.abort(call.signal.reason);
  const timedOut = new ApiError(`no complete response within ${call.timeout} ms`, { reason: 'timeout' });
  const timer = setTimeout(() => stop.abort(timedOut), call.timeout);
  call.signal.addEventListener('abort', abort);
  try {
    return await exchange(connections, call, stop);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : toApiError(error);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', abort);
  }
}

/** Tries again once if the server has just closed the connection: all methods only read. */
async function exchange(connections: Connections, call: HttpRequest, stop: AbortController, isRetry = false) {
  const dispatcher = connections.dispatcherFor(call.timeout);
  try {
    return await attempt(dispatcher, call, stop);
  } catch (error) {
    const wasClosed = error instanceof Error && onUsed.has(error) && 'code' in error && closedCodes.has(error.code);
    if (wasClosed || stop.signal.reason instanceof ApiError) connections.abandon(call.timeout, dispatcher);
    if (wasClosed && !isRetry) return exchange(connections, call, stop, true);
    throw error;
  }
}

/** Does not follow redirects, because a redirect would send the credentials to another server. */
async function attempt(dispatcher: Dispatcher, call: HttpRequest, stop: AbortController): Promise<HttpResponse> {
  const { origin, pathname, search } = new URL(call.url);
  const request = dispatcher.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      ...call.headers,
    },
    body: call.body,
    signal: stop.signal,
    // The deadline limits the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // undici ignores the signal while it connects.
  const { statusCode, headers, body } = await Promise.race([request, rejectionBy(stop.signal)]);
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  return { status: statusCode, headers, body: await readBody(body, encoding, call.maxItems, stop) };
}

function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

/** The codes of errors after the other side has closed the connection. */
const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Connections that have carried a call. */
const used = new WeakSet<object>();
/** Calls on a used connection, and their errors. */
const onUsed = new WeakSet<object>();

subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as Record<'request' | 'socket', object>;
  if (used.has(socket)) onUsed.add(request);
  used.add(socket);
});

subscribe('undici:request:error', (message) => {
  const { request, error } = message as Record<'request' | 'error', object>;
  if (onUsed.has(request)) onUsed.add(error);
});

function toApiError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof ConfigError) return error;
  const causes = causesOf(error);
  const reason = causes.some(({ code }) => localCodes.has(code)) ? 'local' : 'network';
  return new ApiError(causes.map(({ message }) => message).join('; '), { reason, cause: error });
}

/** Error codes for a lack of file descriptors, memory or ports on this machine. */
const localCodes: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/** The innermost errors, because the AggregateError of several connection attempts has an empty message and no code. */
function causesOf(error: Error): readonly NodeJS.ErrnoException[] {
  if (error instanceof AggregateError) return error.errors.flatMap(causesOf);
  return error.cause instanceof Error && error.message === '' ? causesOf(error.cause) : [error];
}
