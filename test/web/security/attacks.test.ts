import { appendFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { hashSync } from 'bcryptjs';
import { expect, it, onTestFinished } from 'vitest';
import { Login } from '../../../src/web/door/login.ts';
import { basic, get, type SecuredApp, startSecuredApp } from '../../fixtures/secured-app.ts';
import { until } from '../../fixtures/waiting.ts';

/** Starts with one user, whose password has the given cost. */
async function startWithUser(cost: number): Promise<SecuredApp> {
  const app = await startSecuredApp('users-plain.good.yml');
  writeFileSync(app.file, `basic_auth_users:\n  prometheus: ${hashSync('right', cost)}\n`);
  return app;
}

// Wall-clock time depends on other programs. Processor time does not, and its smallest value least of all.
it('an unknown user costs as much processor time as a known user, within 20 %', async () => {
  const login = new Login();
  const users = new Map([['known', hashSync('right', 8)]]);
  const smallest = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };

  for (let round = 0; round < 15; round += 1) {
    for (const user of ['known', 'unknown'] as const) {
      const before = process.cpuUsage();
      const outcome = await login.check(basic(user, `wrong ${round}`).authorization, users, 'client');
      const { user: own, system } = process.cpuUsage(before);
      expect(outcome, user).toBe('refused');
      smallest[user] = Math.min(smallest[user], own + system);
    }
  }

  const ratio = smallest.unknown / smallest.known;
  expect(ratio).toBeGreaterThan(0.8);
  expect(ratio).toBeLessThan(1.2);
});

it('unknown users are refused if one user has a hash that takes days, but a user with a cheap hash can log in', async () => {
  const app = await startWithUser(4);
  const [cheap, dear] = [hashSync('right', 4), hashSync('x', 4).replace('$04$', '$31$')];
  writeFileSync(app.file, `basic_auth_users:\n  admin: ${dear}\n  prometheus: ${cheap}\n  other: ${dear}\n`);
  const statuses = [];

  for (let stranger = 0; stranger < 20; stranger += 1) {
    statuses.push((await app.get('/metrics', { headers: basic(`stranger ${stranger}`, 'right') })).status);
  }
  statuses.push((await app.get('/metrics', { headers: basic('prometheus', 'right') })).status);

  expect(statuses).toEqual([...Array(20).fill(401), 200]);
});

it('a flood of wrong logins blocks neither a login that was accepted before, nor health checks, nor a login from another network', async () => {
  const app = await startWithUser(8);
  const health = await app.app.healthListeners.open('127.0.0.1:0');
  const scraper = { headers: basic('prometheus', 'right') };
  await app.get('/metrics', scraper);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const statuses = new Map<number, number>();
  let sent = 0;
  let isOver = false;
  async function attack(): Promise<void> {
    while (!isOver) {
      sent += 1;
      const { status } = await app.get('/metrics', { agent, headers: basic(`user ${sent % 10}`, `wrong ${sent}`) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  const attacks = Promise.all(Array.from({ length: 30 }, attack));
  await until('the flood fills the queue', () => statuses.has(429));

  const answers = [await app.get('/metrics', scraper), await get(`${health}/-/healthy`), await app.get()];
  appendFileSync(app.file, `  other: ${hashSync('also right', 8)}\n`);
  const other = { headers: basic('other', 'also right') };
  const sameNetwork = await app.get('/metrics', other);
  const otherNetwork = await app.get('/metrics', { ...other, localAddress: '127.0.0.2' });
  isOver = true;
  await attacks;

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401]);
  expect([sameNetwork.status, sameNetwork.headers['retry-after']]).toEqual([429, '5']);
  expect(sameNetwork.body).toBe('Too Many Requests: too many logins\n');
  expect(otherNetwork.status).toBe(200);
  expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
});

/** Opens connections that never become a request. */
async function open(count: number, url: string, bytes: Buffer): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => {});
    socket.on('connect', () => {
      if (bytes.length > 0) socket.write(bytes);
    });
    // Reads and drops what the server says.
    socket.resume();
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await until('all connections are open', () => sockets.every(({ connecting }) => !connecting));
  return sockets;
}

const clientHelloStart = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]);
const headersStart = Buffer.from('GET /metrics HTTP/1.1\r\nHost: x\r\n');

it.each([
  ['the start of a handshake', 'tls.good.yml', clientHelloStart],
  ['the start of headers, without TLS', 'empty.good.yml', headersStart],
])('connections without a request that send %s do not disturb scrapes, and are closed', async (_, fixture, bytes) => {
  const app = await startSecuredApp(fixture);
  const sockets = await open(200, app.url, bytes);

  const during = await app.get();
  await until('the server closes them', () => sockets.every(({ closed }) => closed));

  expect(during.status).toBe(200);
  expect((await app.get()).status).toBe(200);
});
