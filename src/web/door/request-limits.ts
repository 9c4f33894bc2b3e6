import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf, refuse } from './http-message.ts';

/** The paths of the health checks, which show nothing about accounts. */
export const healthPaths: readonly string[] = ['/-/healthy', '/-/ready'];

/** Maximum number of waiting requests of one connection. Prometheus and browsers send only one request at a time. */
const maxPipelined = 100;

/** Maximum number of concurrent responses. Each response keeps its page in memory until the page is sent. */
const maxResponses = 64;

/** Guaranteed milliseconds for each response. At the limit of responses, a new request ends the oldest response after this time. */
const guaranteedTime = 2000;

/** Milliseconds after which a waiting request is refused. */
const maxWait = 1500;

/** Maximum number of waiting requests. Waiting requests occupy little memory, because their pages are not rendered yet. */
const maxWaiting = 1000;

/** Milliseconds after which a response is cut off, even if it makes progress. Scrapes time out before this limit. */
const maxTime = 120_000;

/** Milliseconds in which responses can complete while the server closes. */
const grace = 1000;

/** Limits memory. Answers the requests of a connection one by one, and refuses requests beyond the limits. Always answers health checks. */
export class RequestLimits {
  readonly #connections = new Map<Socket, ReturnType<typeof connectionOf>>();
  readonly #responses = new Responses();

  /** Wraps a listener so that the listener receives the requests of each connection one by one. Use this wrapper before the login. */
  oneByOne(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const known = this.#connections.get(socket);
      const connection = known ?? connectionOf(socket, () => this.#connections.delete(socket));
      this.#connections.set(socket, connection);
      connection.add(response, (isRefused) => {
        if (!isRefused) listener(request, response);
        else refuseForNow(response.setHeader('connection', 'close'), 'too many requests on this connection');
      });
    };
  }

  /** Limits how many requests a listener receives at a time. Use this wrapper after the login: a slow login occupies no place. */
  concurrently(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (healthPaths.includes(pathOf(request.url))) return listener(request, response);
      this.#responses.add(response, (isRefused) => {
        if (!isRefused) listener(request, response);
        else refuseForNow(response, 'too many requests at the same time');
      });
    };
  }

  /** Resolves when all requests are answered, or after the grace time. */
  async idle(): Promise<void> {
    const ends = [...this.#connections.values()].map(({ idle }) => idle);
    await Promise.race([Promise.all(ends), pause(grace, undefined, { ref: false })]);
  }
}

function refuseForNow(response: ServerResponse, reason: string): void {
  refuse(response.setHeader('retry-after', guaranteedTime / 1000), 503, `${reason}; try again later`);
}

/** Answers or refuses a waiting request. Not called if the client has disconnected. */
type Respond = (isRefused: boolean) => void;

/** Answers requests one by one. `idle` resolves when all requests are answered, or when the client disconnects. */
function connectionOf(socket: Socket, onIdle: () => void) {
  const { promise: idle, resolve } = Promise.withResolvers<void>();
  /** The request that is being answered, and then the waiting requests. */
  const requests: { readonly response: ServerResponse; readonly respond: Respond }[] = [];
  let isOverfull = false;
  const end = () => {
    socket.off('close', end);
    requests.length = 0;
    onIdle();
    resolve();
  };
  socket.on('close', end);
  const answerFirst = (): void => {
    const [first] = requests;
    if (first === undefined || socket.destroyed) {
      end();
      return;
    }
    const deadline = setTimeout(() => socket.destroy(), maxTime).unref();
    first.response.once('close', () => {
      clearTimeout(deadline);
      requests.shift();
      answerFirst();
    });
    first.respond(isOverfull && requests.length === 1);
  };
  /** Adds a request. Ignores requests after a refused request, because the response to the refused request ends the connection. */
  const add = (response: ServerResponse, respond: Respond) => {
    if (isOverfull) return;
    requests.push({ response, respond });
    isOverfull = requests.length > maxPipelined + 1;
    // Discard further input outside Node.js' parser: closing a socket with unread input would lose responses.
    if (isOverfull) setImmediate(() => socket.removeAllListeners('data').on('data', () => {}));
    if (requests.length === 1) answerFirst();
  };
  return { idle, add };
}

class Responses {
  /** Start time of each response, in milliseconds of the monotonic clock. */
  readonly #inProgress = new Map<ServerResponse, number>();
  readonly #waiting = new Map<ServerResponse, Respond>();

  add(response: ServerResponse, respond: Respond): void {
    this.#cutOffStalled();
    if (this.#inProgress.size < maxResponses) this.#start(response, respond);
    else if (this.#waiting.size < maxWaiting) this.#wait(response, respond);
    else respond(true);
  }

  #wait(response: ServerResponse, respond: Respond): void {
    this.#waiting.set(response, respond);
    response.once('close', () => this.#waiting.delete(response));
    setTimeout(() => {
      if (this.#waiting.delete(response)) respond(true);
    }, maxWait).unref();
  }

  #start(response: ServerResponse, respond: Respond): void {
    this.#waiting.delete(response);
    this.#inProgress.set(response, performance.now());
    response.once('close', () => {
      this.#inProgress.delete(response);
      const [next] = this.#waiting;
      if (next !== undefined && this.#inProgress.size < maxResponses) this.#start(...next);
    });
    respond(false);
  }

  /** At the limit of responses, ends the oldest response if its guaranteed time is over. */
  #cutOffStalled(): void {
    const [oldest] = this.#inProgress;
    if (oldest === undefined || this.#inProgress.size < maxResponses) return;
    const [slow, started] = oldest;
    if (performance.now() - started < guaranteedTime) return;
    this.#inProgress.delete(slow);
    slow.destroy();
  }
}
