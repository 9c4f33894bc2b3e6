import fastify, { type FastifyInstance } from 'fastify';
import type { Page } from '../exposition/page.ts';
import { closeGracefully } from './graceful-close.ts';
import { type LandingPageContent, landingPage } from './landing-page.ts';
import { sendMetrics } from './metrics-route.ts';
import { serviceDiscovery } from './service-discovery.ts';
import { sendText } from './text.ts';

/** What the web server shows, asked for at each request. */
export interface WebContent {
  readonly page: Page;
  /** Undefined when ready, else the reason why not. */
  readonly notReady: () => string | undefined;
  readonly alive: () => boolean;
  readonly landingPage: () => LandingPageContent;
}

/** Milliseconds after which whoever reads nothing of an answer, or sends no more of a request, is let go. */
const connectionTimeout = 60_000;

/** The server of all pages; it does not listen yet. */
export function createWebServer(telemetryPath: string, content: WebContent): FastifyInstance {
  const server = fastify({ exposeHeadRoutes: true, forceCloseConnections: true, connectionTimeout });
  closeGracefully(server);
  // No page takes a body: whatever comes is read and forgotten, so that the method is what is refused.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, body, done) => {
    body.resume();
    body.on('end', () => done(null));
    body.on('error', done);
  });
  const paths = new Set(['/', telemetryPath, '/sd', '/-/healthy', '/-/ready']);

  server.get(telemetryPath, (request, reply) => sendMetrics(request, reply, content.page));

  server.get('/sd', (request) => serviceDiscovery(request.host, telemetryPath, content.page.accountNames));

  server.get('/-/healthy', (_request, reply) =>
    content.alive() ? sendText(reply, 200, 'healthy') : sendText(reply, 503, 'the scheduler has stopped'),
  );

  server.get('/-/ready', (_request, reply) => {
    const why = content.notReady();
    return why === undefined ? sendText(reply, 200, 'ready') : sendText(reply, 503, why);
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
    if (!paths.has(path)) return sendText(reply, 404, `nothing here; try ${[...paths].join(', ')}`);
    return sendText(
      reply.header('allow', 'GET, HEAD'),
      405,
      `${request.method} is not allowed here, only GET and HEAD`,
    );
  });

  return server;
}
