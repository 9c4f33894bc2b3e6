import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { showHistoryProgress } from '../../../src/cli/progress.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { polledAccount } from '../../fixtures/polled-account.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { until } from '../../fixtures/waiting.ts';

interface Setting {
  readonly name?: string;
  readonly sites: number;
  readonly budget: number;
  readonly answers?: Readonly<Record<string, ScriptedAnswer>>;
}

/** An account whose sites are listed, and whose load is being fetched. */
async function listedAccount({ name = 'shop', sites, budget, answers = {} }: Setting) {
  const list = Array.from({ length: sites }, (_, id) => ({ id: id + 1, name: `site${id + 1}` }));
  const api = await scriptedApi({ 'stat/getSitesListLoad': { result: list }, ...answers });
  const settings = { name, api: { baseUrl: api.baseUrl, requestsPerMinute: budget }, collectors: ['site_load_detail'] };
  const { account, poller } = polledAccount(accountConfig(settings));
  void account.pollOnce();
  const { items } = poller('site_load_detail');
  if (sites > 0) await until('the list', () => items?.keys.size === sites);
  else await until('the poll', () => poller('site_load_detail').newest !== undefined);
  return account;
}

/** What is written about accounts until the end. */
async function written(accounts: readonly Setting[]): Promise<string> {
  let text = '';
  const listed = await Promise.all(accounts.map(listedAccount));
  await showHistoryProgress(Promise.resolve(), listed, { write: (line) => (text += line) });
  return text;
}

const asks = 'Reading the sites and databases of 1 account, then the load of each site and database.\n';

describe('the progress of a history', () => {
  it.each([
    ['no call', [{ sites: 0, budget: 60 }], asks],
    ['less than 5 s', [{ sites: 1, budget: 15 }], `${asks}1 call, within the call budget.\n`],
    ['5 s', [{ sites: 1, budget: 12 }], `${asks}1 call, within the call budget: about 5 s.\n`],
    ['90 s', [{ sites: 18, budget: 12 }], `${asks}18 calls, within the call budget: about 90 s.\n`],
    ['more than 90 s', [{ sites: 19, budget: 12 }], `${asks}19 calls, within the call budget: about 2 minutes.\n`],
    [
      'the time of the slowest account',
      [
        { sites: 2, budget: 12 },
        { name: 'blog', sites: 2, budget: 6 },
      ],
      'Reading the sites and databases of 2 accounts, then the load of each site and database.\n4 calls, within the call budget: about 20 s.\n',
    ],
  ])('announces %s', async (_, accounts, text) => {
    expect(await written(accounts)).toBe(text);
  });

  it('says nothing about calls before all lists have arrived', async () => {
    const api = await scriptedApi({ 'stat/getSitesListLoad': 'silence' });
    const { account } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['site_load_detail'] }),
    );
    let text = '';
    const listed = await listedAccount({ name: 'blog', sites: 2, budget: 60 });
    void account.pollOnce();

    await showHistoryProgress(Promise.resolve(), [account, listed], { write: (line) => (text += line) });

    expect(text).toBe('Reading the sites and databases of 2 accounts, then the load of each site and database.\n');
  });

  it('says once that it waits, and shows the account on a terminal until the end', async () => {
    const account = await listedAccount({
      sites: 3,
      budget: 600,
      answers: { 'stat/getSiteLoad': { status: 429, headers: { 'retry-after': '600' } } },
    });
    const lines: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = showHistoryProgress(promise, [account], { isTTY: true, write: (line) => lines.push(line) });
    await until('the pause', () => lines.some((line) => line.includes('shop: waiting ')));
    await until('three steps', () => lines.filter((line) => line.includes('] 0/3 shop ')).length > 2);

    resolve();
    await ended;
    const count = lines.length;
    await pause(500);

    expect(lines.filter((line) => line.includes('shop: waiting '))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^\r +\r$/);
    expect(lines).toHaveLength(count);
  });
});
