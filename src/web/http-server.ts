import { createServer, type RequestListener, type Server } from 'node:http';

/** Milliseconds. Enough for any honest client, and too short to keep thousands of connections busy with nothing. */
const timeouts = {
  /** From the first byte of a connection or request to the end of the headers. */
  headersTimeout: 10_000,
  /** To the end of the body, which no page needs. */
  requestTimeout: 30_000,
  /** Between two requests of a connection; longer than the usual scrape interval. */
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5000,
} as const;

/** Stalled clients are disconnected after this many milliseconds. */
const stallTimeout = 60_000;

/** Creates the server behind the listeners; it does not listen itself. */
export function createHttpServer(listener: RequestListener): Server {
  return createServer({ ...timeouts }, listener).setTimeout(stallTimeout);
}
