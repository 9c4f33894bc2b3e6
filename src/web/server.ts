import type { IncomingMessage } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { ReloadOutcome } from '../config/reload.ts';
import type { WebConfig } from '../config/values/config.ts';
import { negotiate } from '../store/negotiation.ts';
import type { Page } from '../store/page.ts';
import { accessControl, isFromOtherSite } from './door/access-control.ts';
import { pathOf, queryOf, sendText } from './door/http-message.ts';
import { addPages, type PagesContent, pagePaths } from './pages-route.ts';

/** Links and requests can have different prefixes, because a proxy may change paths. */
export type WebPaths = Omit<WebConfig, 'listenAddresses'>;

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

/** In milliseconds. With longer timeouts, idle clients could occupy thousands of connections. */
const timeouts = {
  /** A stalled client is disconnected after this time. */
  connectionTimeout: 60_000,
  requestTimeout: 30_000,
  /** Longer than the usual scrape interval, so that scrapes reuse their connection. */
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
};

/** Maximum number of characters of an account name in a path. */
const maxParamLength = 400;

/** Maximum number of requests in progress, as in exporter-toolkit. Each response keeps its page in memory until it is sent. */
const maxInProgress = 40;

const healthPaths: readonly string[] = ['/-/healthy', '/-/ready'];
const reloadPath = '/-/reload';

/** Creates the server for all paths. The server does not listen yet. */
export function createWebServer(web: WebPaths, content: WebContent, guard = accessControl()) {
  const { routePrefix = '' } = web;
  const server = createServer(guard);
  server.register(async (scope) => addAllRoutes(scope, web, content), { prefix: routePrefix });
  if (routePrefix !== '') {
    addHealthRoutes(server, content);
    server.get('/', (_request, reply) => reply.redirect(`${routePrefix}/`));
    server.setNotFoundHandler((_request, reply) =>
      sendText(reply, 404, `not found; every path starts with ${routePrefix}/`),
    );
  }
  return server;
}

/** Creates a server only for the health checks, without a login. */
export function createHealthServer(content: WebContent): FastifyInstance {
  const server = createServer(accessControl());
  addHealthRoutes(server, content);
  addNotFound(server, healthPaths.join(' or '));
  return server;
}

/** Keeps fastify from loading its schema compilers, which would take a tenth of the start-up time. No route has a schema. */
const noCompiler = () => undefined as never;

function createServer(guard: ReturnType<typeof accessControl>): FastifyInstance {
  const server = fastify({
    ...timeouts,
    routerOptions: { maxParamLength },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // fastify runs no hooks for a path that it cannot decode.
    frameworkErrors: async (error, request, reply) => {
      await guard(request, reply);
      if (!reply.sent) sendText(reply, error.statusCode ?? 400, error.message);
    },
  });
  server.addHook('onRequest', guard);
  // Discard each body without parsing, because no path accepts a body. A parser would report an invalid body before a wrong method.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', async (_request: FastifyRequest, body: IncomingMessage) => void body.resume());
  return server;
}

function addHealthRoutes(server: FastifyInstance, { alive, notReady }: WebContent): void {
  server.get('/-/healthy', (_request, reply) =>
    alive() ? sendText(reply, 200, 'healthy') : sendText(reply, 503, 'the scheduler has stopped'),
  );
  server.get('/-/ready', (_request, reply) => {
    const reason = notReady();
    return reason === undefined ? sendText(reply, 200, 'ready') : sendText(reply, 503, reason);
  });
}

