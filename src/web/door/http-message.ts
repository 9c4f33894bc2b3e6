import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';

export function sendText(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(`${message}\n`);
}

export function pathOf(url: string): string {
  return url.replace(/\?.*/s, '');
}

export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.slice(pathOf(url).length + 1));
}

/** Moves the host of a target such as `http://host/path` to the Host header (RFC 9112, 3.2.2). This makes links lead to this server. */
export function useOriginForm(request: IncomingMessage): string {
  const { url = '' } = request;
  const [start, host] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (start === undefined) return url;
  request.headers.host = host;
  return url.slice(start.length).replace(/^(?!\/)/, '/');
}
