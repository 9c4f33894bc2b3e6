import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Credentials } from '../../src/config/values/config.ts';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { fileNameOf } from '../../src/state/state-file.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { incarnate } from '../fixtures/restart.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

it.each<[string, (secret: string) => Credentials]>([
  ['token', (secret) => ({ kind: 'token', token: inlineSecret(secret) })],
  ['password', (secret) => ({ kind: 'password', login: 'shop', password: inlineSecret(secret) })],
])('the state file is the same for each %s, except that a hash identifies a token', async (kind, credentialsOf) => {
  const api = await scriptedApi({ 'mysql/getList': { result: [{ name: 'shop_main', size: 5 }] } });
  const files: string[] = [];

  for (const secret of ['summer', 'winter']) {
    fakeClock('2026-06-03T12:00:00Z');
    const directory = temporaryFolder();
    const credentials = credentialsOf(secret);
    const account = accountConfig({ credentials, api: { baseUrl: api.baseUrl }, collectors: ['databases'] });
    const { app } = await incarnate(config(account), directory);
    await app.accounts[0]?.pollOnce();
    await app.stop();
    files.push(gunzipSync(readFileSync(join(directory, fileNameOf(account.name)))).toString());
  }

  const [summer, winter] = files.map((file) => JSON.parse(file));
  expect(files.join()).toContain('shop_main');
  expect(files.join()).not.toMatch(/summer|winter/);
  expect({ ...summer, identity: '' }).toEqual({ ...winter, identity: '' });
  expect(summer.identity === winter.identity).toBe(kind === 'password');
});
