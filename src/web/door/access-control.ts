import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessConfig } from '../config/load.ts';
import { sendText } from './http-message.ts';
import { Login } from './login.ts';

export interface AccessOptions {
  /** Host names that a Host header may contain. If undefined, every name is allowed. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Returns the current settings, or undefined while the web configuration is invalid. Without this function, access is open. */
  readonly access?: (() => AccessConfig | undefined) | undefined;
}

const open: AccessConfig = { users: new Map(), headers: {}, rateLimit: undefined };

/**
 * Returns a hook for every request, including requests without a route. The hook answers each request that it refuses. It first checks the
 * host. Then it applies the rate limit, the headers and the login, in the order of exporter-toolkit.
 */
export function accessControl({ allowedHosts, access = () => open }: AccessOptions = {}) {
  const refuseHost = allowedHosts && hostCheck(allowedHosts);
  const limiter = new RateLimiter();
  const login = new Login();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const refusal = refuseHost?.(request.host);
    if (refusal !== undefined) return sendText(reply, 403, refusal);
    const config = access();
    if (config === undefined) return sendText(reply, 500, 'Internal Server Error');
    if (!limiter.allow(config.rateLimit)) return sendText(reply, 429, 'Too Many Requests');
    // A page can override these headers.
    reply.headers(config.headers);
    if (config.users.size === 0) return undefined;
    const outcome = await login.check(request.headers.authorization, config.users, request.ip);
    if (outcome === 'refused') return sendText(reply.header('www-authenticate', 'Basic'), 401, 'Unauthorized');
    if (outcome === 'busy') return sendText(reply.header('retry-after', 5), 429, 'Too Many Requests: too many logins');
    return undefined;
  };
}

/** A token bucket that gains one token per interval. The bucket is full before the first request and after a change of the limit. */
class RateLimiter {
  #limit: AccessConfig['rateLimit'];
  #tokens = 0;
  #refilled = 0;

  allow(limit: AccessConfig['rateLimit']): boolean {
    const isSame = limit?.interval === this.#limit?.interval && limit?.burst === this.#limit?.burst;
    this.#limit = limit;
    if (limit === undefined) return true;
    const now = performance.now();
    const gained = isSame ? (now - this.#refilled) / limit.interval : limit.burst;
    this.#tokens = Math.min(limit.burst, this.#tokens + gained);
    this.#refilled = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/**
 * Whether a page of another site may have caused the request. Browsers add the stored login even to requests from other sites. Programs
 * such as curl send neither Origin nor Sec-Fetch-Site. Browsers send Sec-Fetch-Site only over TLS or to localhost, so check Origin too.
 */
export function isFromOtherSite(headers: IncomingHttpHeaders): boolean {
  const { origin, host, 'sec-fetch-site': site = 'none' } = headers;
  if (site !== 'none' && site !== 'same-origin') return true;
  if (origin === undefined) return false;
  const sender = URL.parse(origin);
  if (sender === null || !/^https?:$/.test(sender.protocol)) return true;
  // If the host has no port, assume the default port of the origin's scheme, because a proxy may terminate TLS.
  return URL.parse(`${sender.protocol}//${host}`)?.host !== sender.host;
}

/**
 * Creates a function that returns why a Host header is refused; undefined if it is allowed. `names`, `localhost` and IP addresses are
 * allowed. The check prevents DNS rebinding, because this attack sends a host name that the attacker owns.
 */
function hostCheck(names: readonly string[]): (host: string) => string | undefined {
  const allowed = new Set([...names, 'localhost'].map(hostName));
  return (host) => {
    const name = hostName(host);
    if (name !== '' && (allowed.has(name) || isIP(name.replaceAll(/[[\]]/g, '')) > 0)) return undefined;
    return `the host name "${name}" of the request is not allowed; use another one, or add this one to --web.allowed-hosts`;
  };
}

/** The host name in a Host header: without the port, and in the ASCII form of URLs. Empty if the header contains no valid host. */
function hostName(host: string): string {
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
}
