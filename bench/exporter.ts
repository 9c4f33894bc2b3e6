import { App } from '../src/app.ts';
import { collectors } from '../src/collectors/list.ts';
import type { AccountConfig } from '../src/config/values/config.ts';
import { inlineSecret } from '../src/config/values/secret.ts';
import { createLog } from '../src/log.ts';
import type { Account } from '../src/polling/account.ts';
import { accountConfig, config } from '../test/fixtures/config.ts';
import { accountSeeds } from './processes.ts';

// The exporter in a process whose polls the parent process controls. Arguments: base URL of a sandbox, kind and size of its accounts.

/** Number of accounts that are polled at the same time. */
const batch = 20;

/** A budget that is so large that polls never wait for it. */
const requestsPerMinute = 6000;

const [baseUrl = '', kind = '', count] = process.argv.slice(2);
const enabled = collectors.filter(({ offByDefault }) => offByDefault !== true).map(({ name }) => name);
const accounts = accountSeeds(kind, Number(count)).map(
  ({ login, password }): AccountConfig =>
    accountConfig({
      name: login,
      credentials: { kind: 'password', login, password: inlineSecret(password) },
      collectors: enabled,
      api: { baseUrl, requestsPerMinute },
    }),
);
const log = createLog({ level: 'error', format: 'logfmt' }, process.stderr);
const app = new App(config(...accounts), { version: '0', revision: 'bench', nodeVersion: process.version }, log);
let longestBlock: () => number = () => 0;
let polled = 0;

const commands: Readonly<Record<string, () => unknown>> = {
  /** Polls all collectors of all accounts once. */
  'poll all': () => inBatches((account) => account.pollOnce()),
  /** Polls the collector `account` of the next account. */
  'poll next': async () => {
    const account = app.accounts[polled % app.accounts.length];
    if (account !== undefined) await pollPlan(account);
    polled += 1;
  },
  'poll each': () => inBatches(pollPlan),
  'measure blocks': () => {
    longestBlock = measureBlocks();
  },
  'longest block': () => longestBlock(),
};

process.on('message', async (command: string) => {
  const known = commands[command];
  process.send?.((await (known === undefined ? pollCollector(command) : known())) ?? null);
});

process.send?.(`${await app.listeners.open('127.0.0.1:0')}/metrics`);

async function inBatches(poll: (account: Account) => Promise<void>): Promise<void> {
  for (let index = 0; index < app.accounts.length; index += batch) {
    await Promise.all(app.accounts.slice(index, index + batch).map(poll));
  }
}

async function pollPlan({ pollers }: Account): Promise<void> {
  await pollers.find(({ collector }) => collector.name === 'account')?.poll();
}

/** Polls a collector of the first account. */
async function pollCollector(name: string): Promise<void> {
  const poller = app.accounts[0]?.pollers.find(({ collector }) => collector.name === name);
  await poller?.poll();
  if (poller?.newest?.succeeded !== true) throw new Error(`the poll of ${name} failed`);
}

/** Measures the CPU time of each iteration of the event loop. The returned function ends this, and returns the maximum in milliseconds. */
function measureBlocks(): () => number {
  let longest = 0;
  let last = threadCpuTime();
  const measure = () => {
    const now = threadCpuTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(measure, 1);
  return () => {
    clearInterval(timer);
    measure();
    return longest;
  };
}

function threadCpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
