import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessConfig } from '../config/load.ts';
import { hostCheck } from './hosts.ts';
import { sendText } from './http-message.ts';
import { Login } from './login.ts';

export interface AccessOptions {
  /** Host names that requests may use; undefined if all are allowed. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The current settings; returns undefined while the web configuration is invalid. By default, access is open. */
  readonly access?: (() => AccessConfig | undefined) | undefined;
}

const open: AccessConfig = { users: new Map(), headers: {}, rateLimit: undefined };

/**
 * Returns a hook for every request, including requests without a route. The hook answers a request that must not reach its page. It applies
 * the allowed hosts, and then the rate limit, the headers and the login in the order of exporter-toolkit.
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

/** A token bucket that gains one token per interval. It is full at the start and after a change of the limit. */
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
