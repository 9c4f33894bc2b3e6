import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Milliseconds that responses in progress have to complete once the server is closing. */
const grace = 5000;

/**
 * Completes responses in progress before the server closes. Without it, fastify cuts off data that is written but not yet
 * sent, and waits forever for clients that send half a request or do not read.
 */
export function closeGracefully(server: FastifyInstance): void {
  const inProgress = new Set<ServerResponse>();
  server.addHook('onRequest', (_request, { raw }, done) => {
    inProgress.add(raw);
    raw.once('close', () => inProgress.delete(raw));
    done();
  });
  server.addHook('preClose', async () => {
    const ends = [...inProgress].map((response) => new Promise((resolve) => response.once('close', resolve)));
    await Promise.race([Promise.all(ends), setTimeout(grace, undefined, { ref: false })]);
  });
}