function addAllRoutes(server: FastifyInstance, web: WebPaths, content: WebContent): void {
  const { telemetryPath, routePrefix = '' } = web;
  limitRequests(server, routePrefix);

  server.get(telemetryPath, (request, reply) => sendMetrics(request, reply, content.page));

  // One target per account for Prometheus. All targets have the same address, so `instance` also contains the account.
  server.get('/sd', ({ host }) =>
    [...content.page.accounts.keys()].map((account) => ({
      targets: [host],
      labels: {
        __metrics_path__: routePrefix + telemetryPath,
        __param_account: account,
        instance: `${host}/${account}`,
      },
    })),
  );

  addHealthRoutes(server, content);

  addPages(server, web, content.pages);

  server.get('/-/config', async (_request, reply) => {
    reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    return content.configPage();
  });

  // Accept both methods, as Prometheus does. Answer after the reload has ended.
  server.route({
    method: ['POST', 'PUT'],
    url: reloadPath,
    handler: async ({ headers }, reply) => {
      const disabled = 'reloading by request is not enabled; start the exporter with --web.enable-lifecycle';
      if (content.reload === undefined) return sendText(reply, 403, disabled);
      if (isFromOtherSite(headers)) return sendText(reply, 403, 'requests from other sites are refused');
      const outcome = await content.reload();
      if (outcome === 'applied') return sendText(reply, 200, 'configuration reloaded');
      if (outcome === 'cancelled') return sendText(reply, 503, 'the exporter is stopping');
      return sendText(reply, 500, `reload failed, keeping the previous configuration:\n${outcome.message}`);
    },
  });

  const paths = [...pagePaths, telemetryPath, '/sd', ...healthPaths, '/-/config', reloadPath];
  addNotFound(server, paths.map((path) => routePrefix + path).join(', '));
}

/** Refuses requests beyond `maxInProgress`, except health checks. Requests that the access control refuses do not count. */
function limitRequests(server: FastifyInstance, routePrefix: string): void {
  const unlimited = new Set<string | undefined>(healthPaths.map((path) => routePrefix + path));
  let inProgress = 0;
  server.addHook('onRequest', async ({ routeOptions }, reply) => {
    if (unlimited.has(routeOptions.url) || reply.raw.destroyed) return undefined;
    if (inProgress >= maxInProgress) {
      return sendText(reply.header('retry-after', 2), 503, 'too many requests at the same time; try again later');
    }
    inProgress += 1;
    reply.raw.once('close', () => {
      inProgress -= 1;
    });
    return undefined;
  });
}

function addNotFound(server: FastifyInstance, knownPaths: string): void {
  server.setNotFoundHandler((request, reply) => {
    const url = pathOf(request.url);
    const allowed = ['GET', 'HEAD', 'POST', 'PUT'].filter((method) => server.hasRoute({ method, url }));
    if (allowed.length === 0) return sendText(reply, 404, `not found; try ${knownPaths}`);
    reply.header('allow', allowed.join(', '));
    return sendText(reply, 405, `method ${request.method} is not allowed; use ${allowed.join(' or ')}`);
  });
}

/** Answers a scrape. */
async function sendMetrics(request: FastifyRequest, reply: FastifyReply, page: Page): Promise<FastifyReply> {
  // If a scrape lacked some series, Prometheus would consider these series ended.
  if (page.isRestoring) return sendText(reply, 503, 'restoring the figures of the previous process');
  const query = queryOf(request.url);
  const values = (key: string) => (query.has(key) ? new Set(query.getAll(key)) : undefined);
  const filter = { accounts: values('account'), collectors: values('collect[]') };
  const account = [...(filter.accounts ?? [])].find((name) => !page.accounts.has(name));
  if (account !== undefined) return sendText(reply, 404, `account ${JSON.stringify(account)} is not configured`);
  const collector = [...(filter.collectors ?? [])].find((name) => !page.collectorNames.has(name));
  if (collector !== undefined) return sendText(reply, 404, `collector ${JSON.stringify(collector)} does not exist`);
  const { contentType, ...representation } = negotiate(request.headers);
  const body = await page.render(representation, filter);
  reply.header('content-type', contentType).header('vary', 'accept, accept-encoding');
  if (representation.encoding === 'gzip') reply.header('content-encoding', 'gzip');
  return reply.send(body);
}
