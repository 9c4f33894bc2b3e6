import { connect } from 'node:net';

export type Encoding = 'identity' | 'gzip';

/** One scrape, read to its last byte and thrown away. */
export interface Scrape {
  readonly milliseconds: number;
  /** Head and body. */
  readonly bytes: number;
}

/** All that comes is read into here, so that the client costs the machine as little as possible. */
const buffer = Buffer.alloc(1024 * 1024);

/** From the request to the end of the answer, on a connection of its own that is already open. */
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
      const given = head.includes('content-encoding: gzip') ? 'gzip' : 'identity';
      if (head.startsWith('http/1.1 200 ') && given === encoding) resolve({ milliseconds, bytes });
      else reject(new Error(`${url} was asked for ${encoding} and answered ${head}`));
    });
  });
}

/** The lines of a page that are samples of the accounts: what every server under test has to serve. */
export async function readSamples(url: string): Promise<readonly string[]> {
  const page = await (await fetch(url)).text();
  return page.split('\n').filter((line) => line.startsWith('hosting_'));
}
