import type { RequestListener } from 'node:http';
import fastify, { type FastifyInstance } from 'fastify';
import type { Page } from '../exposition/page.ts';
import type { ReloadOutcome } from '../reload-queue.ts';
import { createHttpServer } from './http-server.ts';
import { sendMetrics } from './metrics-route.ts';
import { addPages, type PagesContent, pagePaths } from './pages-route.ts';
import { reload, reloadPath } from './reload-route.ts';
import { RequestLimits } from './request-limits.ts';
import { pathOf } from './request-url.ts';
import { localAddress, serviceDiscovery } from './service-discovery.ts';
import { sendText } from './text.ts';

/** Without these factories, fastify loads its validator and serializer of schemas, which take 2 MB. */
const withoutSchemas = { buildValidator: rejectSchema, buildSerializer: rejectSchema };

function rejectSchema(): never {
  throw new Error('no route has a schema');
}

/** Characters of an account name in a path. Longer ones are not found. */
const maxParamLength = 400;

/** What the web server serves; read at each request. */
export interface WebContent {
  readonly page: Page;
  /** Why the exporter is not ready; undefined when it is. */
  readonly notReady: () => string | undefined;
  readonly alive: () => boolean;
  readonly pages: PagesContent;
  /** The configuration in use, as YAML. */
  readonly configPage: () => Promise<string>;
  /** Undefined if requests must not reload the configuration. */
  readonly reload: (() => Promise<ReloadOutcome>) | undefined;
}

/** Creates the server of all paths; it does not listen yet. `protect` stands in front of every page. */
export function createWebServer(
  telemetryPath: string,
  content: WebContent,
  protect: (pages: RequestListener) => RequestListener = (pages) => pages,
): FastifyInstance {
  const limits = new RequestLimits();
  const server = fastify({
    schemaController: { compilersFactory: withoutSchemas },
    exposeHeadRoutes: true,
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    serverFactory: (pages) => createHttpServer(limits.inTurn(protect(limits.withPlace(pages)))),
  });
  // Otherwise fastify cuts off data that is written but not yet sent.
  server.addHook('preClose', () => limits.idle());
  // No path accepts a body. Discard it unparsed, so that the response reports the method and not the body.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, body, done) => {
    body.resume();
    body.on('end', () => done(null));
    body.on('error', done);
  });
  const paths = new Set([...pagePaths, telemetryPath, '/sd', '/-/healthy', '/-/ready', '/-/config', reloadPath]);

  server.get(telemetryPath, (request, reply) => sendMetrics(request, reply, content.page));

  server.get('/sd', ({ host, socket }) =>
    serviceDiscovery(host === '' ? localAddress(socket) : host, telemetryPath, content.page.accountNames),
  );

  server.get('/-/healthy', (_request, reply) =>
    content.alive() ? sendText(reply, 200, 'healthy') : sendText(reply, 503, 'the scheduler has stopped'),
  );

  server.get('/-/ready', (_request, reply) => {
    const reason = content.notReady();
    return reason === undefined ? sendText(reply, 200, 'ready') : sendText(reply, 503, reason);
  });

  addPages(server, telemetryPath, content.pages);

  server.get('/-/config', async (_request, reply) =>
    reply
      .header('content-type', 'application/yaml; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(await content.configPage()),
  );

  // Prometheus accepts both methods.
  for (const method of ['POST', 'PUT']) {
    server.route({ method, url: reloadPath, handler: (request, reply) => reload(request, reply, content.reload) });
  }

  server.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    if (!paths.has(path)) return sendText(reply, 404, `not found; try ${[...paths].join(', ')}`);
    const allowed = path === reloadPath ? ['POST', 'PUT'] : ['GET', 'HEAD'];
    return sendText(
      reply.header('allow', allowed.join(', ')),
      405,
      `method ${request.method} is not allowed; use ${allowed.join(' or ')}`,
    );
  });

  return server;
}
