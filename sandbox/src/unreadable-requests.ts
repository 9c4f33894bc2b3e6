import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, SandboxApi } from './answer.ts';

/** Maximum bytes of a request body. */
export const maxBody = 1_048_576;

const texts: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The path is not valid percent-encoding',
  FST_ERR_CTP_BODY_TOO_LARGE: `The body has more than ${maxBody} bytes`,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The Content-Type is not valid',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The Content-Length does not match the body',
};

/**
 * Answers requests that fail before a route runs: with the envelope under /api, and with one sentence under other paths. Answers
 * never repeat the request, because it may contain a password.
 */
export function createErrorAnswers(api: SandboxApi) {
  function onError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    const status = error.statusCode ?? 500;
    const text = texts[error.code] ?? (status < 500 ? 'The request is malformed' : 'The sandbox failed');
    if (isApi(request.url)) {
      send(reply, api.refuse(status, text, methodOf(request.url)));
    } else {
      reply.code(status).send({ error: text });
    }
  }

  function onNotFound(request: FastifyRequest, reply: FastifyReply): void {
    if (isApi(request.url)) {
      send(reply, api.refuse(200, 'Only GET and POST are accepted', methodOf(request.url)));
    } else {
      reply.code(404).send({ error: 'Not found. The API is under /api, the control API under /sandbox.' });
    }
  }

  /** Answers a request whose path is not known: CONNECT, or a request that cannot be parsed, for example because of long headers. */
  function onUnreadable(socket: Duplex, error?: { readonly code?: string }): void {
    if (error?.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, phrase, text] = unreadable[error?.code ?? ''] ?? badRequest;
    const { contentType, body } = api.refuse(status, text);
    const headers = [
      `HTTP/1.1 ${status} ${phrase}`,
      `content-type: ${contentType}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
  }

  return { onError, onNotFound, onUnreadable };
}

type Unreadable = readonly [status: number, phrase: string, text: string];

const badRequest: Unreadable = [400, 'Bad Request', 'The request is not valid HTTP'];

const unreadable: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The URL and headers have more than 16384 bytes'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not arrive in time'],
};

function isApi(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url);
}

/** The path below /api, without the query, because a query may contain a password. */
function methodOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice('/api/'.length, 200);
}

function send(reply: FastifyReply, { status, contentType, body }: Answer): void {
  reply.code(status).header('content-type', contentType).send(body);
}
