import type { FastifyReply, FastifyRequest } from 'fastify';
import { gzipStream } from '../exposition/encoded-chunk.ts';
import { negotiate } from '../exposition/negotiation.ts';
import type { Page, PageFilter } from '../exposition/page.ts';
import { writeChunked } from './chunked-write.ts';
import { queryOf, sendText } from './door/http-message.ts';

/** Answers a scrape with a consistent page, even if the metrics change during the transfer. */
export async function sendMetrics(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  // Without the missing series, Prometheus would consider them ended.
  if (page.isRestoring) return sendText(reply, 503, 'restoring the figures of the previous process');
  const filter = readFilter(queryOf(request.url));
  const problem = findUnknown(filter, page);
  if (problem !== undefined) return sendText(reply, 404, problem);
  const { format, contentType, encoding } = negotiate(request.headers);
  const chunks = await page.render(format, filter);
  if (reply.raw.destroyed) return reply.hijack();
  const body = encoding === 'gzip' ? gzipStream(chunks) : chunks.flatMap(({ texts }) => texts);
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    'content-type': contentType,
    'content-length': body.reduce((sum, { length }) => sum + length, 0),
    vary: 'accept, accept-encoding',
    ...(encoding === 'gzip' && { 'content-encoding': encoding }),
  });
  if (request.method === 'HEAD') raw.end();
  else await writeChunked(raw, body);
  return reply;
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
