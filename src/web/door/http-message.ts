import type { FastifyReply } from 'fastify';

export function sendText(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(`${message}\n`);
}

/** The path of a request URL. The URL may contain scheme and host, as in `http://host/path`. */
export function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*|\?.*/gis, '');
}

export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.replace(/^[^?]*/, ''));
}
