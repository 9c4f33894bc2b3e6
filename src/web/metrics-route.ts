import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Block } from '../exposition/block.ts';
import { gzipLength, gzipStream } from '../exposition/gzip-stream.ts';
import { negotiate } from '../exposition/negotiation.ts';
import type { Page, PageFilter } from '../exposition/page.ts';
import { sendInSlices } from './slices.ts';
import { sendText } from './text.ts';

/**
 * Answers a scrape. The page is that of one moment however long it takes to be sent: a poll that ends meanwhile puts
 * something new in the place of what is being sent, and does not change it.
 */
export async function sendMetrics(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  const filter = readFilter(queryOf(request.url));
  const problem = findUnknown(filter, page);
  if (problem !== undefined) return sendText(reply, 404, problem);
  const { format, contentType, encoding } = negotiate(request.headers);
  const blocks = await page.render(format, filter, Date.now());
  const length = encoding === 'gzip' ? gzipLength(blocks) : textLength(blocks);
  const { raw } = reply.hijack();
  raw.writeHead(200, {
    'content-type': contentType,
    'content-length': length,
    vary: 'accept, accept-encoding',
    ...(encoding === 'gzip' && { 'content-encoding': encoding }),
  });
  if (request.method === 'HEAD') raw.end();
  else await sendInSlices(raw, encoding === 'gzip' ? gzipStream(blocks) : blocks.map(({ text }) => text), length);
  return reply;
}

function textLength(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}

/** All that follows the first question mark. */
function queryOf(url: string): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}

function readFilter(query: URLSearchParams): PageFilter {
  const values = (key: string) => (query.has(key) ? new Set(query.getAll(key)) : undefined);
  return { accounts: values('account'), collectors: values('collect[]') };
}

function findUnknown(
  { accounts = new Set(), collectors = new Set() }: PageFilter,
  { accountNames, collectorNames }: Page,
): string | undefined {
  const account = [...accounts].find((name) => !accountNames.has(name));
  if (account !== undefined) return `no account ${JSON.stringify(account)} is configured`;
  const collector = [...collectors].find((name) => !collectorNames.has(name));
  return collector === undefined ? undefined : `there is no collector ${JSON.stringify(collector)}`;
}
