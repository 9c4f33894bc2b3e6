import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { joinGzip, joinText } from '../exposition/block.ts';
import { negotiate } from '../exposition/negotiation.ts';
import type { Page, PageFilter } from '../exposition/page.ts';
import { closeGracefully } from './graceful-close.ts';
import { type LandingPageContent, landingPage } from './landing-page.ts';
import { serviceDiscovery } from './service-discovery.ts';

/** What the web server shows, asked for at each request. */
export interface WebContent {
  readonly page: Page;
  readonly accountNames: () => ReadonlySet<string>;
  readonly collectorNames: ReadonlySet<string>;
  /** Undefined when ready, else the reason why not. */
  readonly notReady: () => string | undefined;
  readonly alive: () => boolean;
  readonly landingPage: () => LandingPageContent;
}

/** The server of all pages; it does not listen yet. */
export function createWebServer(telemetryPath: string, content: WebContent): FastifyInstance {
  const server = fastify({ exposeHeadRoutes: true, forceCloseConnections: true });
  closeGracefully(server);
  // No page takes a body: whatever comes is read and forgotten, so that the method is what is refused.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, body, done) => {
    body.resume();
    body.on('end', () => done(null));
    body.on('error', done);
  });
  const paths = new Set(['/', telemetryPath, '/sd', '/-/healthy', '/-/ready']);

  server.get(telemetryPath, (request, reply) => sendMetrics(request, reply, content));

  server.get('/sd', (request) => serviceDiscovery(request.host, telemetryPath, content.accountNames()));

  server.get('/-/healthy', (_request, reply) =>
    content.alive() ? text(reply, 200, 'healthy') : text(reply, 503, 'the scheduler has stopped'),
  );

  server.get('/-/ready', (_request, reply) => {
    const why = content.notReady();
    return why === undefined ? text(reply, 200, 'ready') : text(reply, 503, why);
  });

  server.get('/', (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(landingPage(content.landingPage())),
  );

  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!paths.has(path)) return text(reply, 404, `nothing here; try ${[...paths].join(', ')}`);
    return text(reply.header('allow', 'GET, HEAD'), 405, `${request.method} is not allowed here, only GET and HEAD`);
  });

  return server;
}

async function sendMetrics(request: FastifyRequest, reply: FastifyReply, content: WebContent): Promise<FastifyReply> {
  const filter = readFilter(queryOf(request.url));
  const problem = findUnknown(filter, content);
  if (problem !== undefined) return text(reply, 404, problem);
  const { format, contentType, encoding } = negotiate(request.headers);
  const blocks = await content.page.render(format, filter, Date.now());
  const body = encoding === 'gzip' ? joinGzip(blocks) : joinText(blocks);
  if (encoding === 'gzip') reply.header('content-encoding', 'gzip');
  return reply.header('content-type', contentType).header('vary', 'accept, accept-encoding').send(body);
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

function findUnknown(filter: PageFilter, content: WebContent): string | undefined {
  const account = [...(filter.accounts ?? [])].find((name) => !content.accountNames().has(name));
  if (account !== undefined) return `no account ${JSON.stringify(account)} is configured`;
  const collector = [...(filter.collectors ?? [])].find((name) => !content.collectorNames.has(name));
  return collector === undefined ? undefined : `there is no collector ${JSON.stringify(collector)}`;
}

function text(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).header('content-type', 'text/plain; charset=utf-8').send(`${message}\n`);
}
