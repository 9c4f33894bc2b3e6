import { setTimeout } from 'node:timers/promises';
import type { ViewedAccount } from '../src/account-view/viewed-account.ts';
import { collectors } from '../src/collectors/list.ts';
import { inTurns, type Steps } from '../src/in-turns.ts';
import { PollHistory } from '../src/polling/poll-history.ts';
import type { CollectorStatus } from '../src/polling/poller.ts';
import { monitorEventLoop } from './event-loop.ts';
import { accountName, generateResults } from './fleet.ts';
import { bytes, median, milliseconds, table } from './table.ts';

// What the pages for people cost on top of the same fleet without them, in one process. Arguments: numbers of accounts.

const interval = 300_000;
/** As many as the pages show. */
const polls = 20;
const rounds = 30;
/** As the routes of the pages. */
const workPerTurn = 2000;

const bare = await memoryInUse();
const { readAccount } = await import('../src/account-view/account-detail.ts');
const { readOverview } = await import('../src/account-view/overview.ts');
const { accountPage } = await import('../src/pages/account-page.ts');
const { overviewPage } = await import('../src/pages/overview-page.ts');
const { pageContext } = await import('../test/fixtures/page-context.ts');
const modules = (await memoryInUse()) - bare;
const { createFleetExporter } = await import('./fleet-exporter.ts');

print(`Modules, words and formats of the pages: ${bytes(modules)}.\n`);
for (const argument of process.argv.slice(2)) await measure(Number(argument));

async function measure(count: number): Promise<void> {
  const before = await memoryInUse();
  const { accounts: fleet } = createFleetExporter(count);
  for (let index = 0; index < count; index += 1) {
    const name = accountName(index);
    for (const result of generateResults(name)) fleet.get(name)?.poll(result);
    if (index % 10 === 0) await setTimeout();
  }
  const serving = (await memoryInUse()) - before;
  const recent = new Map([...fleet.keys()].map((name) => [name, collectors.map(successfulPolls)]));
  const histories = (await memoryInUse()) - before - serving;
  const accounts = [...fleet].map(([name, { store }]) => viewed(name, store, recent.get(name) ?? []));
  const prepared = await memoryInUse();
  const list = await timesOf(function* () {
    const context = pageContext({ path: '/' });
    return yield* overviewPage(context, yield* readOverview(accounts, { search: '', page: 1 }, context.now));
  });
  const one = await timesOf(function* () {
    const context = pageContext({ path: '/accounts/x' });
    const account = accounts[Math.floor(Math.random() * count)];
    return account === undefined ? '' : yield* accountPage(context, yield* readAccount(account, context.now));
  });
  const opened = Math.max((await memoryInUse()) - prepared, 0);
  const share = (value: number) => `${((100 * value) / serving).toFixed(1)} %`;
  print(
    table(
      [`${count} accounts`, 'memory', 'vs. serving'],
      [
        ['serving, with the payloads that reloads need', bytes(serving), ''],
        [`the newest ${polls} polls of each collector`, bytes(histories), share(histories)],
        ['what remains after pages were opened', bytes(opened), share(opened)],
      ],
    ),
  );
  print(
    table(
      [`CPU of ${rounds} pages each`, 'first', 'median', 'longest block', 'longest GC'],
      [
        ['list', ...list],
        ['one account', ...one],
      ],
    ),
  );
}

function successfulPolls(): PollHistory {
  const history = new PollHistory();
  const now = Date.now();
  for (let poll = polls; poll > 0; poll -= 1) {
    history.add({ ended: now - poll * interval, seconds: 0.2, calls: 1, failure: undefined });
  }
  return history;
}

function viewed(name: string, store: ViewedAccount['store'], histories: readonly PollHistory[]): ViewedAccount {
  const now = Date.now();
  const pollers = collectors.map((collector, index) => {
    const status: CollectorStatus = {
      collector: collector.name,
      methods: collector.methods,
      interval,
      polling: false,
      lastSuccess: now,
      isFromEarlierProcess: false,
      nextRun: now + interval,
      failure: undefined,
      forbiddenMethods: [],
    };
    const newest = { decisive: undefined, lastSuccess: now };
    return {
      collector,
      newest,
      interval,
      droppedSeries: 0,
      status: () => status,
      recentPolls: () => histories[index]?.list() ?? [],
    };
  });
  return { name, up: true, polled: true, store, thresholds: [], pollers };
}

/** CPU time of the first page, the median, the longest block of all pages, and the longest garbage collection. */
async function timesOf(steps: () => Steps<string>): Promise<readonly string[]> {
  const cpu: number[] = [];
  const report = monitorEventLoop();
  for (let round = 0; round < rounds; round += 1) {
    const start = process.threadCpuUsage();
    await inTurns(steps(), workPerTurn);
    const { user, system } = process.threadCpuUsage(start);
    cpu.push((user + system) / 1000);
    await setTimeout(5);
  }
  const { longestBlock, longestCollection } = report();
  return [cpu[0] ?? 0, median(cpu), longestBlock, longestCollection].map(milliseconds);
}

/** Bytes on V8's heap and in buffers after garbage collections: buffers of garbage are freed some time later. */
async function memoryInUse(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc');
  for (let collection = 0; collection < 5; collection += 1) {
    globalThis.gc();
    await setTimeout(200);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
