import { request } from 'undici';
import type { ApiConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { readBody } from './body.ts';
import type { Connections } from './connections.ts';
import { ApiError } from './error.ts';

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `maxItems` determines the maximum size of the response. */
  readonly api: Pick<ApiConfig, 'timeout' | 'maxItems'>;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Sends a form by POST. Does not follow redirects, because a redirect would send the credentials to another server. Rejects with ApiError;
 * with ConfigError if the ca_file cannot be used; with the signal's reason on abort.
 */
export async function post(connections: Connections, call: HttpRequest): Promise<HttpResponse> {
  const dispatcher = connections.dispatcher();
  const stop = new AbortController();
  const { signal } = stop;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    stop.abort(reason);
    // undici ignores the signal while it connects.
    reject(reason);
  };
  const deadline = () => end(new ApiError(`no complete response within ${call.api.timeout} ms`, { reason: 'timeout' }));
  const timer = setTimeout(deadline, call.api.timeout);
  call.signal.addEventListener('abort', () => end(call.signal.reason), { signal });
  const options = {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      ...call.headers,
    },
    body: call.body,
    signal,
    // `deadline` limits the whole call instead.
    headersTimeout: 0,
    bodyTimeout: 0,
  } as const;
  const send = async () => {
    const { statusCode: status, headers, body } = await Promise.race([request(call.url, options), ended]);
    const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
    return { status, headers, body: await readBody(body, encoding, call.api.maxItems, stop) };
  };
  try {
    // The server may close a connection at any time. Sending the call again is safe, because all methods only read.
    return await send().catch((error) => (closedCodes.has(error.code) ? send() : Promise.reject(error)));
  } catch (error) {
    const thrown = signal.aborted ? signal.reason : toApiError(error);
    // After a timeout, close the idle connections, because they may be dead.
    if (thrown instanceof ApiError && thrown.reason === 'timeout') void connections.close();
    throw thrown;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/** Error codes that mean that the other side has closed the connection. */
const closedCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function toApiError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError || error instanceof ConfigError) return error;
  const causes = causesOf(error);
  const reason = causes.some(({ code }) => localCodes.has(code)) ? 'local' : 'network';
  return new ApiError(causes.map(({ message }) => message).join('; '), { reason, cause: error });
}

/** Error codes for a lack of file descriptors, memory or ports on this machine. */
const localCodes: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/** Returns the innermost errors, because the AggregateError of several connection attempts has an empty message and no code. */
function causesOf(error: Error): readonly NodeJS.ErrnoException[] {
  if (error instanceof AggregateError) return error.errors.flatMap(causesOf);
  return error.cause instanceof Error && error.message === '' ? causesOf(error.cause) : [error];
}
