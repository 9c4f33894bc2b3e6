import { expect, it } from 'vitest';
import { accountConfig } from '../fixtures/config.ts';
import { polledAccount } from '../fixtures/polled-account.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';

async function poll(results: Readonly<Record<string, unknown>>, ...collectors: readonly string[]) {
  const api = await scriptedApi(
    Object.fromEntries(Object.entries(results).map(([method, result]) => [method, { result }])),
  );
  const subject = polledAccount(accountConfig({ api: { baseUrl: api.baseUrl }, collectors }));
  await subject.account.pollOnce();
  const labelsOf = async (metric: string) =>
    (await subject.series(metric)).map(({ labels }) => {
      const { account: _, ...own } = labels;
      return own;
    });
  return { ...subject, api, labelsOf };
}

it('polls a site once that is listed twice, under its last name', async () => {
  const { api, labelsOf } = await poll(
    {
      'stat/getSitesListLoad': [
        { id: 1, name: 'old', cp: 9 },
        { id: 1, name: 'new', cp: 5 },
      ],
      'stat/getSiteLoad': { days: [{ date: '2026-01-01', value: 4 }] },
    },
    'site_load',
    'site_load_detail',
  );

  expect(await labelsOf('hosting_site_load_average')).toEqual([{ site_id: '1', site: 'new' }]);
  expect(await labelsOf('hosting_site_load_daily')).toEqual([{ site_id: '1', site: 'new' }]);
  expect(api.calls.filter(({ name }) => name.startsWith('stat/getSiteLoad'))).toHaveLength(1);
});
