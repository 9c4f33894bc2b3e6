import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Milliseconds that answers under way have to reach their readers once the server is asked to close. */
const grace = 5000;

/**
 * Lets the answers under way end before the server closes. By itself it would cut off what has been written but not
 * sent yet, and would wait without end for whoever sends half a request, or reads no answer.
 */
export function closeGracefully(server: FastifyInstance): void {
  const underWay = new Set<ServerResponse>();
  server.addHook('onRequest', (_request, { raw }, done) => {
    underWay.add(raw);
    raw.once('close', () => underWay.delete(raw));
    done();
  });
  server.addHook('preClose', async () => {
    const ends = [...underWay].map((answer) => new Promise((resolve) => answer.once('close', resolve)));
    await Promise.race([Promise.all(ends), setTimeout(grace, undefined, { ref: false })]);
  });
}
