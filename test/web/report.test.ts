import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { fleetReport } from '../../src/pages/report.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountConfig, config } from '../fixtures/config.ts';
import { openSandbox } from '../fixtures/sandbox.ts';

const cleanups = new Cleanups();
let origin: string;

/** The account `shop` of the sandbox under names that look like formats and paths, and an account with a wrong password. */
const names = ['shop', 'shop.json', 'a/b.svg', '..', 'state', 'refused'];

beforeAll(async () => {
  const sandbox = await openSandbox({}, cleanups);
  const { login, password } = sandbox.account('shop');
  const accounts = names.map((name) =>
    accountConfig({
      name,
      credentials: { kind: 'password', login, password: inlineSecret(name === 'refused' ? 'wrong' : password) },
      api: { baseUrl: sandbox.baseUrl },
      labels: name === 'shop' ? { customer: 'acme' } : {},
      collectors: ['account', 'domains', 'backups'],
    }),
  );
  const subject = await startApp(config(...accounts), { cleanups });
  origin = subject.origin;
  await pollAll(subject);
});

afterAll(cleanups.end);

async function read(path: string, accept = '*/*') {
  const response = await fetch(`${origin}${path}`, { headers: { accept } });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text() };
}

describe('the JSON of all accounts', () => {
  it('has each account with its state, as the page counts them', async () => {
    const { type, text } = await read('/accounts.json');

    const report = fleetReport.strict().parse(JSON.parse(text));
    const page = (await read('/')).text;

    expect(type).toBe('application/json; charset=utf-8');
    expect(report.accounts.map(({ account }) => account).toSorted()).toEqual(names.toSorted());
    for (const [state, count] of Object.entries(report.counts).filter(([, number]) => number > 0)) {
      expect(page).toMatch(new RegExp(`class="badge ${state}" [^>]*>.*\\b${count}\\b`));
    }
    expect(report.accounts.find(({ account }) => account === 'refused')).toMatchObject({
      state: 'failing',
      labels: {},
    });
    expect(report.problems.filter(({ account }) => account === 'refused')).toEqual([
      {
        account: 'refused',
        state: 'failing',
        kind: 'unreachable',
        item: 'auth',
        cause: 'unreachable auth failing',
        causeText: 'The API rejects the login or password',
        period: 'today',
        text: 'The API rejects the login or password',
        alert: 'HostingCredentialsRejected',
        remedy: expect.stringMatching(/^Set a new API password in the control panel/),
        collectors: ['account', 'domains', 'backups'],
      },
    ]);
  });

  it('is what / answers to a program', async () => {
    const { type, text } = await read('/', 'application/json');

    expect(type).toBe('application/json; charset=utf-8');
    expect(fleetReport.parse(JSON.parse(text)).accounts).toHaveLength(names.length);
    expect((await read('/', 'text/html,application/json;q=0.9')).type).toBe('text/html; charset=utf-8');
  });

  it('has texts in Russian', async () => {
    expect((await read('/accounts.json?lang=ru')).text).toContain('API отклоняет логин или пароль');
  });
});

describe('the JSON of an account', () => {
  it.each([
    ['/accounts/shop.json', 'shop'],
    ['/accounts/shop.json.json', 'shop.json'],
    ['/accounts/a%2Fb.svg.json', 'a/b.svg'],
    ['/accounts/...json', '..'],
    ['/accounts/state.json', 'state'],
  ])('is at %s', async (path, name) => {
    const { status, text } = await read(path);

    expect(status).toBe(200);
    expect(fleetReport.parse(JSON.parse(text)).accounts.map(({ account }) => account)).toEqual([name]);
  });

  it('has the figures of the metrics, and labels', async () => {
    const [, used = '0'] =
      /hosting_account_disk_usage_bytes\{account="shop"\} (\S+)/.exec((await read('/metrics')).text) ?? [];

    const { text } = await read('/accounts/shop', 'application/json');
    const [account] = fleetReport.parse(JSON.parse(text)).accounts;

    expect(account?.figures['diskUsedBytes']).toBe(Number(used));
    expect(account?.labels).toEqual({ customer: 'acme' });
  });

  it.each(['/accounts/nobody.json', '/accounts/nobody.svg', '/accounts/nobody/state'])('finds no %s', async (path) => {
    const { status, type } = await read(path);

    expect([status, type]).toEqual([404, 'text/plain; charset=utf-8']);
  });

  it('leaves the page of an account with such a name at its link', async () => {
    const { text } = await read('/?group=none');

    expect(text).toContain('href="/accounts?name=shop.json"');
    expect((await read('/accounts?name=shop.json')).text).toContain('<bdi>shop.json</bdi>');
  });
});

describe('the state', () => {
  it.each([
    ['/state', 503],
    ['/accounts/refused/state', 503],
    ['/accounts/refused/state?fail=critical', 200],
    ['/accounts/state/state?fail=failing', 200],
    ['/accounts/a%2Fb.svg/state?fail=failing', 200],
    ['/state?fail=down', 400],
  ])('%s answers %i', async (path, status) => {
    expect((await read(path)).status).toBe(status);
  });

  it('begins with a word for programs, and continues with the problems', async () => {
    expect((await read('/accounts/refused/state?lang=ru')).text).toBe(
      'failing\nАккаунт требует внимания\nrefused: API отклоняет логин или пароль\n',
    );
  });

  it('answers HEAD with the same status', async () => {
    expect((await fetch(`${origin}/state`, { method: 'HEAD' })).status).toBe(503);
  });
});

it('a badge names the account and its state', async () => {
  const { type, text } = await read('/accounts/refused.svg?lang=en');

  expect(type).toBe('image/svg+xml; charset=utf-8');
  expect(text).toContain('<title>refused: no new data</title>');
});
