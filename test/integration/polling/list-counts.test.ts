import { expect, it } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

it.each([
  ['databases', 'mysql/getList', 'hosting_databases', { name: 'shop_main', size: '1 MB' }],
  ['sites', 'site/getList', 'hosting_sites', { id: 7, path: 'teapots.example/public_html' }],
  ['domains', 'domain/getList', 'hosting_domains', { fqdn: 'teapots.example' }],
  ['ftp_accounts', 'ftp/getList', 'hosting_ftp_accounts', { login: 'shop_photo' }],
])(
  'counts an element of the list of %s once if the answer contains it twice',
  async (collector, method, metric, element) => {
    const api = await scriptedApi({ [method]: { result: [element, element] } });
    const { account, metricValue } = polledAccount(
      accountConfig({ api: { baseUrl: api.baseUrl }, collectors: [collector] }),
    );

    await account.pollOnce();

    expect(await metricValue(metric)).toBe(1);
  },
);

it('exports no counts of cron tasks if the state of one is missing', async () => {
  const api = await scriptedApi({ 'cron/getList': { result: [{ row_number: 1, is_hidden: 0 }, { row_number: 2 }] } });
  const { account, series } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['cron_tasks'] }),
  );

  await account.pollOnce();

  expect(await series('hosting_cron_tasks')).toEqual([]);
});

it.each([
  ['twice', 'teapots.example', [{ mailbox: 'info' }, { mailbox: 'info' }]],
  ['with the domain in capitals', 'teapots.example', [{ mailbox: 'info', domain: 'Teapots.EXAMPLE' }]],
  [
    'with the domain in punycode',
    'пекарня.испытание',
    [{ mailbox: 'info', domain: 'xn--80ajpngj0i.xn--80akhbyknj4f' }],
  ],
  [
    'as a full address, next to one of another domain',
    'teapots.example',
    [{ mailbox: 'info@teapots.example' }, { mailbox: 'info@other.example' }],
  ],
])('counts one mailbox of a domain if the answer contains it %s', async (_how, domain, mailboxes) => {
  const api = await scriptedApi({
    'domain/getList': { result: [{ fqdn: domain }] },
    'mail/getMailboxList': { result: mailboxes },
  });
  const { account, metricValue } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['domains', 'mailboxes'] }),
  );

  await account.pollOnce();

  expect(await metricValue('hosting_mailboxes', { domain })).toBe(1);
});

it.each([
  ['a list whose element lost only its size', { name: 'b', size: 'much' }, 2],
  ['no list of which an element cannot be read', { size: '1 MB' }, undefined],
])('counts %s', async (_which, element, count) => {
  const api = await scriptedApi({ 'mysql/getList': { result: [{ name: 'a', size: '1 MB' }, element] } });
  const { account, poller, metricValue } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
  );

  await account.pollOnce();

  expect(await metricValue('hosting_databases')).toBe(count);
  expect(await metricValue('hosting_database_size_bytes', { database: 'a' })).toBe(1_000_000);
  expect(poller('databases').newest?.failures[0]?.reason).toBe('payload');
});
