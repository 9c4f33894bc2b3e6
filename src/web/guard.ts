import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parseCredentials } from '../login/credentials.ts';
import { Login } from '../login/login.ts';
import type { AccessConfig, RateLimit } from '../web-config/web-config.ts';
import { RateLimiter } from './rate-limit.ts';

/** The web configuration at the time of a request; undefined while it is invalid. */
export type CurrentAccess = () => AccessConfig | undefined;

/**
 * Stands in front of every page, including errors: the limit of requests first, then the configured headers, then the
 * login. This is the order of exporter-toolkit.
 */
export class Guard {
  readonly #access: CurrentAccess;
  readonly #login = new Login();
  #limit: RateLimit | undefined;
  #limiter: RateLimiter | undefined;

  constructor(access: CurrentAccess) {
    this.#access = access;
  }

  /** Passes on requests that are allowed. */
  protect(listener: RequestListener): RequestListener {
    return (request, response) => {
      const access = this.#access();
      if (access === undefined) return refuse(response, 500, 'Internal Server Error');
      if (!this.#allows(access.rateLimit)) return refuse(response, 429, 'Too Many Requests');
      // A page that sets one of these headers wins.
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

  /** A changed limit starts with a full bucket. */
  #allows(limit: RateLimit | undefined): boolean {
    if (limit?.interval !== this.#limit?.interval || limit?.burst !== this.#limit?.burst) {
      this.#limit = limit;
      this.#limiter = limit === undefined ? undefined : new RateLimiter(limit);
    }
    return this.#limiter === undefined || this.#limiter.allow();
  }

  /** Answers requests without a valid login. */
  async #authenticate(
    { headers, socket }: IncomingMessage,
    response: ServerResponse,
    users: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const credentials = parseCredentials(headers.authorization);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const outcome =
      credentials === undefined
        ? 'refused'
        : await this.#login.check(credentials, users, socket.remoteAddress ?? '', gone.signal);
    if (response.destroyed) return false;
    if (outcome === 'refused') {
      response.setHeader('WWW-Authenticate', 'Basic');
      refuse(response, 401, 'Unauthorized');
    }
    if (outcome === 'busy') {
      response.setHeader('Retry-After', '5');
      refuse(response, 503, 'Service Unavailable: too many logins');
    }
    return outcome === 'accepted';
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = `${message}\n`;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length });
  response.end(body);
}
