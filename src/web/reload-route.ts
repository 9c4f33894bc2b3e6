import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReloadOutcome } from '../reload-queue.ts';
import { sendText } from './text.ts';

export const reloadPath = '/-/reload';

/** Reloads the configuration and answers when the reload has ended. */
export async function reload(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  start: (() => Promise<ReloadOutcome>) | undefined,
): Promise<FastifyReply> {
  if (start === undefined) {
    return sendText(reply, 403, 'reloading by request is not enabled; start the exporter with --web.enable-lifecycle');
  }
  // A page of another site could make a browser send the request, with the login that it remembers.
  if (headers['sec-fetch-site'] === 'cross-site') return sendText(reply, 403, 'requests of other sites are refused');
  const outcome = await start();
  switch (outcome.kind) {
    case 'applied':
      return sendText(reply, 200, 'configuration reloaded');
    case 'failed':
      return sendText(reply, 500, `reload failed, keeping the previous configuration:\n${outcome.problems}`);
    case 'cancelled':
      return sendText(reply, 503, 'the exporter is stopping');
  }
}
