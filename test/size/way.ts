import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Cleanups } from '../fixtures/cleanups.ts';
import { writeSettings } from '../fixtures/program.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { until } from '../fixtures/waiting.ts';
import type { RecordedFunction } from './recorder.ts';
import type { Command, Reply } from './traced.ts';

/** The functions of a poll and of a scrape, in the order of their first calls. */
export interface Way {
  readonly poll: readonly RecordedFunction[];
  readonly scrape: readonly RecordedFunction[];
}

const method = 'stat/getSitesListLoad';
const collector = 'site_load';

/**
 * Numbers that occur nowhere else. The first poll is not measured, because it also creates objects that later polls
 * use.
 */
const firstFigure = 611_953_207;
const figures = [611_953_229, 611_953_241];

/** API calls per minute. A second after a call, the next call does not wait. */
const budget = 60;

/**
 * Runs the exporter with one account and one list collector against an API, and follows a figure. Measures two polls
 * and two scrapes, and omits functions that run in only one of the two, such as those of timers.
 */
export async function followFigure(cleanups: Cleanups): Promise<Way> {
  let figure = firstFigure;
  const baseUrl = await startApi(cleanups, () => figure);
  const exporter = await startExporter(cleanups, baseUrl);
  await until(async () => (await exporter.scrape()).includes(String(figure)));
  const ways: Way[] = [];
  for (figure of figures) {
    // Polls are usually far apart and do not wait for the budget. The pause has the same effect.
    await setTimeout(60_000 / budget + 100);
    await exporter.ask({ figure, from: 'reply' });
    await exporter.ask('poll');
    const { functions: poll = [] } = await exporter.ask('stop');
    await exporter.ask({ figure, from: 'store' });
    const page = await exporter.scrape();
    const { functions: scrape = [] } = await exporter.ask('stop');
    if (!page.includes(String(figure))) throw new Error(`the metrics page does not show the newest poll:\n${page}`);
    ways.push({ poll, scrape });
  }
  return { poll: inEach(ways.map(({ poll }) => poll)), scrape: inEach(ways.map(({ scrape }) => scrape)) };
}

/** The functions that all lists contain. */
function inEach([first = [], ...others]: readonly (readonly RecordedFunction[])[]): readonly RecordedFunction[] {
  const keys = others.map((functions) => new Set(functions.map(keyOf)));
  return first.filter((code) => keys.every((set) => set.has(keyOf(code))));
}

function keyOf({ file, line, name }: RecordedFunction): string {
  return `${file}:${line} ${name}`;
}

/** An API that answers the method of the collector. Returns its base URL. */
async function startApi(cleanups: Cleanups, figure: () => number): Promise<string> {
  const server = createServer((request, response) => {
    const load = (site: string, cp: string) => ({ id: site, name: `${site}.example`, cp });
    const result = [load('1', '12.5'), load('2', String(figure())), load('3', '0.25')];
    response.statusCode = request.url === `/api/${method}` ? 200 : 404;
    response.end(JSON.stringify({ status: 'success', answer: { status: 'success', result } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanups.add(() => server.closeAllConnections());
  cleanups.add(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

async function startExporter(cleanups: Cleanups, baseUrl: string) {
  const { configuration } = JSON.parse(readText('docs/compatibility.json')) as { configuration: readonly string[] };
  const names = configuration.flatMap((key) => /^collectors\.(\w+)$/.exec(key)?.[1] ?? []);
  const file = writeSettings(cleanups, {
    api: { base_url: baseUrl, requests_per_minute: budget },
    collectors: Object.fromEntries(names.map((name) => [name, { enabled: name === collector }])),
    accounts: [{ name: 'shop', login: 'shop', password: 'secret' }],
  });
  const args = [`--config.file=${file}`, '--web.listen-address=127.0.0.1:0', '--log.format=json'];
  const child = fork(join(repository, 'src/main.ts'), args, {
    execArgv: ['--import', join(import.meta.dirname, 'traced.ts')],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exit = once(child, 'exit');
  cleanups.add(async () => {
    child.kill();
    await exit;
  });
  const failure = exit.then(() => {
    throw new Error(`the exporter ended:\n${log}`);
  });
  // An exit of the exporter is a failure only while a request to it is pending.
  failure.catch(() => {});
  const url = await until('the exporter to listen', () => {
    return child.exitCode === null ? /"metrics":"([^"]+)"/.exec(log)?.[1] : 'none';
  });
  if (child.exitCode !== null) await failure;
  return {
    ask: async (command: Command): Promise<Reply> => {
      const replied = once(child, 'message') as Promise<[Reply]>;
      child.send(command);
      const [reply] = await Promise.race([replied, failure]);
      if (reply.error !== undefined) throw new Error(reply.error);
      return reply;
    },
    scrape: async () => (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).text(),
  };
}
