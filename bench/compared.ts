import { createServer, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { collectDefaultMetrics, Gauge, register } from 'prom-client';
import { listen, scrape } from './processes.ts';

// The servers with which the exporter is compared. Arguments: the kind of server, and the URL of the exporter's page.
// - static: sends the bytes of the exporter's page from one buffer
// - process: prom-client's metrics of the server's process, as the documentation of prom-client shows
// - prom-client: the same metrics, and all series of the exporter's page

/** A fixed level, so that results stay comparable when the exporter's level changes. */
const level = 3;

const [kind, source = ''] = process.argv.slice(2);
const answer = kind === 'static' ? await staticPage() : await promClient();

listen(
  createServer(async (request: IncomingMessage, response) => {
    const encoding = request.headers['accept-encoding'] === 'gzip' ? 'gzip' : 'identity';
    const page = await answer(encoding);
    response.setHeader('content-type', 'text/plain; version=0.0.4').setHeader('content-length', page.length);
    if (encoding === 'gzip') response.setHeader('content-encoding', encoding);
    response.end(page);
  }),
);

async function staticPage() {
  const pages = { identity: await scrape(source, 'identity'), gzip: await scrape(source, 'gzip') };
  return async (encoding: 'identity' | 'gzip') => pages[encoding];
}

async function promClient() {
  collectDefaultMetrics();
  if (kind === 'prom-client') copySeries((await scrape(source, 'identity')).toString('utf8'));
  return async (encoding: 'identity' | 'gzip') => {
    const text = await register.metrics();
    return encoding === 'gzip' ? gzipSync(text, { level }) : Buffer.from(text);
  };
}

function copySeries(page: string): void {
  const gauges = new Map<string, Gauge>();
  for (const [, name = '', labels = '', value] of page.matchAll(/^(hosting_\w+)(?:{(.*)})? (.*)$/gm)) {
    const pairs = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text]));
    const gauge = gauges.get(name) ?? new Gauge({ name, help: 'The same help.', labelNames: Object.keys(pairs) });
    gauges.set(name, gauge);
    gauge.set(pairs, Number(value));
  }
}
