import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import PQueue from 'p-queue';
import { type Dispatcher, EnvHttpProxyAgent, errors, request } from 'undici';
import { ConfigError } from '../config/config-error.ts';

export type { Dispatcher } from 'undici';

/** Largest response that is read, before and after decompression. Thousands of domains fit in it. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Concurrent connections of all accounts. The limit prevents a burst when a fleet starts. */
const maxConnections = 128;

/** Requests wait here instead of in undici, where the wait would count towards their timeout. */
const connectionQueue = new PQueue({ concurrency: maxConnections });

const decompress = promisify(gunzip);

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds from the start to the last byte. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Called when a connection is free, so that callers can leave the wait out of the request's duration. */
  readonly onStart: () => void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Without a byte order mark. */
  readonly body: string;
  /** False if the body has bytes that are not UTF-8: different texts may look the same after decoding. */
  readonly isUtf8: boolean;
}

/** A request without a complete response. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reason: 'network' | 'timeout' | 'payload' | 'local';

  constructor(reason: TransportError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * Creates the connections of all accounts that trust the same certificate authorities. Honors HTTP_PROXY, HTTPS_PROXY and
 * NO_PROXY. Throws if the certificate file cannot be read or a proxy variable is not a URL.
 */
export function createDispatcher(caFile: string | undefined): Dispatcher {
  const ca = readAuthorities(caFile);
  const tls = ca === undefined ? {} : { ca };
  try {
    return new EnvHttpProxyAgent({ connect: tls, requestTls: tls, connections: maxConnections });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const message = `is not a URL (${problem}); write one such as http://proxy.example:3128`;
    throw new ConfigError([{ source: 'HTTP_PROXY or HTTPS_PROXY', message }]);
  }
}

/** The trusted certificates in PEM; undefined for the default ones. Throws if the file cannot be read. */
export function readAuthorities(caFile: string | undefined): string[] | undefined {
  return caFile === undefined ? undefined : [...getCACertificates('default'), readFileSync(caFile, 'utf8')];
}

/** Sends a form by POST as soon as a connection is free. */
export function post(dispatcher: Dispatcher, call: HttpRequest): Promise<HttpResponse> {
  return connectionQueue.add(() => send(dispatcher, call), { signal: call.signal });
}

/** Does not follow redirects, which would send the credentials to another server. */
async function send(dispatcher: Dispatcher, call: HttpRequest): Promise<HttpResponse> {
  call.onStart();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), call.timeout);
  try {
    const { statusCode, headers, body } = await request(call.url, {
      dispatcher,
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        'accept-encoding': 'gzip',
        ...call.headers,
      },
      body: call.body,
      signal: AbortSignal.any([deadline.signal, call.signal]),
      headersTimeout: call.timeout,
      bodyTimeout: call.timeout,
    });
    const bytes = await decode(await readBytes(body), headers['content-encoding']);
    return { status: statusCode, headers, body: new TextDecoder().decode(bytes), isUtf8: isUtf8(bytes) };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    if (deadline.signal.aborted) throw new TransportError('timeout', `no complete response within ${call.timeout} ms`);
    throw toTransportError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Enforces the size limit here because undici does not enforce its own behind a proxy. Throwing closes the connection. */
async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBodyBytes) throw new TransportError('payload', tooLargeMessage);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function decode(bytes: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
  const name = String(encoding ?? 'identity').toLowerCase();
  if (name === 'identity') return bytes;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw new TransportError('payload', `the response has the content encoding ${name}; only gzip is accepted`);
  }
  try {
    return await decompress(bytes, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    throw new TransportError('payload', tooLarge ? tooLargeMessage : 'the response is not valid gzip', error);
  }
}

const tooLargeMessage = `the response is larger than ${maxBodyBytes / 1024 / 1024} MiB`;

function toTransportError(error: unknown): unknown {
  if (error instanceof TransportError || !(error instanceof Error)) return error;
  if (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  ) {
    return new TransportError('timeout', error.message, error);
  }
  const reason = localCodes.has(errorCode(error)) ? 'local' : 'network';
  return new TransportError(reason, describeNetworkError(error), error);
}

/** Errors of this machine: it has no file descriptor, memory or port left. */
const localCodes: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

function errorCode(error: Error): string | undefined {
  if (error instanceof AggregateError) return error.errors.map(errorCode).find((code) => localCodes.has(code));
  const { code } = error as NodeJS.ErrnoException;
  return code ?? (error.cause instanceof Error ? errorCode(error.cause) : undefined);
}

/** The innermost message: an AggregateError of connection attempts has an empty message. */
function describeNetworkError(error: Error): string {
  if (error instanceof AggregateError) {
    return error.errors.map((each: unknown) => (each instanceof Error ? each.message : String(each))).join('; ');
  }
  return error.cause instanceof Error && error.message === '' ? describeNetworkError(error.cause) : error.message;
}
