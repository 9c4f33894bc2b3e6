import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AccessConfig } from '../config/load.ts';
import { parseBasicAuth } from './client.ts';
import { refuse } from './http-message.ts';
import { Login } from './login.ts';
import { RateLimiter } from './rate-limit.ts';

/** Applies the rate limit, the headers and the login to every page, including errors, in the order of exporter-toolkit. */
export class AccessControl {
  readonly #access: () => AccessConfig | undefined;
  readonly #login = new Login();
  readonly #limiter = new RateLimiter();

  /** `access` returns undefined while the web configuration is invalid. */
  constructor(access: () => AccessConfig | undefined) {
    this.#access = access;
  }

  protect(listener: RequestListener): RequestListener {
    return (request, response) => {
      const access = this.#access();
      if (access === undefined) return refuse(response, 500, 'Internal Server Error');
      if (!this.#limiter.allow(access.rateLimit)) return refuse(response, 429, 'Too Many Requests');
      // A page can override these headers.
      for (const [name, value] of Object.entries(access.headers)) response.setHeader(name, value);
      if (access.users.size === 0) return listener(request, response);
      void this.#authenticate(request, response, access.users).then((isAccepted) => {
        if (isAccepted) listener(request, response);
      });
    };
  }

  stop(): Promise<void> {
    return this.#login.stop();
  }

  /** Resolves with true if the login is valid. Otherwise, answers the request and resolves with false. */
  async #authenticate({ headers, socket }: IncomingMessage, response: ServerResponse, users: AccessConfig['users']) {
    const credentials = parseBasicAuth(headers.authorization);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const outcome =
      credentials === undefined
        ? 'refused'
        : await this.#login.check(credentials, users, socket.remoteAddress ?? '', gone.signal);
    if (response.destroyed) return false;
    if (outcome === 'refused') refuse(response.setHeader('WWW-Authenticate', 'Basic'), 401, 'Unauthorized');
    if (outcome === 'busy') refuse(response.setHeader('Retry-After', '5'), 503, 'Service Unavailable: too many logins');
    return outcome === 'accepted';
  }
}
