import { describe, expect, it } from 'vitest';
import type { Method } from '../../src/api/method.ts';
import { siteList } from '../../src/payloads/site-list.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { accountConfig } from '../fixtures/config.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';

const rejected = { refuse: 'AUTH_ERROR', text: 'Username/password incorrect' } as const;
const accepted = { result: [] } as const;

/** Calls methods in turn, each with its answer. Returns the reasons of their failures. */
async function reasonsOf(...calls: readonly (readonly [Method, typeof rejected | typeof accepted])[]) {
  const api = await scriptedApi();
  const client = clientUnderTest(accountConfig({ api: { baseUrl: api.baseUrl } }));
  for (const [method, answer] of calls) {
    api.answer(method, answer);
    // Without it, the calls after a rejection would wait for the next attempt.
    client.session.gate.open();
    await client.api.call(method, siteList).catch(() => {});
  }
  return client.ended;
}

describe('a rejected call', () => {
  it('means a wrong password as long as no call is accepted', async () => {
    expect(
      await reasonsOf(['mysql/getList', rejected], ['site/getList', rejected], ['mysql/getList', rejected]),
    ).toEqual(['auth', 'auth', 'auth']);
  });

  it('means a missing permission if another method is accepted between two rejections', async () => {
    expect(
      await reasonsOf(
        ['mysql/getList', rejected],
        ['site/getList', accepted],
        ['mysql/getList', rejected],
        ['mysql/getList', rejected],
        ['site/getList', accepted],
      ),
    ).toEqual(['auth', undefined, 'permission', 'permission', undefined]);
  });

  it('means a changed password if all methods worked before', async () => {
    expect(
      await reasonsOf(
        ['mysql/getList', accepted],
        ['site/getList', accepted],
        ['mysql/getList', rejected],
        ['site/getList', rejected],
        ['mysql/getList', rejected],
      ),
    ).toEqual([undefined, undefined, 'auth', 'auth', 'auth']);
  });

  it('means a changed password if the method worked after its last rejection', async () => {
    expect(
      await reasonsOf(
        ['mysql/getList', rejected],
        ['mysql/getList', accepted],
        ['site/getList', accepted],
        ['mysql/getList', rejected],
      ),
    ).toEqual(['auth', undefined, undefined, 'auth']);
  });

  it.each([
    ['Cannot access method mysql', 'permission'],
    ['Method disabled', 'permission'],
    ['access denied', 'auth'],
  ])('with the text %j has the reason %s before any call is accepted', async (text, reason) => {
    expect(await reasonsOf(['mysql/getList', { ...rejected, text } as never])).toEqual([reason]);
  });
});

it('a rejection that was under way when the API accepted the secret again means a wrong password', async () => {
  const api = await scriptedApi({ 'mysql/getList': rejected });
  const client = clientUnderTest(accountConfig({ api: { baseUrl: api.baseUrl } }));
  await client.databases().catch(() => {});
  client.session.gate.open();

  const late = client.databases().catch(({ reason }) => reason);
  await api.settle();
  client.session.gate.accepted('sh&p+5 #?/=%41');

  expect(await late).toBe('auth');
});
