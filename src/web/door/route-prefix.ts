import type { RequestListener } from 'node:http';
import { pathOf, refuse } from './http-message.ts';
import { healthPaths } from './request-limits.ts';

/** The configuration of the paths of requests and links. */
export interface WebPaths {
  readonly telemetryPath: string;
  readonly linkPrefix?: string | undefined;
  readonly routePrefix?: string | undefined;
}

/** Removes a prefix such as `/hosting` from request paths. Refuses paths without the prefix, except `/` and the health probes. */
export function underPrefix(prefix: string, listener: RequestListener): RequestListener {
  if (prefix === '') return listener;
  return (request, response) => {
    const { url = '' } = request;
    const path = pathOf(url);
    if (path === prefix || path.startsWith(`${prefix}/`))
      request.url = url.slice(prefix.length).replace(/^(?!\/)/, '/');
    else if (path === '/') return response.writeHead(302, { location: `${prefix}/` }).end();
    else if (!healthPaths.includes(path)) return refuse(response, 404, `not found; every path starts with ${prefix}/`);
    return listener(request, response);
  };
}
