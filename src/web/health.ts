import type { RequestListener, Server } from 'node:http';
import { createHttpServer } from './http-server.ts';
import { healthPaths, RequestLimits } from './request-limits.ts';
import { pathOf } from './request-url.ts';

/** A server with only the pages for probes, without a login. `pages` answers them. */
export function createHealthServer(pages: RequestListener): Server {
  const limits = new RequestLimits();
  const listener: RequestListener = (request, response) => {
    if (healthPaths.includes(pathOf(request.url))) {
      pages(request, response);
      return;
    }
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`not found; try ${healthPaths.join(' or ')}\n`);
  };
  return createHttpServer(limits.inTurn(listener));
}
