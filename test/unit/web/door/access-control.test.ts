import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccessConfig } from '../../../../src/web/config/load.ts';
import { AccessControl } from '../../../../src/web/door/access-control.ts';
import { Cleanups } from '../../../fixtures/cleanups.ts';
import { listen } from '../../../fixtures/servers.ts';

const cleanups = new Cleanups();

afterEach(cleanups.end);

const open: AccessConfig = { users: new Map(), headers: {}, rateLimit: undefined };
const hour = 3_600_000;

/** A guarded page. `access` is the configuration at each request. */
async function guarded(access: () => AccessConfig | undefined) {
  const accessControl = new AccessControl(access);
  cleanups.add(() => accessControl.stop());
  const page = accessControl.protect((_request, response) =>
    response.setHeader('x-frame-options', 'of the page').end('page'),
  );
  const port = await listen(createServer(page), cleanups);
  return async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
}

/** The statuses of as many requests, one after the other. */
async function statusesOf(ask: () => Promise<{ readonly status: number }>, count: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await ask()).status);
  return statuses;
}

describe('a guarded page', () => {
  it('is open without users and a limit', async () => {
    const ask = await guarded(() => open);

    expect(await ask()).toMatchObject({ status: 200, body: 'page' });
  });

  it('is closed while the web configuration is invalid', async () => {
    const ask = await guarded(() => undefined);

    expect(await ask()).toMatchObject({ status: 500, body: 'Internal Server Error\n' });
  });

  it('is closed without a login, even with one user', async () => {
    const ask = await guarded(() => ({ ...open, users: new Map([['alice', 'no hash']]) }));

    const { status, body, headers } = await ask();

    expect({ status, body }).toEqual({ status: 401, body: 'Unauthorized\n' });
    expect(headers.get('www-authenticate')).toBe('Basic');
    expect(headers.get('content-length')).toBe('13');
  });

  it('has the configured headers, also if it is refused, but wins with its own', async () => {
    let access: AccessConfig = { ...open, headers: { 'x-frame-options': 'deny', 'cache-control': 'no-store' } };
    const ask = await guarded(() => access);
    const shown = await ask();

    access = { ...access, users: new Map([['alice', 'no hash']]) };
    const refused = await ask();

    expect(shown.headers.get('cache-control')).toBe('no-store');
    expect(shown.headers.get('x-frame-options')).toBe('of the page');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('x-frame-options')).toBe('deny');
  });
});

describe('the limit of requests', () => {
  it('refuses those beyond it, also if the configuration is read again', async () => {
    const ask = await guarded(() => ({ ...open, rateLimit: { interval: hour, burst: 2 } }));

    expect(await statusesOf(ask, 4)).toEqual([200, 200, 429, 429]);
  });

  it('comes before the configured headers and the login, as in exporter-toolkit', async () => {
    const headers = { 'cache-control': 'no-store' };
    const users = new Map([['alice', 'no hash']]);
    const ask = await guarded(() => ({ users, headers, rateLimit: { interval: hour, burst: 1 } }));
    const [first, second] = [await ask(), await ask()];

    expect([first.status, first.headers.get('cache-control')]).toEqual([401, 'no-store']);
    expect([second.status, second.headers.get('cache-control')]).toEqual([429, null]);
  });

  it.each([
    ['interval', { interval: 2 * hour, burst: 1 }, [200, 429]],
    ['burst', { interval: hour, burst: 2 }, [200, 200]],
  ])('starts again with another %s', async (_changed, changedLimit, expected) => {
    let rateLimit = { interval: hour, burst: 1 };
    const ask = await guarded(() => ({ ...open, rateLimit }));
    await statusesOf(ask, 2);

    rateLimit = changedLimit;

    expect(await statusesOf(ask, 2)).toEqual(expected);
  });

  it('ends if it is removed', async () => {
    let rateLimit: AccessConfig['rateLimit'] = { interval: hour, burst: 1 };
    const ask = await guarded(() => ({ ...open, rateLimit }));
    const limited = await statusesOf(ask, 2);

    rateLimit = undefined;

    expect(limited).toEqual([200, 429]);
    expect(await statusesOf(ask, 2)).toEqual([200, 200]);
  });
});
