import { connect } from 'node:net';

export type Encoding = 'identity' | 'gzip';

/** Measurements of one scrape. */
export interface Scrape {
  readonly milliseconds: number;
  /** Size of head and body. */
  readonly bytes: number;
}

/** All reads share one buffer, which keeps the cost of the client low. */
const buffer = Buffer.alloc(1024 * 1024);

/** Scrapes once over a new connection. The measured time starts when the connection is open. */
export function scrape(url: string, encoding: Encoding): Promise<Scrape> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    let start = 0;
    let bytes = 0;
    let head = '';
    const onread = {
      buffer,
      callback: (count: number) => {
        if (bytes === 0) head = buffer.toString('latin1', 0, Math.min(count, 1000)).toLowerCase();
        bytes += count;
        return true;
      },
    };
    const socket = connect({ host: hostname, port: Number(port), onread }, () => {
      start = performance.now();
      socket.write(
        `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
      );
    });
    socket.once('error', reject);
    socket.once('end', () => {
      const milliseconds = performance.now() - start;
      const received = head.includes('content-encoding: gzip') ? 'gzip' : 'identity';
      if (head.startsWith('http/1.1 200 ') && received === encoding) resolve({ milliseconds, bytes });
      else reject(new Error(`${url} was asked for ${encoding} and returned ${head}`));
    });
  });
}

/** The samples that every server under test must serve: all lines of a page that begin with `hosting_`. */
export async function readSamples(url: string): Promise<readonly string[]> {
  const page = await (await fetch(url)).text();
  return page.split('\n').filter((line) => line.startsWith('hosting_'));
}
