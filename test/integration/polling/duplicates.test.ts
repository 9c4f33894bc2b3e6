import { expect, it } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

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

it('shows only the last entry of a domain that is listed twice', async () => {
  const { labelsOf, series, metricValue } = await poll(
    {
      'domain/getList': [
        { fqdn: 'a.example', date_expire: '2030-01-01', auto_renew: 1, registrar: 'old' },
        { fqdn: 'b.example', date_expire: '2031-01-01' },
        { fqdn: 'a.example', registrar: 'new' },
      ],
    },
    'domains',
  );

  expect(await labelsOf('hosting_domain_info')).toEqual([
    { domain: 'a.example', registrar: 'new', status: '' },
    { domain: 'b.example', registrar: '', status: '' },
  ]);
  expect(await labelsOf('hosting_domain_expiry_timestamp_seconds')).toEqual([{ domain: 'b.example' }]);
  expect(await series('hosting_domain_auto_renew')).toEqual([]);
  expect(await metricValue('hosting_domains')).toBe(2);
  expect(await metricValue('hosting_exporter_collector_success', { collector: 'domains' })).toBe(1);
});

it('shows only the last entry of a database, a site and a linked domain', async () => {
  const { labelsOf } = await poll(
    {
      'mysql/getList': [
        { name: 'main', size: '1 MB', user: 'old' },
        { name: 'main', user: 'new' },
      ],
      'site/getList': [
        { id: 1, name: 'old', domains: [{ fqdn: 'old.example' }] },
        {
          id: '1',
          name: 'new',
          domains: [
            { fqdn: 'new.example', php_version: '7.4' },
            { fqdn: 'new.example', php_version: '8.4' },
          ],
        },
      ],
    },
    'databases',
    'sites',
  );

  expect(await labelsOf('hosting_database_info')).toEqual([{ database: 'main', user: 'new' }]);
  expect(await labelsOf('hosting_database_size_bytes')).toEqual([]);
  expect(await labelsOf('hosting_site_info')).toEqual([{ site_id: '1', site: 'new' }]);
  expect(await labelsOf('hosting_site_domain_info')).toEqual([
    { site_id: '1', domain: 'new.example', php_version: '8.4', ssl_status: '' },
  ]);
});

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
