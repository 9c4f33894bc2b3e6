import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { listen } from './listen.ts';
import { readSamples } from './scrape.ts';

// Serves series with prom-client, in the way that its documentation describes. Argument: URL to copy the series from.

const gauges = new Map<string, Gauge>();
for (const line of await readSamples(String(process.argv[2]))) {
  const [, name = '', labels = '', value] = /^(\w+)(?:{(.*)})? (.*)$/.exec(line) ?? [];
  const pairs = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text]));
  const gauge = gauges.get(name) ?? new Gauge({ name, help: 'The same help.', labelNames: Object.keys(pairs) });
  gauges.set(name, gauge);
  gauge.set(pairs, Number(value));
}
collectDefaultMetrics();

const compress = promisify(gzip);
const server = createServer(async (request, response) => {
  const page = await register.metrics();
  response.setHeader('content-type', register.contentType);
  if (request.headers['accept-encoding'] !== 'gzip') return response.end(page);
  return response.setHeader('content-encoding', 'gzip').end(await compress(page));
});

listen(server);
