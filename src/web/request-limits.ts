import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from './request-url.ts';

/** The pages for probes. They show nothing about accounts. */
export const healthPaths: readonly string[] = ['/-/healthy', '/-/ready'];

/** Requests of one connection that may wait for their turn. Prometheus and browsers send one at a time. */
const maxPipelined = 100;

/** Responses that may be rendered or sent at the same time. Each holds the page of one moment until it is sent. */
const maxResponses = 64;

/** Milliseconds after which a response gives its place to another request if all places are taken. */
const guaranteedTime = 2000;

/** Milliseconds that a request waits for a place before it is refused. */
const maxWait = 1500;

/** Requests that may wait for a place. They occupy little memory, because nothing is rendered for them yet. */
const maxWaiting = 1000;

/** Milliseconds after which a response is cut off, even if it makes progress: no scrape waits that long. */
const maxTime = 120_000;

/** Milliseconds that responses in progress have to complete once the server is closing. */
const grace = 1000;

/**
 * Bounds the memory that clients can occupy, with any input and at any reading speed. A connection is answered one
 * request at a time, so that nothing is rendered for a client that does not read or has left. Requests beyond the limits
 * receive 503; health checks are always answered.
 */
export class RequestLimits {
  readonly #connections = new Map<Socket, Connection>();
  readonly #places = new Places();

  /** Passes on one request of each connection at a time. Stands in front of the login. */
  inTurn(listener: RequestListener): RequestListener {
    return (request, response) => {
      const { socket } = request;
      const connection = this.#connections.get(socket) ?? this.#openConnection(socket);
      connection.add({
        response,
        answer: () => listener(request, response),
        refuse: () => refuse(response.setHeader('connection', 'close'), 'too many requests on this connection'),
      });
    };
  }

  /** Passes on requests that get a place in time. Stands behind the login: a request that waits for it takes none. */
  withPlace(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (isHealthCheck(request)) {
        listener(request, response);
        return;
      }
      this.#places.take(response, (isTaken) => {
        if (isTaken) listener(request, response);
        else refuse(response, 'too many requests at the same time');
      });
    };
  }

  /** Resolves when all requests are answered, but at the latest after a second. */
  async idle(): Promise<void> {
    const ends = [...this.#connections.values()].map(({ idle }) => idle);
    await Promise.race([Promise.all(ends), pause(grace, undefined, { ref: false })]);
  }

  #openConnection(socket: Socket): Connection {
    const connection = new Connection(socket, () => this.#connections.delete(socket));
    this.#connections.set(socket, connection);
    return connection;
  }
}

function isHealthCheck({ url }: IncomingMessage): boolean {
  return healthPaths.includes(pathOf(url));
}

function refuse(response: ServerResponse, reason: string): void {
  const body = `${reason}; try again later\n`;
  response.writeHead(503, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': body.length,
    'retry-after': String(guaranteedTime / 1000),
  });
  response.end(body);
}

/** A request that waits for its turn. Exactly one of the functions is called, or none if the client leaves. */
interface WaitingRequest {
  readonly response: ServerResponse;
  readonly answer: () => void;
  readonly refuse: () => void;
}

/** The unanswered requests of one connection, in their order. */
class Connection {
  /** Resolves when all requests are answered, or when the client has left. */
  readonly idle: Promise<void>;
  readonly #socket: Socket;
  readonly #waiting: WaitingRequest[] = [];
  readonly #end: () => void;
  #isAnswering = false;
  #isOverfull = false;

  constructor(socket: Socket, onIdle: () => void) {
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.idle = promise;
    this.#end = () => {
      socket.off('close', this.#end);
      this.#waiting.length = 0;
      onIdle();
      resolve();
    };
    socket.on('close', this.#end);
  }

  /** Ignores the request if an earlier one is refused, because that response is the last one of the connection. */
  add(request: WaitingRequest): void {
    if (this.#isOverfull) return;
    this.#waiting.push(request);
    if (this.#waiting.length > maxPipelined) {
      this.#isOverfull = true;
      setImmediate(() => discardInput(this.#socket));
    }
    if (!this.#isAnswering) this.#answerNext();
  }

  #answerNext(): void {
    const request = this.#waiting.shift();
    if (request === undefined || this.#socket.destroyed) {
      this.#end();
      return;
    }
    this.#isAnswering = true;
    const deadline = setTimeout(() => this.#socket.destroy(), maxTime).unref();
    request.response.once('close', () => {
      clearTimeout(deadline);
      this.#isAnswering = false;
      this.#answerNext();
    });
    if (this.#isOverfull && this.#waiting.length === 0) request.refuse();
    else request.answer();
  }
}

/**
 * Reads what a client still sends without parsing it. If the socket closed with unread input, the client would lose
 * responses that it has not read yet. Adding the listener takes the socket from Node.js' parser.
 */
function discardInput(socket: Socket): void {
  socket.removeAllListeners('data');
  socket.on('data', () => {});
}

/** The responses in progress, the oldest first, and those that wait for a place. */
class Places {
  readonly #taken = new Map<ServerResponse, number>();
  readonly #waiting: { readonly response: ServerResponse; readonly resume: () => void }[] = [];

  /** Reports whether the response has a place: immediately, or after a moment if all are taken. */
  take(response: ServerResponse, report: (isTaken: boolean) => void): void {
    this.#cutOffStalled();
    if (this.#taken.size < maxResponses) {
      this.#occupy(response);
      report(true);
      return;
    }
    if (this.#waiting.length >= maxWaiting) {
      report(false);
      return;
    }
    const settle = (isTaken: boolean) => {
      clearTimeout(timer);
      const index = this.#waiting.indexOf(waiting);
      if (index < 0) return;
      this.#waiting.splice(index, 1);
      if (isTaken) this.#occupy(response);
      report(isTaken);
    };
    const waiting = { response, resume: () => settle(true) };
    const timer = setTimeout(() => settle(false), maxWait).unref();
    this.#waiting.push(waiting);
  }

  #occupy(response: ServerResponse): void {
    this.#taken.set(response, performance.now());
    response.once('close', () => {
      this.#taken.delete(response);
      if (this.#taken.size < maxResponses) this.#waiting.find((waiting) => !waiting.response.destroyed)?.resume();
    });
  }

  /** If all places are taken, ends the oldest response that had its guaranteed time. */
  #cutOffStalled(): void {
    const [oldest] = this.#taken;
    if (oldest === undefined || this.#taken.size < maxResponses) return;
    const [slow, started] = oldest;
    if (performance.now() - started < guaranteedTime) return;
    this.#taken.delete(slow);
    slow.destroy();
  }
}
