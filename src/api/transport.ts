import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import PQueue from 'p-queue';
import { type Dispatcher, EnvHttpProxyAgent, errors, request } from 'undici';
import { ConfigError } from '../config/config-error.ts';

export type { Dispatcher } from 'undici';

/** The largest answer that is read, before and after decompression: thousands of domains fit in easily. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Calls of all accounts under way at once, so that the start of a fleet is no burst. */
const mostAtOnce = 128;

/** The calls that wait for a connection of a dispatcher. */
const waiting = new WeakMap<Dispatcher, PQueue>();

const decompress = promisify(gunzip);

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds from the start to the last byte. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Called when there is a connection for it; the time until then is not the API's. */
  readonly onStart: () => void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Without a byte order mark. */
  readonly body: string;
  /** False where bytes of the body are no UTF-8: different texts may read the same then. */
  readonly isUtf8: boolean;
}

/** A call that brought no whole answer. The message says what happened, in words for people. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reason: 'network' | 'timeout' | 'payload';

  constructor(reason: TransportError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/**
 * The connections of all accounts that trust the same authorities. HTTP_PROXY, HTTPS_PROXY and NO_PROXY apply.
 * Throws where the file of certificates can't be read.
 */
export function createDispatcher(caFile: string | undefined): Dispatcher {
  const ca = readAuthorities(caFile);
  const tls = ca === undefined ? {} : { ca };
  return createAgent({ connect: tls, requestTls: tls, connections: mostAtOnce });
}

/** Undici reads the variables of the proxy. */
function createAgent(options: EnvHttpProxyAgent.Options): Dispatcher {
  try {
    return new EnvHttpProxyAgent(options);
  } catch (error) {
    const message = `is not right: ${error instanceof Error ? error.message : String(error)}; write a URL`;
    throw new ConfigError([{ source: 'HTTP_PROXY or HTTPS_PROXY', message }]);
  }
}

/** The certificates to trust, in PEM; undefined for the usual ones. Throws where the file can't be read. */
export function readAuthorities(caFile: string | undefined): string[] | undefined {
  return caFile === undefined ? undefined : [...getCACertificates('default'), readFileSync(caFile, 'utf8')];
}

/** Sends one POST with a form as soon as a connection is free. */
export function post(dispatcher: Dispatcher, call: HttpRequest): Promise<HttpAnswer> {
  const queue = waiting.get(dispatcher) ?? new PQueue({ concurrency: mostAtOnce });
  waiting.set(dispatcher, queue);
  return queue.add(() => send(dispatcher, call), { signal: call.signal });
}

/** Redirects are not followed: they would carry the credentials elsewhere. */
async function send(dispatcher: Dispatcher, call: HttpRequest): Promise<HttpAnswer> {
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
    if (deadline.signal.aborted) throw new TransportError('timeout', `no complete answer within ${call.timeout} ms`);
    throw describeFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

/** The body up to the cap, which undici does not keep where a proxy forwards the call. Leaving the loop hangs up. */
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
    throw new TransportError('payload', `an answer in the encoding ${name}, which was not asked for`);
  }
  try {
    return await decompress(bytes, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    const tooLarge = error instanceof RangeError;
    throw new TransportError('payload', tooLarge ? tooLargeMessage : 'a gzip body that is broken', error);
  }
}

const tooLargeMessage = `an answer of more than ${maxBodyBytes / 1024 / 1024} MiB`;

function describeFailure(error: unknown): unknown {
  if (error instanceof TransportError || !(error instanceof Error)) return error;
  if (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  ) {
    return new TransportError('timeout', error.message, error);
  }
  return new TransportError('network', describeNetworkError(error), error);
}

/** The innermost message: an AggregateError of connection attempts has none of its own. */
function describeNetworkError(error: Error): string {
  if (error instanceof AggregateError) {
    return error.errors.map((each: unknown) => (each instanceof Error ? each.message : String(each))).join('; ');
  }
  return error.cause instanceof Error && error.message === '' ? describeNetworkError(error.cause) : error.message;
}
