import { request } from 'undici';
import { expect, it } from 'vitest';
import { fakeDate } from '../../test/fixtures/polled-account.ts';
import { blog } from '../src/accounts/blog.ts';
import { fleetAccounts } from '../src/accounts/fleet.ts';
import { startSandbox } from '../src/server.ts';
import { call, fixedClock, payload } from './api-caller.ts';

it('provides its addresses', async () => {
  const sandbox = await startSandbox();
  await sandbox.close();

  expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
  expect(sandbox.controlUrl).toBe(sandbox.baseUrl.replace('/api', '/sandbox'));
});

it.each([
  ['an unknown time zone', { timeZone: 'Nowhere/Land' }, 'Nowhere/Land'],
  ['a speed that is not a number', { speed: Number.NaN }, 'The speed of a sandbox must be a number'],
  ['a negative limit', { requestsPerMinute: -1 }, '-1'],
  [
    'two accounts with the same login',
    { accounts: [...fleetAccounts(1), ...fleetAccounts(1)] },
    'Two accounts of the sandbox have the login amber-jewels',
  ],
  [
    'a main password that is also the API password',
    { accounts: [{ ...blog, mainPassword: blog.password }] },
    'The two passwords of the account blog must differ',
  ],
  [
    'a permission for an unknown method',
    { accounts: [{ ...blog, forbidden: ['mysql/getLists'] }] },
    'has no method or section mysql/getLists',
  ],
  [
    'a subdomain without a domain',
    { accounts: [{ ...blog, subdomains: ['forum.teapots.example'] }] },
    'has the subdomain forum.teapots.example, but no domain above it',
  ],
])('does not start with %s', async (_, options, message) => {
  await expect(startSandbox(options)).rejects.toThrow(message);
});

it.each(['POST', 'DELETE'] as const)('refuses %s of web pages to its control API, not of programs', async (method) => {
  const sandbox = await startSandbox();
  const send = async (headers: Record<string, string>) => {
    const body = method === 'POST' ? 'kind=reset' : null;
    const { statusCode } = await request(`${sandbox.controlUrl}/faults`, { method, headers, body });
    return statusCode;
  };
  const statuses = [
    await send({ origin: 'http://evil.example' }),
    await send({ origin: 'null' }),
    await send({}),
    (await request(`${sandbox.baseUrl}/user/getAccountInfo`, { headers: { origin: 'null' } })).statusCode,
  ];
  await sandbox.close();

  expect(statuses).toEqual([403, 403, method === 'POST' ? 201 : 204, 200]);
});

it('logs every call, including refused ones', async () => {
  fakeDate('2026-06-03T12:00:00Z');
  const sandbox = await startSandbox();

  await call(sandbox, 'shop', 'mysql/getList');
  await (await request(`${sandbox.baseUrl}/mysql/getList?login=nobody`)).body.dump();
  await (await request(`${sandbox.baseUrl}/a/b/c?login=shop&passwd=wrong`)).body.dump();
  await sandbox.close();

  expect(sandbox.calls).toEqual([
    { time: Date.now(), login: 'shop', method: 'mysql/getList', outcome: 'success' },
    { time: Date.now(), login: undefined, method: 'mysql/getList', outcome: 'AUTH_ERROR' },
    { time: Date.now(), login: 'shop', method: 'a/b/c', outcome: 'AUTH_ERROR' },
  ]);
});

it('lists its methods with their parameters', async () => {
  const sandbox = await startSandbox({ dialect: 'provider' });

  const { body } = await request(`${sandbox.controlUrl}/methods`);
  const methods = await body.json();
  await sandbox.close();

  expect(methods).toContainEqual({
    path: 'stat/getSiteLoad',
    purpose: 'load of one site by days and hours',
    parameters: ['site_id'],
  });
});

it('makes no backups after stopBackups', async () => {
  let now = fixedClock.now();
  const sandbox = await startSandbox({ dialect: 'provider', clock: { now: () => now } });

  sandbox.account('shop').stopBackups();
  now += 5 * 86_400_000;
  const [shop] = await payload(sandbox, 'shop', 'backup/getFileBackupList');
  const [blog] = await payload(sandbox, 'blog', 'backup/getFileBackupList');
  await sandbox.close();

  expect(shop.date < '2026-03-16 14:20:00').toBe(true);
  expect(blog.date.slice(0, 10)).toBe('2026-03-21');
});
