import { expect, it } from 'vitest';
import { accountConfig } from '../../fixtures/config.ts';
import { polledAccount } from '../../fixtures/polled-account.ts';
import { scriptedApi } from '../../fixtures/scripted-api.ts';

it.each([
  ['databases', 'mysql/getList', 'hosting_databases', { name: 'shop_main', size: '1 MB' }],
  ['sites', 'site/getList', 'hosting_sites', { id: 7, path: 'teapots.example/public_html' }],
  ['domains', 'domain/getList', 'hosting_domains', { fqdn: 'teapots.example' }],
  ['ftp_accounts', 'ftp/getList', 'hosting_ftp_accounts', { login: 'shop_photo' }],
])('counts one of the %s once, though the answer names it twice', async (collector, method, metric, element) => {
  const api = await scriptedApi({ [method]: { result: [element, element] } });
  const { account, figure } = polledAccount(accountConfig({ api: { baseUrl: api.baseUrl }, collectors: [collector] }));

  await account.pollOnce();

  expect(await figure(metric)).toBe(1);
});

it('omits the state of cron tasks where the answer has none', async () => {
  const api = await scriptedApi({ 'cron/getList': { result: [{ row_number: 1, is_hidden: 0 }, { row_number: 2 }] } });
  const { account, series } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['cron_tasks'] }),
  );

  await account.pollOnce();

  expect(await series('hosting_cron_tasks')).toEqual([]);
});

it.each([
  ['twice', 'teapots.example', [{ mailbox: 'info' }, { mailbox: 'info' }]],
  ['in capitals', 'teapots.example', [{ mailbox: 'info', domain: 'Teapots.EXAMPLE' }]],
  ['in punycode', 'пекарня.испытание', [{ mailbox: 'info', domain: 'xn--80ajpngj0i.xn--80akhbyknj4f' }]],
  ['by whole addresses', 'teapots.example', [{ mailbox: 'info@teapots.example' }, { mailbox: 'info@other.example' }]],
])('counts the one mailbox of a domain that the answer names %s', async (_how, domain, mailboxes) => {
  const api = await scriptedApi({
    'domain/getList': { result: [{ fqdn: domain }] },
    'mail/getMailboxList': { result: mailboxes },
  });
  const { account, figure } = polledAccount(
    accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['domains', 'mailboxes'] }),
  );

  await account.pollOnce();

  expect(await figure('hosting_mailboxes', { domain })).toBe(1);
});
