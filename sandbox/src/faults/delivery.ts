import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { Answer } from '../answer.ts';
import type { Fault } from './fault.ts';

const mebibyte = 1024 * 1024;
const pageStatus = { http_500: 500, http_503: 503, http_429: 429, redirect: 302, html: 200 };
const page = '<!doctype html><html><head><title>Hosting</title></head><body><h1>Please wait</h1></body></html>';

/** Sends the answer, and applies the fault if it affects the delivery. */
export async function deliver(
  reply: FastifyReply,
  answer: Answer,
  fault: Fault | undefined,
  redirectTarget: string,
): Promise<void> {
  if (fault?.latency !== undefined) {
    // An unreferenced timer does not keep the process alive after the server has closed.
    await pause(fault.latency, undefined, { ref: false });
  }
  switch (fault?.kind) {
    case 'reset':
      return reset(reply, answer);
    case 'silence':
      reply.hijack();
      return;
    case 'drip':
      return drip(reply, answer);
    case 'http_500':
    case 'http_503':
    case 'http_429':
    case 'redirect':
    case 'html':
      if (fault.kind === 'http_429') reply.header('retry-after', String(fault.retryAfter ?? 7));
      if (fault.kind === 'redirect') reply.header('location', redirectTarget);
      return send(reply, { ...answer, status: pageStatus[fault.kind], contentType: 'text/html', body: page });
    case 'truncated_json':
      return send(reply, { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) });
    case 'oversized':
      return stream(reply, answer, repeat(Buffer.alloc(mebibyte, ' '), 64), answer.body, {});
    case 'gzip':
      reply.header('content-encoding', 'gzip');
      return send(reply, answer, gzipSync(answer.body));
    case 'gzip_bomb':
      return stream(reply, answer, repeat(gzipSync(Buffer.alloc(mebibyte, ' ')), 256), gzipSync(answer.body), {
        'content-encoding': 'gzip',
      });
    default:
      return send(reply, answer);
  }
}

function send(reply: FastifyReply, answer: Answer, body: string | Buffer = answer.body): void {
  reply.code(answer.status).header('content-type', answer.contentType).send(body);
}

/** Sends half of the body, waits, and resets the connection. Without waiting, this half might get lost. */
function reset(reply: FastifyReply, answer: Answer): void {
  reply.hijack();
  const body = Buffer.from(answer.body);
  reply.raw.writeHead(answer.status, { 'content-type': answer.contentType, 'content-length': body.length });
  reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    const { socket } = reply.raw;
    // Node.js cannot reset the TCP connection of a TLS socket. Therefore, a TLS stream ends without close_notify.
    setTimeout(() => (socket instanceof TLSSocket ? socket.destroy() : socket?.resetAndDestroy()), 10).unref();
  });
}

function drip(reply: FastifyReply, answer: Answer): void {
  reply.hijack();
  reply.raw.writeHead(answer.status, { 'content-type': answer.contentType });
  reply.raw.flushHeaders();
  const timer = setInterval(() => reply.raw.write(' '), 100).unref();
  reply.raw.on('close', () => clearInterval(timer));
}

function stream(
  reply: FastifyReply,
  answer: Answer,
  padding: Iterable<Buffer>,
  body: string | Buffer,
  headers: Record<string, string>,
): void {
  reply.hijack();
  reply.raw.writeHead(answer.status, { 'content-type': answer.contentType, ...headers });
  function* chunks(): Iterable<Buffer> {
    yield* padding;
    yield Buffer.from(body);
  }
  // Ignore errors, because callers usually close the connection early.
  pipeline(Readable.from(chunks()), reply.raw).catch(() => {});
}

/** Repeats a chunk. Several gzip files in a row form a valid gzip file. */
function* repeat(chunk: Buffer, times: number): Iterable<Buffer> {
  for (let sent = 0; sent < times; sent += 1) {
    yield chunk;
  }
}
