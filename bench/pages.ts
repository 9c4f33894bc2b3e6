import { setTimeout } from 'node:timers/promises';
import { collectors } from '../src/collectors/list.ts';
import type { ViewedAccount } from '../src/pages/view/viewed-account.ts';
import { AccountStore } from '../src/store/account-store.ts';
import { Clock } from '../src/store/clock.ts';
import { dateOf } from '../src/store/daily-memory.ts';
import type { FinishedPoll } from '../src/store/result.ts';
import { dailyMemory, growing } from '../test/fixtures/daily-memory.ts';
import { finishedPoll } from '../test/fixtures/finished-poll.ts';
import { monitorEventLoop } from './event-loop.ts';
import { accountName, type Result } from './fleet.ts';
import { memoryInUse } from './memory.ts';
import { bytes, median, milliseconds, table } from './table.ts';

// Measures what the pages of the exporter cost in addition to a fleet without pages. Arguments: numbers of accounts.

const interval = 300_000;
/** Number of polls that the pages show. */
const polls = 20;
const rounds = 30;
/** Number of sites, domains and databases of a typical account, and of a very large account. */
const size = { typical: 10, large: 500 };

/** The daily figures of an account after two years. */
const memory = dailyMemory({ date: dateOf(Date.now(), 'Europe/Moscow'), disk: growing(731, 61e9, 12_345_678) });

const bare = await memoryInUse();
const { readAccount } = await import('../src/pages/view/account-detail.ts');
const { readListRequest } = await import('../src/pages/view/list-request.ts');
const { readOverview } = await import('../src/pages/view/overview.ts');
const { accountPage } = await import('../src/pages/account-page.ts');
const { overviewPage } = await import('../src/pages/overview-page.ts');
const { pageContext } = await import('../test/fixtures/page-context.ts');
const modules = (await memoryInUse()) - bare;
const { createFleetExporter } = await import('./fleet-exporter.ts');
const { pollSandbox } = await import('./sandbox-payloads.ts');

print(`Modules, words and formats of the pages: ${bytes(modules)}.\n`);
const typical = await pollSandbox(size.typical);
const large = await pollSandbox(size.large);
for (const argument of process.argv.slice(2)) await measure(Number(argument));

async function measure(count: number): Promise<void> {
  const before = await memoryInUse();
  const { accounts: fleet } = createFleetExporter(count);
  for (let index = 0; index < count; index += 1) {
    const name = accountName(index);
    for (const result of resultsOf(name, typical)) fleet.get(name)?.poll(result);
    if (index % 10 === 0) await setTimeout();
  }
  const serving = (await memoryInUse()) - before;
  const recent = new Map([...fleet.keys()].map((name) => [name, collectors.map(successfulPolls)]));
  const histories = (await memoryInUse()) - before - serving;
  const accounts = [...fleet].map(([name, { store }]) => viewed(name, store, recent.get(name) ?? []));
  const largeStore = new AccountStore(new Clock());
  for (const [collector, results] of large)
    for (const [item, result] of results) largeStore.set(collector, item, result);
  const largeAccount = viewed('large', largeStore, []);
  const prepared = await memoryInUse();
  const listPage = async () => {
    const context = pageContext({ path: '/' });
    return overviewPage(context, await readOverview(accounts, readListRequest(context.query), context.now), {
      reloadFailed: () => false,
      otherAccounts: () => 0,
    });
  };
  const pageOf = async (account: ViewedAccount, opened: readonly string[]) => {
    const context = pageContext({ path: '/accounts/x' });
    return accountPage(context, readAccount(account, context.now, new Set(opened)));
  };
  const list = await timesOf(listPage);
  const polled = await timesOf(listPage, () => {
    for (const [name, account] of fleet) for (const result of resultsOf(name, typical, 'account')) account.poll(result);
  });
  const one = await timesOf(() => pageOf(accounts[Math.floor(Math.random() * count)] ?? largeAccount, []));
  const opened = Math.max((await memoryInUse()) - prepared, 0);
  const all = await timesOf(() => pageOf(largeAccount, ['sites', 'databases', 'domains']));
  const share = (value: number) => `${((100 * value) / serving).toFixed(1)} %`;
  print(
    table(
      [`${count} accounts`, 'memory', 'vs. serving'],
      [
        ['serving the metrics, with kept payloads', bytes(serving), ''],
        [`history of ${polls} polls of each collector`, bytes(histories), share(histories)],
        ['compiled code, after pages were opened', bytes(opened), share(opened)],
      ],
    ),
  );
  print(
    table(
      [`CPU of ${rounds} pages each`, 'first', 'median', 'longest block', 'without GC'],
      [
        ['list', ...list],
        ['list, after one poll of each account', ...polled],
        ['one account', ...one],
        [`one account with ${size.large} sites, all rows`, ...all],
      ],
    ),
  );
}

/** The payloads of a sandbox account as results of the account `name`. `only`: a single collector. */
function resultsOf(name: string, payloads: Awaited<ReturnType<typeof pollSandbox>>, only?: string): readonly Result[] {
  return collectors.flatMap((collector) => {
    if (only !== undefined && collector.name !== only) return [];
    return [...(payloads.get(collector.name) ?? [])].map(([item, { families, payload }]) => ({
      collector: collector.name,
      item,
      families: families.map((family) => ({
        ...family,
        samples: family.samples.map(({ labels, value }) => ({ labels: { ...labels, account: name }, value })),
      })),
      // A copy, because each account has its own text.
      payload: Buffer.from(payload).toString(),
    }));
  });
}

function successfulPolls(): readonly FinishedPoll[] {
  const now = Date.now();
  return Array.from({ length: polls }, (_, age) => finishedPoll({ ended: now - (age + 1) * interval, seconds: 0.2 }));
}

function viewed(
  name: string,
  store: ViewedAccount['store'],
  histories: readonly (readonly FinishedPoll[])[],
): ViewedAccount {
  const now = Date.now();
  const pollers = collectors.map((collector, index) => ({
    collector,
    newest: finishedPoll({ ended: now }),
    interval,
    droppedSeries: 0,
    missingResults: 0,
    isPolling: false,
    nextRun: now + interval,
    forbiddenMethods: [],
    recentPolls: histories[index] ?? [],
  }));
  const polled = { labels: {}, up: true, polled: true, timeZone: 'Europe/Moscow', nextAttempt: undefined };
  return { ...polled, name, store, thresholds: [], settlingTime: 600_000, memory, pollers };
}

/** CPU time of the first page, the median, and the longest block of all pages, with and without garbage collections. */
async function timesOf(render: () => Promise<string>, prepare: () => void = () => {}): Promise<readonly string[]> {
  const cpu: number[] = [];
  const blocks: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    prepare();
    await setTimeout(5);
    const report = monitorEventLoop();
    await setTimeout(5);
    const start = process.threadCpuUsage();
    await render();
    const { user, system } = process.threadCpuUsage(start);
    cpu.push((user + system) / 1000);
    await setTimeout(5);
    const { longestBlock, longestOwnBlock } = report();
    blocks.push(longestBlock);
    own.push(longestOwnBlock);
  }
  return [cpu[0] ?? 0, median(cpu), Math.max(...blocks), Math.max(...own)].map(milliseconds);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
