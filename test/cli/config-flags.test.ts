import { expect, test } from 'vitest';
import { ExitError } from '../../src/cli/command.ts';
import { applyFlags, loadWithFlags, logWarning, withWebConfig } from '../../src/cli/config-flags.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { writeSettings } from '../fixtures/program.ts';
import { recordedLog } from '../fixtures/recorded-log.ts';

const three = config(...['shop', 'blog', 'forgotten'].map((name) => accountConfig({ name })));

function selected(selection: Parameters<typeof applyFlags>[1]) {
  const { accounts, otherAccounts } = applyFlags(three, selection);
  return { accounts: accounts.map(({ name }) => name), otherAccounts };
}

test('selects the given accounts, and remembers the names of the others', () => {
  expect(selected({ account: ['forgotten', 'shop'] })).toEqual({
    accounts: ['shop', 'forgotten'],
    otherAccounts: ['blog'],
  });
});

test('selects an account only if the flag names it and the shard contains it', () => {
  expect(selected({ shard: { index: 3, count: 3 }, account: ['blog', 'shop'] }).accounts).toEqual(['blog']);
});

test.each([
  ['blg', "error: unknown account 'blg'\n(Did you mean blog?)"],
  ['x', "error: unknown account 'x'; known accounts: shop, blog, forgotten"],
])('refuses the unknown account %s', (name, message) => {
  expect(() => selected({ account: ['shop', name] })).toThrow(new ExitError(2, message));
});

/** Loads a configuration with the account `blog`, and returns the log of that. */
async function loaded(source: Partial<Parameters<typeof loadWithFlags>[0]>, environment = {}) {
  const account = { name: 'blog', login: 'blog', password: 'secret' };
  const settings = {
    api: { base_url: 'http://127.0.0.1:9/api' },
    accounts: [account],
    web: { listen_address: ':8', telemetry_path: '/file' },
  };
  const { log, lines } = recordedLog('logfmt');
  const configFile = writeSettings(cleanups, settings);
  const selection = await loadWithFlags(
    { 'config.file': configFile, ...source },
    recordedContext({ environment }),
    logWarning(log),
  );
  return { selection, log: lines.map((line) => line.replace(/^time=\S+ /, '').replace(configFile, 'FILE')) };
}

test('rejects with an error that is no problem of a file', async () => {
  const bug = new TypeError('not a function');

  await expect(withWebConfig(Promise.reject(bug), undefined)).rejects.toBe(bug);
});

test('lets flags take precedence over the configuration', async () => {
  const { selection } = await loaded({ 'web.listenAddress': [':1'], 'web.telemetryPath': '/m' });
  const byFile = await loaded({ 'web.listenAddress': undefined });

  expect(selection.web).toEqual({ listenAddresses: [':1'], telemetryPath: '/m' });
  expect(byFile.selection.web).toEqual({ listenAddresses: [':8'], telemetryPath: '/file' });
});

test.each([
  [{ 'web.externalUrl': 'https://a.example:8443/b/c/' }, '/b/c', '/b/c'],
  [{ 'web.externalUrl': '/b/' }, '/b', '/b'],
  [{ 'web.externalUrl': 'https://a.example' }, '', ''],
  [{ 'web.externalUrl': 'https://a.example/b', 'web.routePrefix': '/' }, '/b', ''],
  [{ 'web.externalUrl': 'https://a.example/', 'web.routePrefix': '/d/' }, '', '/d'],
  [{ 'web.routePrefix': '/d/e' }, '/d/e', '/d/e'],
])('with %j, links begin with "%s" and paths with "%s"', (flags, linkPrefix, routePrefix) => {
  expect(applyFlags(config(), flags).web).toMatchObject({ linkPrefix, routePrefix });
});
