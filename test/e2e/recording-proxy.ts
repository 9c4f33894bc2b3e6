import { createServer, request } from 'node:http';
import type { Cleanups } from '../fixtures/cleanups.ts';
import { listen } from '../fixtures/servers.ts';

/** Headers and status of one scrape. */
export interface Exchange {
  readonly accept: string | undefined;
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  readonly encoding: string | undefined;
}

/** A proxy that forwards everything unchanged and records the headers. */
export interface RecordingProxy {
  readonly address: string;
  readonly exchanges: readonly Exchange[];
}

/** Starts a proxy for an address of this machine. */
export async function startRecordingProxy(cleanups: Cleanups, address: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '/', headers, method } = incoming;
    const forwarded = request(`http://${address}${url}`, { method, headers }, (answer) => {
      exchanges.push({
        accept: headers.accept,
        status: answer.statusCode,
        contentType: answer.headers['content-type'],
        encoding: answer.headers['content-encoding'],
      });
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  return { address: `127.0.0.1:${await listen(server, cleanups)}`, exchanges };
}
