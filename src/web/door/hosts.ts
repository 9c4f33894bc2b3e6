import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { isIP } from 'node:net';
import { refuse } from './http-message.ts';

/**
 * Whether a page of another site may have caused the request. Browsers add the stored login even to requests from other sites. Programs
 * such as curl send neither Origin nor Sec-Fetch-Site. Browsers send Sec-Fetch-Site only over TLS or to localhost.
 */
export function isFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers;
  if (site !== 'none' && site !== 'same-origin') return true;
  if (origin === undefined) return false;
  const sender = URL.parse(origin);
  if (sender === null || !/^https?:$/.test(sender.protocol)) return true;
  // Use the default port of the origin and not of this server, because a proxy may terminate TLS.
  return URL.parse(`${sender.protocol}//${host}`)?.host !== sender.host;
}

/** Accepts only requests for these names, for `localhost` and for IP addresses. This prevents DNS rebinding, which needs another name. */
export function requireHost(names: readonly string[] | undefined, listener: RequestListener): RequestListener {
  if (names === undefined) return listener;
  const allowed = new Set([...names, 'localhost'].map(hostName));
  return (request, response) => {
    const name = hostName(request.headers.host ?? '');
    if (name !== '' && (allowed.has(name) || isIP(name.replaceAll(/[[\]]/g, '')) > 0)) {
      listener(request, response);
    } else {
      const advice = 'use another one, or add this one to --web.allowed-hosts';
      refuse(response, 403, `the host name "${name}" of the request is not allowed; ${advice}`);
    }
  };
}

/** The host of a Host header without the port, in ASCII as in URLs; empty if there is none. */
function hostName(host: string): string {
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
}
