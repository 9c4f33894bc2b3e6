import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { withWebConfig } from '../../../src/cli/config-flags.ts';
import { ConfigError } from '../../../src/config/values/config-error.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

const empty = new ConfigError([{ source: 'config.yml', message: 'is empty' }]);

/** A web configuration file with this text, and its problems without the path. */
function webConfig(text: string) {
  const path = join(temporaryFolder(cleanups), 'web.yml');
  writeFileSync(path, text);
  const problemsOf = async (loading: Promise<unknown>) => {
    const error = await withWebConfig(loading, path).catch((reason: unknown) => reason);
    return error instanceof ConfigError ? error.message.replaceAll(path, 'web.yml').split('\n') : error;
  };
  return { path, problemsOf };
}

test('returns both configurations, and needs no file', async () => {
  const [config, web] = await withWebConfig(Promise.resolve('config'), webConfig('rate_limit: {}\n').path);

  expect([config, web?.warnings, web?.requiresLogin]).toEqual(['config', [], false]);
  expect(await withWebConfig(Promise.resolve('config'), undefined)).toEqual(['config', undefined]);
});

test.each([
  [empty, '', ['config.yml: is empty']],
  [undefined, 'users: {}\n', [expect.stringContaining('web.yml:1:1: has an unknown key')]],
  [empty, 'users: {}\n', ['config.yml: is empty', expect.stringContaining('web.yml:1:1: has an unknown key')]],
])('reports the problems of both files together', async (error, text, problems) => {
  const loading = error === undefined ? Promise.resolve('config') : Promise.reject(error);

  expect(await webConfig(text).problemsOf(loading)).toEqual(problems);
});

test('rejects with an error that is no problem of a file', async () => {
  const bug = new TypeError('not a function');

  expect(await webConfig('users: {}\n').problemsOf(Promise.reject(bug))).toBe(bug);
});
