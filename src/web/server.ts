import type { RequestListener } from 'node:http';
import fastify from 'fastify';
import type { Page } from '../exposition/page.ts';
import type { ReloadOutcome } from '../reload/reloader.ts';
import { isFromOtherSite } from './door/hosts.ts';
import { pathOf, sendText } from './door/http-message.ts';
import { createHttpServer } from './door/http-server.ts';
import { RequestLimits } from './door/request-limits.ts';
import { underPrefix, type WebPaths } from './door/route-prefix.ts';
import { sendMetrics } from './metrics-route.ts';
import { addPages, type PagesContent, pagePaths } from './pages-route.ts';
import { localAddress, serviceDiscovery } from './service-discovery.ts';

function rejectSchema(): never {
  throw new Error('no route has a schema');
}

const reloadPath = '/-/reload';

/** Maximum number of characters of an account name in a path. */
const maxParamLength = 400;

export interface WebContent {
  readonly page: Page;
  /** Why the exporter is not ready; undefined if it is ready. */
  readonly notReady: () => string | undefined;
  readonly alive: () => boolean;
  readonly pages: PagesContent;
  readonly configPage: () => Promise<string>;
  /** Reloads the configuration; undefined if requests must not reload. */
  readonly reload: (() => Promise<ReloadOutcome>) | undefined;
}

/** Creates the server for all paths. The server does not listen yet. `protect` wraps the listener of every page. */
export function createWebServer(web: WebPaths, content: WebContent, protect = (pages: RequestListener) => pages) {
  const { telemetryPath, routePrefix = '' } = web;
  const limits = new RequestLimits();
  const server = fastify({
    // Without this option, fastify loads its validator and serializer, which take 2 MB.
    schemaController: { compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema } },
    exposeHeadRoutes: true,
    forceCloseConnections: true,
    routerOptions: { maxParamLength },
    serverFactory: (pages) =>
      createHttpServer(limits.oneByOne(protect(underPrefix(routePrefix, limits.concurrently(pages))))),
  });
  // Wait for open requests. Otherwise, fastify discards data that is written but not yet sent.
  server.addHook('preClose', () => limits.idle());
  // Discard each body without parsing, because no path accepts a body. With a parser, an invalid body would hide a wrong method.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, body, done) => {
    body.resume();
    body.on('end', () => done(null));
    body.on('error', done);
  });
  const paths = new Set([...pagePaths, telemetryPath, '/sd', '/-/healthy', '/-/ready', '/-/config', reloadPath]);

  server.get(telemetryPath, (request, reply) => sendMetrics(request, reply, content.page));

  server.get('/sd', ({ host, socket }) =>
    serviceDiscovery(host === '' ? localAddress(socket) : host, routePrefix + telemetryPath, content.page.accountNames),
  );

  server.get('/-/healthy', (_request, reply) =>
    content.alive() ? sendText(reply, 200, 'healthy') : sendText(reply, 503, 'the scheduler has stopped'),
  );

  server.get('/-/ready', (_request, reply) => {
    const reason = content.notReady();
    return reason === undefined ? sendText(reply, 200, 'ready') : sendText(reply, 503, reason);
  });

  addPages(server, web, content.pages);

  server.get('/-/config', async (_request, reply) =>
    reply
      .header('content-type', 'application/yaml; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(await content.configPage()),
  );

  // Like Prometheus, accept both methods. The answer follows when the reload has ended.
  server.route({
    method: ['POST', 'PUT'],
    url: reloadPath,
    handler: async ({ headers }, reply) => {
      const disabled = 'reloading by request is not enabled; start the exporter with --web.enable-lifecycle';
      if (content.reload === undefined) return sendText(reply, 403, disabled);
      if (isFromOtherSite(headers)) return sendText(reply, 403, 'requests from other sites are refused');
      const outcome = await content.reload();
      if (outcome.kind === 'applied') return sendText(reply, 200, 'configuration reloaded');
      if (outcome.kind === 'cancelled') return sendText(reply, 503, 'the exporter is stopping');
      return sendText(reply, 500, `reload failed, keeping the previous configuration:\n${outcome.problems}`);
    },
  });

  server.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    if (!paths.has(path))
      return sendText(reply, 404, `not found; try ${[...paths].map((known) => routePrefix + known).join(', ')}`);
    const allowed = path === reloadPath ? ['POST', 'PUT'] : ['GET', 'HEAD'];
    reply.header('allow', allowed.join(', '));
    return sendText(reply, 405, `method ${request.method} is not allowed; use ${allowed.join(' or ')}`);
  });

  return server;
}
