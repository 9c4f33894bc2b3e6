import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

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

/**
 * Returns why a Host header is refused, or undefined. Allows these names, `localhost` and IP addresses. This prevents DNS rebinding, which
 * needs another name.
 */
export function hostCheck(names: readonly string[]): (host: string) => string | undefined {
  const allowed = new Set([...names, 'localhost'].map(hostName));
  return (host) => {
    const name = hostName(host);
    if (name !== '' && (allowed.has(name) || isIP(name.replaceAll(/[[\]]/g, '')) > 0)) return undefined;
    const advice = 'use another one, or add this one to --web.allowed-hosts';
    return `the host name "${name}" of the request is not allowed; ${advice}`;
  };
}

/** The host of a Host header without the port, in ASCII as in URLs; empty if there is none. */
function hostName(host: string): string {
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
}
