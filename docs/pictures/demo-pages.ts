import { startSandbox } from '../../sandbox/src/server.ts';
import { App } from '../../src/app.ts';
import { rememberPast } from '../../src/cli/demo-memory.ts';
import { resolveConfig } from '../../src/config/file/resolve.ts';
import type { Cleanups } from '../../test/fixtures/cleanups.ts';
import { recordedLog } from '../../test/fixtures/recorded-log.ts';

/** Starts the pages of the accounts of the demo, with the memory of 30 days. Returns their URL. */
export async function startDemoPages(cleanups: Cleanups): Promise<string> {
  const options = { dialect: 'provider', requestsPerMinute: 0 } as const;
  const sandbox = await startSandbox(options);
  cleanups.add(() => sandbox.close());
  // The password of this account is wrong, to show a failure.
  const accounts = [...sandbox.accounts, { login: 'forgotten', password: 'of-last-year' }];
  const config = resolveConfig({
    api: { base_url: sandbox.baseUrl, requests_per_minute: 1200 },
    accounts: accounts.map(({ login, password }) => ({ name: login, login, password })),
  });
  const app = new App(config, { version: '0.1.0', revision: '', nodeVersion: process.version }, recordedLog().log);
  cleanups.add(() => app.stop());
  await Promise.all(app.accounts.map((account) => account.pollOnce()));
  await rememberPast(app.accounts, options);
  return app.web.listen({ host: '127.0.0.1', port: 0 });
}
