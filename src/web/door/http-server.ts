import { createServer, type RequestListener, type Server } from 'node:http';
import { pathOf, refuse, useOriginForm } from './http-message.ts';
import { healthPaths, RequestLimits } from './request-limits.ts';

/** Milliseconds. With longer timeouts, idle clients could occupy thousands of connections. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // This timeout is longer than the usual scrape interval.
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5000,
} as const;

/** Milliseconds after which stalled clients are disconnected. */
const stallTimeout = 60_000;

/** Creates an HTTP server that does not listen itself: `Listeners` passes it the connections. */
export function createHttpServer(listener: RequestListener): Server {
  return createServer({ ...timeouts }, (request, response) => {
    useOriginForm(request);
    listener(request, response);
  }).setTimeout(stallTimeout);
}

/** Creates a server only for the health checks, without a login. `pages` answers the health checks. */
export function createHealthServer(pages: RequestListener): Server {
  const listener = new RequestLimits().oneByOne((request, response) => {
    if (healthPaths.includes(pathOf(request.url))) pages(request, response);
    else refuse(response, 404, `not found; try ${healthPaths.join(' or ')}`);
  });
  return createHttpServer(listener);
}
