import type { FastifyReply } from 'fastify';

/** Sends one line of plain text. */
export function sendText(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(`${message}\n`);
}
