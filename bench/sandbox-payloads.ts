import { App } from '../src/app.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import type { Result } from '../src/store/result.ts';
import { config, sandboxAccountConfig } from '../test/fixtures/config.ts';
import { recordedLog } from '../test/fixtures/recorded-log.ts';

/** Polls a sandbox account with `count` sites, domains and databases. Returns the results by collector and item. */
export async function pollSandbox(count: number): Promise<ReadonlyMap<string, ReadonlyMap<string, Result>>> {
  const names = Array.from({ length: count }, (_, index) => `shop-${index + 1}.example`);
  const seed = {
    login: 'bench',
    password: 'a',
    mainPassword: 'b',
    token: 'c',
    plan: { name: 'Great', load: 10 * count },
    server: { name: 'server.example', memory: 386_000 },
    disk: { usage: 1e9, limit: 1e10 },
    balance: 100,
    dailyCharge: 1,
    domains: names.map((fqdn) => ({ fqdn, expiresInDays: 100 })),
    sites: names.map((name) => ({ name, load: 5 })),
    databases: names.map((_, index) => ({ name: `bench_shop${index + 1}`, size: 1e8, growthPerDay: 1e6, load: 500 })),
    mailboxes: names.map((domain) => ({ mailbox: 'info', domain })),
  };
  const sandbox = await startSandbox({ accounts: [seed], dialect: 'provider', requestsPerMinute: 0 });
  const build = { version: '0', revision: 'bench', nodeVersion: process.version };
  const app = new App(config(sandboxAccountConfig(sandbox, seed.login)), build, recordedLog().log);
  const [account] = app.accounts;
  await account?.pollOnce();
  const results = account?.pollers.map(({ collector: { name } }) => [name, account.store.results(name)] as const);
  await app.stop();
  await sandbox.close();
  return new Map(results);
}
