import type { FastifyReply, FastifyRequest } from 'fastify';
import { negotiate } from '../store/negotiation.ts';
import type { Page, PageFilter } from '../store/page.ts';
import { queryOf, sendText } from './door/http-message.ts';

/** Answers a scrape. */
export async function sendMetrics(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  // Without the missing series, Prometheus would consider them ended.
  if (page.isRestoring) return sendText(reply, 503, 'restoring the figures of the previous process');
  const filter = readFilter(queryOf(request.url));
  const problem = findUnknown(filter, page);
  if (problem !== undefined) return sendText(reply, 404, problem);
  const representation = negotiate(request.headers);
  const { contentType, encoding } = representation;
  const body = await page.render(representation, filter);
  reply.header('content-type', contentType).header('vary', 'accept, accept-encoding');
  if (encoding === 'gzip') reply.header('content-encoding', encoding);
  return reply.send(body);
}

function readFilter(query: URLSearchParams): PageFilter {
  const values = (key: string) => (query.has(key) ? new Set(query.getAll(key)) : undefined);
  return { accounts: values('account'), collectors: values('collect[]') };
}

function findUnknown({ accounts = new Set(), collectors = new Set() }: PageFilter, page: Page): string | undefined {
  const { accountNames, collectorNames } = page;
  const account = [...accounts].find((name) => !accountNames.has(name));
  if (account !== undefined) return `account ${JSON.stringify(account)} is not configured`;
  const collector = [...collectors].find((name) => !collectorNames.has(name));
  return collector === undefined ? undefined : `collector ${JSON.stringify(collector)} does not exist`;
}
