import { startSandbox } from '../../sandbox/src/server.ts';
import { App } from '../../src/app.ts';
import { resolveConfig } from '../../src/config/file/resolve.ts';
import { type DailyMemory, dateOf, emptyMemory, rememberDay } from '../../src/store/daily-memory.ts';
import { Figures } from '../../src/store/figures.ts';
import type { Cleanups } from '../../test/fixtures/cleanups.ts';
import { recordedLog } from '../../test/fixtures/recorded-log.ts';

const day = 86_400_000;

/** Starts the pages of the accounts of the demo, with the memory of two weeks in which they changed. Returns their URL. */
export async function startDemoPages(cleanups: Cleanups): Promise<string> {
  let daysAgo = 14;
  const now = () => Date.now() - daysAgo * day;
  const sandbox = await startSandbox({ dialect: 'provider', requestsPerMinute: 0, speed: 0.06, clock: { now } });
  cleanups.add(() => sandbox.close());
  // The password of this account is wrong, to show a failure.
  const accounts = [...sandbox.accounts, { login: 'forgotten', password: 'of-last-year' }];
  const config = resolveConfig({
    api: { base_url: sandbox.baseUrl, requests_per_minute: 1200 },
    accounts: accounts.map(({ login, password }) => ({ name: login, login, password })),
  });
  const app = new App(config, { version: '0.1.0', revision: '', nodeVersion: process.version }, recordedLog().log);
  cleanups.add(() => app.stop());
  const memories = new Map<string, DailyMemory>();
  for (; ; daysAgo -= 1) {
    await Promise.all(app.accounts.map((account) => account.pollOnce()));
    for (const { name, store } of app.accounts) {
      if (store.results('account').size === 0) continue;
      const memory = memories.get(name) ?? emptyMemory;
      memories.set(name, rememberDay(memory, dateOf(now(), 'UTC'), new Figures(store.families())));
    }
    if (daysAgo === 0) break;
  }
  for (const account of app.accounts) account.memory = memories.get(account.name) ?? emptyMemory;
  return app.web.listen({ host: '127.0.0.1', port: 0 });
}
