import type { ServerResponse } from 'node:http';
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
