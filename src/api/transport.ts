import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import PQueue from 'p-queue';
import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';

/** Maximum number of bytes of a response, before and after decompression. A list of thousands of domains is smaller. */
const maxBodyBytes = 16 * 1024 * 1024;

/** Maximum number of concurrent calls to one host. Prevents a burst at a start with many accounts. */
const maxConnections = 128;

/** One queue per host. A silent host delays only its own accounts. Do not use undici's queue: waiting in it would count as call time. */
const queues = new Map<string, PQueue>();

const decompress = promisify(gunzip);

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Maximum milliseconds from the start of the call to the last byte of the response. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly onStart: () => void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
}

/** A request that failed before its response was complete. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly reason: 'network' | 'timeout' | 'payload' | 'local';

  constructor(reason: TransportError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Sends a form by POST, after waiting for a free connection to the host. Throws ConfigError if the ca_file cannot be used. */
export async function post(connections: Connections, call: HttpRequest): Promise<HttpResponse> {
  const { host } = new URL(call.url);
  const queue = queues.get(host) ?? new PQueue({ concurrency: maxConnections });
  queues.set(host, queue);
  try {
    return await queue.add(() => send(connections.dispatcher, call), { signal: call.signal });
  } finally {
    if (queue.size + queue.pending === 0 && queues.get(host) === queue) queues.delete(host);
  }
}

/** Does not follow redirects, because a redirect would send the credentials to another server. */
async function send(dispatcher: Dispatcher, call: HttpRequest): Promise<HttpResponse> {
  call.onStart();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), call.timeout);
  try {
    const { origin, pathname, search } = new URL(call.url);
    const { statusCode, headers, body } = await dispatcher.request({
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
      signal: AbortSignal.any([deadline.signal, call.signal]),
      // The deadline limits the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { status: statusCode, headers, body: await unpack(await readBytes(body), headers['content-encoding']) };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    if (deadline.signal.aborted) throw new TransportError('timeout', `no complete response within ${call.timeout} ms`);
    throw toTransportError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits the size, because undici does not enforce its own limit behind a proxy. An error closes the connection. */
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

async function unpack(bytes: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
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
  if ('code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new TransportError('timeout', error.message, error);
  }
  const causes = causesOf(error);
  const reason = causes.some(({ code }) => localCodes.has(code)) ? 'local' : 'network';
  return new TransportError(reason, causes.map(({ message }) => message).join('; '), error);
}

/** Error codes for a lack of file descriptors, memory or ports on this machine. */
const localCodes: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/** The innermost errors, because the AggregateError of several connection attempts has an empty message and no code. */
function causesOf(error: Error): readonly NodeJS.ErrnoException[] {
  if (error instanceof AggregateError) return error.errors.flatMap(causesOf);
  return error.cause instanceof Error && error.message === '' ? causesOf(error.cause) : [error];
}
