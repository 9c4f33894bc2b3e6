import fastify from 'fastify';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccessConfig } from '../../../src/web/config/load.ts';
import { accessControl } from '../../../src/web/door/access-control.ts';

const open: AccessConfig = { users: new Map(), headers: {}, rateLimit: undefined };
const hour = 3_600_000;

/** A guarded page. `access` is the configuration at each request. */
function guarded(access: () => AccessConfig | undefined) {
  const server = fastify();
  server.addHook('onRequest', accessControl({ access }));
  server.get('/', (_request, reply) => reply.header('x-frame-options', 'of the page').send('page'));
  const ask = async () => {
    const { statusCode: status, body, headers } = await server.inject('/');
    return { status, body, headers };
  };
  /** The statuses of as many requests, one after the other. */
  const statuses = async (count: number) => {
    const all: number[] = [];
    for (let index = 0; index < count; index += 1) all.push((await ask()).status);
    return all;
  };
  return { ask, statuses };
}

describe('a guarded page', () => {
  it('is open without users and a limit', async () => {
    const { ask } = guarded(() => open);

    expect(await ask()).toMatchObject({ status: 200, body: 'page' });
  });

  it('is closed while the web configuration is invalid', async () => {
    const { ask } = guarded(() => undefined);

    expect(await ask()).toMatchObject({ status: 500, body: 'Internal Server Error\n' });
  });

  it('is closed without a login, even with one user', async () => {
    const { ask } = guarded(() => ({ ...open, users: new Map([['alice', 'no hash']]) }));

    expect(await ask()).toMatchObject({
      status: 401,
      body: 'Unauthorized\n',
      headers: { 'www-authenticate': 'Basic', 'content-length': '13' },
    });
  });

  it('has the configured headers, also in a refusal; headers of the exporter itself win', async () => {
    let access: AccessConfig = { ...open, headers: { 'X-Frame-Options': 'deny', 'X-XSS-Protection': '1' } };
    const { ask } = guarded(() => access);
    const shown = await ask();

    access = { ...access, users: new Map([['alice', 'no hash']]) };
    const refused = await ask();

    expect(shown.headers).toMatchObject({ 'x-xss-protection': '1', 'x-frame-options': 'of the page' });
    expect(refused.headers).toMatchObject({ 'x-xss-protection': '1', 'x-frame-options': 'deny' });
  });
});

describe('a rate limit', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    return () => vi.useRealTimers();
  });

  it('comes before the configured headers and the login, as in exporter-toolkit', async () => {
    const users = new Map([['alice', 'no hash']]);
    const rateLimit = { interval: hour, burst: 1 };
    const { ask } = guarded(() => ({ users, headers: { 'X-XSS-Protection': '1' }, rateLimit }));
    const [first, second] = [await ask(), await ask()];

    expect([first.status, first.headers['x-xss-protection']]).toEqual([401, '1']);
    expect([second.status, second.headers['x-xss-protection']]).toEqual([429, undefined]);
    expect(second.body).toBe('Too Many Requests\n');
  });

  it.each([
    ['at first its burst, and then one request per interval', 3, 250, [0, 249, 1, 250, 500], [3, 0, 1, 1, 2]],
    ['nothing with a burst of 0', 0, 250, [0, 60_000], [0, 0]],
    ['never more than its burst', 3, 250, [0, 60_000], [3, 3]],
    ['a request after several parts of an interval', 2, 1000, [0, 500, 500, 500, 500], [2, 0, 1, 0, 1]],
  ])('allows %s', async (_, burst, interval, pauses, expected) => {
    const { statuses } = guarded(() => ({ ...open, rateLimit: { interval, burst } }));
    const allowed: number[] = [];

    for (const milliseconds of pauses) {
      vi.advanceTimersByTime(milliseconds);
      // Refused requests count for nothing.
      allowed.push((await statuses(burst + 2)).filter((status) => status === 200).length);
    }

    expect(allowed).toEqual(expected);
  });

  it.each([
    ['another interval', { interval: 2 * hour, burst: 1 }, [200, 429, 429]],
    ['another burst', { interval: hour, burst: 2 }, [200, 200, 429]],
    ['the same limit', { interval: hour, burst: 1 }, [429, 429, 429]],
    ['no limit', undefined, [200, 200, 200]],
  ])('applies a change to %s to the next request', async (_, changed, expected) => {
    let rateLimit: AccessConfig['rateLimit'] = { interval: hour, burst: 1 };
    const { statuses } = guarded(() => ({ ...open, rateLimit }));
    await statuses(2);

    rateLimit = changed;

    expect(await statuses(3)).toEqual(expected);
  });
});
