import fastify, { type FastifyInstance } from 'fastify';
import type { Page } from '../exposition/page.ts';
import { closeGracefully } from './graceful-close.ts';
import { type LandingPageContent, landingPage } from './landing-page.ts';
import { sendMetrics } from './metrics-route.ts';
import { localAddress, serviceDiscovery } from './service-discovery.ts';
import { sendText } from './text.ts';

/** What the web server serves; read at each request. */
export interface WebContent {
  readonly page: Page;
  /** Why the exporter is not ready; undefined when it is. */
  readonly notReady: () => string | undefined;
  readonly alive: () => boolean;
  readonly landingPage: () => LandingPageContent;
}

/** Stalled clients are disconnected after this many milliseconds. */
const connectionTimeout = 60_000;

/** Creates the server of all paths; it does not listen yet. */
export function createWebServer(telemetryPath: string, content: WebContent): FastifyInstance {
  const server = fastify({ exposeHeadRoutes: true, forceCloseConnections: true, connectionTimeout });
  closeGracefully(server);
  // No path accepts a body. Discard it unparsed, so that the response reports the method and not the body.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, body, done) => {
    body.resume();
    body.on('end', () => done(null));
    body.on('error', done);
  });
  const paths = new Set(['/', telemetryPath, '/sd', '/-/healthy', '/-/ready']);

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

  server.get('/', (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(landingPage(content.landingPage())),
  );

  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!paths.has(path)) return sendText(reply, 404, `not found; try ${[...paths].join(', ')}`);
    return sendText(
      reply.header('allow', 'GET, HEAD'),
      405,
      `method ${request.method} is not allowed; use GET or HEAD`,
    );
  });

  return server;
}
