import { expect, it } from 'vitest';
import type { AccountSeed } from '../../sandbox/src/accounts/account-seed.ts';
import { fleetAccounts } from '../../sandbox/src/accounts/fleet.ts';
import { type FaultKind, faultKinds } from '../../sandbox/src/faults/fault.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { checkReport } from '../../src/cli/check.ts';
import { collectors } from '../../src/collectors/list.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { leakedPieces } from '../fixtures/leaks.ts';
import { accountSettings, runProgram, startExporter, writeSettings } from '../fixtures/program.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { until } from '../fixtures/waiting.ts';

const kinds = Object.keys(faultKinds) as FaultKind[];
/** Rate limit errors, which pause an account for a minute. */
const pausing = /^(?:http_429|limit_error)$/;

/** Calls that end only with a timeout. */
const endless = /^(?:silence|drip)$/;

/** Responses that contain the credentials of the call. */
const echoing = /^(?:echo|oversized|gzip_bomb)$/;

/**
 * The collectors of the accounts whose responses cannot contain credentials: one method, one list, and one call for each
 * element of a list.
 */
const fewCollectors = ['account', 'databases', 'site_load_detail'];

/** How the accounts of a dialect log in. test/api/secrets.test.ts tries both credentials. */
const modes = { specification: 'token', provider: 'password' } as const;
type Dialect = keyof typeof modes;

/** The part of a secret that no escaping changes, because it contains only letters and digits. */
function coreOf(index: number, kind: string): string {
  return `zK${kind}${String(index).padStart(3, '0')}qXw7`;
}

/** The accounts of a fleet. Their secrets contain many characters that some format escapes. */
function seedsOf(count: number): readonly AccountSeed[] {
  return fleetAccounts(count).map((seed, index) => ({
    ...seed,
    password: `п"ä' &<${coreOf(index, 'P')}>\\ %41+=/?#$1`,
    token: `t.+/=&%22"'<${coreOf(index, 'T')}>\\$&`,
  }));
}

function leaksIn(text: string, count: number): readonly string[] {
  const cores = Array.from({ length: count }, (_, index) => ['P', 'T'].map((kind) => coreOf(index, kind))).flat();
  return cores.flatMap((core) => leakedPieces(text, core));
}

/** A sandbox with one account for each kind of fault. Every call of an account gets its fault. */
async function startFaultySandbox(dialect: Dialect): Promise<Sandbox> {
  const accounts = seedsOf(kinds.length);
  const sandbox = await openSandbox({ dialect, accounts }, cleanups);
  for (const [index, { login }] of accounts.entries()) {
    const kind = kinds[index] ?? 'echo';
    // A response of many mebibytes comes only once. Later calls get an error that repeats the request.
    const large = kind === 'oversized' || kind === 'gzip_bomb';
    if (large) sandbox.setFault({ kind: 'echo', login });
    sandbox.setFault(large ? { kind, login, method: 'user/getAccountInfo', times: 1 } : { kind, login });
  }
  return sandbox;
}

/** The names of the collectors of the account with the fault of this index. */
function collectorsOf(index: number): readonly string[] {
  return echoing.test(kinds[index] ?? '') ? collectors.map(({ name }) => name) : fewCollectors;
}

function settingsFor(sandbox: Sandbox, dialect: Dialect) {
  return {
    // Only calls that must time out have a short timeout. With a short timeout, other calls could fail on a busy
    // machine.
    api: { base_url: sandbox.baseUrl, timeout: '60s', requests_per_minute: 60_000 },
    accounts: sandbox.accounts.map((account, index) => ({
      ...accountSettings(account, modes[dialect]),
      ...(endless.test(kinds[index] ?? '') && { api: { timeout: '1s' } }),
      collectors: Object.fromEntries(
        collectors.map(({ name }) => [name, { enabled: collectorsOf(index).includes(name), every: '30s' }]),
      ),
    })),
  };
}

// The other test polls in the other dialect.
it('secrets appear neither in the debug log nor on a page for any fault', async () => {
  const sandbox = await startFaultySandbox('provider');
  const exporter = await startExporter(cleanups, settingsFor(sandbox, 'provider'), [
    '--log.level=debug',
    '--log.format=json',
  ]);

  await until('every account has seen its fault', () => {
    const seen = new Set(sandbox.calls.map(({ login, outcome }) => `${login} ${outcome}`));
    return sandbox.accounts.every(({ login }, index) => seen.has(`${login} ${kinds[index]}`));
  });
  // Rate-limited accounts are omitted, because they pause for a minute.
  const quick = sandbox.accounts
    .map(({ login }, index) => ({ login, count: collectorsOf(index).length, kind: kinds[index] ?? '' }))
    .filter(({ kind }) => !pausing.test(kind));
  await until('all other first polls have ended', async () => {
    const ended = /^hosting_exporter_collector_(?:success|failing)\{account="(.+?)".*\} 1$/gm;
    const accounts = [...(await exporter.page()).matchAll(ended)].map(([, account]) => account);
    return quick.every(({ login, count }) => accounts.filter((account) => account === login).length === count);
  });
  const polls = collectors.map((collector) => `polls=${collector}`).join('&');
  const accountPages = sandbox.accounts.map(({ login }) => `/accounts/${login}?${polls}`);
  const pages = await Promise.all([
    exporter.page(),
    exporter.page('/metrics', { accept: 'application/openmetrics-text; version=1.0.0' }),
    ...[...accountPages, '/', '/accounts.json', '/state', '/status', '/sd', '/-/ready', '/-/healthy', '/nowhere'].map(
      async (path) => (await fetch(`${exporter.url}${path}`)).text(),
    ),
  ]);
  await exporter.program.stop();

  const reasons = new Set(
    [...(pages[0] ?? '').matchAll(/_request_failures_total\{.*reason="(\w+)"\} [1-9]/g)].map(([, reason]) => reason),
  );
  expect(reasons).toEqual(
    new Set(['network', 'timeout', 'http', 'payload', 'auth', 'permission', 'limit', 'request', 'method', 'api']),
  );
  const { stdout, stderr } = exporter.program;
  expect(stderr).toMatch(/Could not serve.*\[secret\]/);
  for (const text of [stdout, stderr, ...pages]) expect(leaksIn(text, sandbox.accounts.length)).toEqual([]);
});

it('secrets do not appear in the output of check', async () => {
  const sandbox = await startFaultySandbox('specification');
  const settings = settingsFor(sandbox, 'specification');
  const quick = settings.accounts.filter((_, index) => !pausing.test(kinds[index] ?? ''));
  const file = writeSettings(cleanups, { ...settings, accounts: quick });

  const { code, stdout, stderr } = await runProgram(cleanups, ['check', '--json', `--config.file=${file}`]);

  expect(code, stderr).toBe(1);
  expect(stdout.length, stderr).toBeGreaterThan(1000);
  expect(leaksIn(stdout + stderr, sandbox.accounts.length), stderr).toEqual([]);
  // What `check` prints without --json.
  const report = checkReport(JSON.parse(stdout));
  expect(report).toContain('Could not serve');
  expect(leaksIn(report, sandbox.accounts.length)).toEqual([]);
});
