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
