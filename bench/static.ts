import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { listen } from './listen.ts';

// Shows the possible speed: sends the page of another server from one buffer. Arguments: URL of that server, and optionally a level
// of gzip. With a level, compresses the page again as one stream.

const [source = '', level] = process.argv.slice(2);
const identity = await read('identity');
const pages = {
  identity,
  gzip: level === undefined ? await read('gzip') : gzipSync(identity, { level: Number(level) }),
};

async function read(encoding: string): Promise<Buffer> {
  const { body } = await request(source, { headers: { 'accept-encoding': encoding } });
  return Buffer.from(await body.arrayBuffer());
}

const server = createServer(({ headers }, response) => {
  const encoding = headers['accept-encoding'] === 'gzip' ? 'gzip' : 'identity';
  response.setHeader('content-type', 'text/plain; version=0.0.4').setHeader('content-encoding', encoding);
  response.setHeader('content-length', pages[encoding].length).end(pages[encoding]);
});
listen(server);
