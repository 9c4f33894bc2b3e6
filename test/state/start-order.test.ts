import { expect, it, onTestFinished } from 'vitest';
import { App } from '../../src/app.ts';
import { startApp } from '../../src/cli/serve.ts';
import { StateDirectory } from '../../src/state/state-directory.ts';
import { config } from '../fixtures/config.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';
import { freePort } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** An exporter that makes a request just before it restores figures. */
class EarlyRequest extends App {
  url = '';
  status = 0;

  override async restore(): Promise<void> {
    this.status = (await fetch(this.url)).status;
    await super.restore();
  }
}

it('the program listens before it restores figures', async () => {
  const { log } = recordedLog();
  const state = await StateDirectory.open({ directory: temporaryFolder(), log });
  const app = new EarlyRequest(config(), { version: '1', revision: 'r', nodeVersion: 'v24' }, log, { state });
  onTestFinished(() => app.stop());
  const address = `127.0.0.1:${await freePort()}`;
  app.url = `http://${address}/metrics`;

  await startApp(app, { pages: [address] }, config(), log);

  expect(app.status).toBe(503);
  expect((await fetch(app.url)).status).toBe(200);
});
