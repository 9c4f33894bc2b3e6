import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

const contentType = 'text/plain; charset=utf-8';

export function sendText(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('content-type', contentType).send(`${message}\n`);
}

/** Sends a line of plain text without fastify, which does not receive refused requests. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = `${message}\n`;
  response.writeHead(status, { 'content-type': contentType, 'content-length': body.length }).end(body);
}

export function pathOf(url = ''): string {
  return url.replace(/\?.*/s, '');
}

export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.slice(pathOf(url).length + 1));
}

/** Moves the host of a target such as `http://host/path` to the Host header (RFC 9112, 3.2.2). This makes links lead to this server. */
export function useOriginForm(request: IncomingMessage): void {
  const { url = '' } = request;
  const [start, host] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (start === undefined) return;
  request.headers.host = host;
  request.url = url.slice(start.length).replace(/^(?!\/)/, '/');
}
