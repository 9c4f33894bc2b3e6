import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

export type Encoding = 'identity' | 'gzip';

/** One scrape, read to its last byte and thrown away. */
export interface Scrape {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** One connection to each server, kept open as Prometheus does. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export async function scrape(url: string, encoding: Encoding): Promise<Scrape> {
  const start = performance.now();
  const request = get(url, { agent, headers: { 'accept-encoding': encoding } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await once(response, 'end');
  const milliseconds = performance.now() - start;
  const given = response.headers['content-encoding'] ?? 'identity';
  if (response.statusCode !== 200 || given !== encoding) {
    throw new Error(`${url} answered ${response.statusCode} with ${given} instead of ${encoding}`);
  }
  return { milliseconds, bytes };
}

/** The lines of a page that are samples of the accounts: what every server under test has to serve. */
export async function readSamples(url: string): Promise<readonly string[]> {
  const page = await (await fetch(url)).text();
  return page.split('\n').filter((line) => line.startsWith('hosting_'));
}
