import { expect, it } from 'vitest';
import { shop } from '../src/accounts/shop.ts';
import { type Dialect, dialects } from '../src/dialect.ts';
import { startSandbox } from '../src/server.ts';
import { fixedClock } from './api-caller.ts';
import { ids, type Step } from './api-calls.ts';
import { everythingOf, runStep } from './effects.ts';

const fqdn = 'teapots.example';
const mailbox = { domain: fqdn, mailbox: 'support' };
const unknown = { domain: fqdn, mailbox: 'nobody' };
const settings = { spam_filter_status: 1, forward_mail_status: 'forward' };

const provider: Step[] = [
  // The values do not fit the account.
  ['ftp/add', { suffix: 'price', homedir: '/', password: 'p' }],
  ['ftp/delete', { suffix: 'nothing' }],
  ['ftp/changePassword', { suffix: 'nothing', password: 'p' }],
  ['mail/getMailboxList', { domain: 'not-mine.example' }],
  ['mail/createMailbox', { ...mailbox, mailbox: 'SUPPORT', mailbox_password: 'longenough' }],
  ['mail/createMailbox', { domain: 'not-mine.example', mailbox: 'a', mailbox_password: 'longenough' }],
  ['mail/dropMailbox', unknown],
  ['mail/changeMailboxPassword', { ...unknown, mailbox_password: 'longenough' }],
  ['mail/changeMailboxSettings', { ...unknown, ...settings }],
  ['mail/forwardListShow', unknown],
  ['mail/forwardListAddMailbox', { ...mailbox, forward_mailbox: 'orders@teapots.example' }],
  ['mail/forwardListDeleteMailbox', { ...mailbox, forward_mailbox: 'office@teapots.example' }],
  ['mail/setDomainMail', { domain: 'not-mine.example', domain_mailbox: 'orders@teapots.example' }],
  ['mail/clearDomainMail', { domain: 'not-mine.example' }],
  ['mysql/addDb', { suffix: 'main', password: 'p' }],
  ['mysql/dropDb', { suffix: 'nothing' }],
  ['mysql/addAccess', { suffix: 'nothing', access: 'localhost', password: 'p' }],
  ['mysql/dropAccess', { suffix: 'main', access: '192.0.2.1' }],
  ['mysql/changeAccessPassword', { suffix: 'main', access: '192.0.2.1', password: 'p' }],
  ['site/add', { name: 'TEAPOTS.example' }],
  ['site/delete', { id: 1 }],
  ['site/freeze', { id: 1 }],
  ['site/unfreeze', { id: 1 }],
  ['site/isSiteFrozen', { site_id: 1 }],
  ['site/linkDomain', { domain_id: 1, site_id: ids.site }],
  ['site/linkDomain', { domain_id: ids.domain, site_id: 1 }],
  ['site/unlinkDomain', { domain_id: 1 }],
  ['cron/delete', { row_number: 1 }],
  ['cron/edit', { id: 1, hours: '1' }],
  ['cron/changeHiddenState', { row_number: 1, is_hidden: 1 }],
  ['domain/delete', { id: 1 }],
  ['domain/delete', { id: ids.subdomain }],
  ['domain/deleteSubdomain', { id: 1 }],
  ['domain/deleteSubdomain', { id: ids.domain }],
  ['domain/addSubdomainVirtual', { subdomain: 'club', domain_id: ids.domain }],
  ['domain/addSubdomainVirtual', { subdomain: 'new', domain_id: 1 }],
  ['domain/checkDomainToRegister', { hostname: 'new', zone_id: 9, period: 1 }],
  ['domain/getPhpVersion', { full_fqdn: 'not-mine.example' }],
  ['domain/changePhpVersion', { full_fqdn: 'not-mine.example', php_version: '8.4' }],
  ['domain/getDirectives', { full_fqdn: 'not-mine.example' }],
  ['backup/getFileList', { path: '/teapots.example/nothing' }],
  ['backup/getFileList', { path: '/not-mine.example' }],
  ['backup/getMysqlList', { backup_id: 1 }],
  ['backup/restoreFile', { backup_id: 1, paths: ['/teapots.example'] }],
  ['backup/restoreFile', { backup_id: ids.files, paths: ['/teapots.example/public_html/nothing.php'] }],
  ['backup/restoreMysql', { backup_id: ids.databases, bases: ['shop_nothing'] }],
  ['backup/restoreMysql', { backup_id: 'latest', bases: ['shop_main'] }],
  ['backup/getFileList', { backup_id: 'latest' }],
  ['backup/restoreMysql', { backup_id: ids.files, bases: ['shop_main'] }],
  ['backup/downloadFile', { paths: ['/teapots.example/nothing'] }],
  ['backup/downloadMysql', { bases: ['shop_main', 'shop_nothing'] }],
  ['stat/getSiteLoad', { site_id: 1 }],
  ['stat/getDbLoad', { db_name: 'shop_nothing' }],
  // No account accepts the values.
  ['ftp/add', { suffix: 'a b', homedir: '/', password: 'p' }],
  ['ftp/add', { suffix: 'x'.repeat(33), homedir: '/', password: 'p' }],
  ['mail/createMailbox', { domain: fqdn, mailbox: 'a b', mailbox_password: 'longenough' }],
  ['mail/createMailbox', { domain: fqdn, mailbox: 'x'.repeat(65), mailbox_password: 'longenough' }],
  ['mail/changeMailboxSettings', { ...mailbox, ...settings, forward_mail_status: 'sometimes' }],
  ['mail/changeMailboxSettings', { ...mailbox, ...settings, spam_filter_status: 2 }],
  ['mysql/addDb', { suffix: 'a b', password: 'p' }],
  ['mysql/addDb', { suffix: 'x'.repeat(60), password: 'p' }],
  ['site/add', { name: 'a/b' }],
  ['site/add', { name: 'x'.repeat(254) }],
  ['cron/changeHiddenState', { row_number: ids.task, is_hidden: 'yes' }],
  ['user/toggleSsh', { status: 'on' }],
  ['domain/addDirectives', { full_fqdn: fqdn, directives_list: [{ name: 'a', value: '' }] }],
  ['domain/addDirectives', { full_fqdn: fqdn, directives_list: [{ name: '', value: 'a' }] }],
  ['mail/forwardListAddMailbox', { ...mailbox, forward_mailbox: 'nobody' }],
  ['domain/addSubdomainVirtual', { subdomain: 'a/b', domain_id: ids.domain }],
  ['dns/getData', { fqdn: 'u@teapots.example:80' }],
  ['dns/changeRecords', { fqdn, records: { A: ['203.0.113.7'] } }],
  ['dns/changeRecords', { fqdn, records: { A: { 1: { value: '203.0.113.7' } } } }],
  ['cron/setEmail', { email: 'nobody' }],
  ['site/freeze', { id: ids.site, excludedPaths: [1] }],
  ['dns/changeRecords', { fqdn, records: { DNS: [{ value: 'a.example' }, { value: 'a b' }] } }],
  ...[
    { flags: 'x0', tag: 'issue', value: 'ca.example' },
    { flags: '1280', tag: 'issue', value: 'ca.example' },
    { flags: 0, tag: 'Issue', value: 'ca.example' },
    { flags: 0, tag: 'issue', value: 'ca.example\nother' },
  ].map((record): Step => ['dns/changeRecords', { fqdn, records: { CAA: [record] } }]),
  ...[
    { weight: 'x1', port: 1, target: 'a.example' },
    { weight: 123_456, port: 1, target: 'a.example' },
    { weight: 1, port: 123_456, target: 'a.example' },
    { weight: 1, port: 1, target: 'a b' },
  ].map((record): Step => ['dns/changeRecords', { fqdn, records: { SRV: [record] } }]),
  ...[
    { CNAME: [{ value: 'a.example' }] },
    { NS: [{ value: 'a.example' }] },
    { A: Array(11).fill({ value: '203.0.113.1' }) },
    { CNAME: [{ value: 'a.example' }, { value: 'b.example' }] },
    { HTTPS: [{ value: '1 .' }] },
    { a: [{ value: '203.0.113.1' }] },
    { A: [{ priority: 10 }] },
    { A: [{ txtdata: '203.0.113.1' }] },
    { A: '203.0.113.1' },
    { A: ['203.0.113.1'] },
    'A',
    [{ value: '203.0.113.1' }],
    { CAA: [{ value: '0 issue "ca.example"' }] },
    { CAA: [{ flags: 'none', tag: 'issue', value: 'ca.example' }] },
    { SRV: [{ weight: 1, port: 'sip', target: 'sip.example.' }] },
    { MX: [{ exchange: 'mx1.example.', preference: 'high' }] },
    { DNS: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ value: `${name}.example` })) },
    { DNS: [{ value: 'a b' }] },
    { DNS: [{ value: 'ns1.teapots.example' }] },
    { DNS: [{ value: 'ns1.teapots.example' }], DNS_IP: [{ value: 'a' }] },
    { DNS_IP: [{ value: '203.0.113.1' }] },
    { DNS: [{ value: 'a.b' }, { value: 'c.d' }], DNS_IP: [{ value: '' }] },
  ].map((records): Step => ['dns/changeRecords', { fqdn, records }]),
  ...['_acme-challenge.not-mine.example', 'not-mine.example', 'www.teapots', '_acme-challenge'].map(
    (name): Step => ['dns/changeRecords', { fqdn: name, records: { TXT: [{ value: 'token' }] } }],
  ),
  ['domain/addVirtual', { hostname: 'teapots', zone_id: 1 }],
  ['domain/addVirtual', { hostname: 'new', zone_id: 7 }],
  ['domain/addVirtual', { hostname: 'a_b', zone_id: 1 }],
  ['mail/setDomainMail', { domain: fqdn, domain_mailbox: 'orders' }],
  ['mail/setDomainMail', { domain: fqdn, domain_mailbox: 'nobody@teapots.example' }],
  ...['0', '11', '1.5', 'a'].map((period): Step => {
    return ['domain/checkDomainToRegister', { hostname: 'new', zone_id: 1, period }];
  }),
  ['mail/createMailbox', { domain: fqdn, mailbox: 'new', mailbox_password: 'five5' }],
  ['mail/changeMailboxPassword', { ...mailbox, mailbox_password: 'five5' }],
];

const specification: readonly Step[] = [
  ['mysql/getData', { db_name: 'nothing' }],
  ['mysql/addDb', { db_name: 'shop_main', password: 'x' }],
  ['stat/getSiteLoad', { site_id: '1' }],
  ['stat/getDbLoad', { db_name: '' }],
  ['dns/getData', { fqdn: 'not-mine.example' }],
  ['dns/deleteRecords', { fqdn, records: [{ type: 'A', value: '203.0.113.99' }] }],
  ['mail/createMailbox', { domain: fqdn, mailbox: 'a', mailbox_password: 'weak' }],
  ['backup/restoreMysql', { db_name: 'shop_main', backup_id: '1' }],
  ['backup/getFileList', { backup_id: '1' }],
  ['backup/getFileList', { path: '/nothing' }],
  ['backup/restoreFile', { path: '/no', backup_id: 'latest' }],
  ['nothing/getList', {}],
  ['mysql', {}],
  ['mysql/constructor', {}],
];

const steps: Readonly<Record<Dialect, readonly Step[]>> = { specification, provider };

const start = (dialect: Dialect) =>
  startSandbox({ dialect, accounts: [shop], clock: fixedClock, requestsPerMinute: 0 });

it.each(dialects)(
  'a call whose values do not fit is refused in the %s dialect, and changes nothing',
  async (dialect) => {
    const sandbox = await start(dialect);
    const before = everythingOf(sandbox);
    const lines: string[] = [];

    for (const step of steps[dialect]) {
      const refusal = (await runStep(sandbox, step)) as { readonly error_code: unknown; readonly error_text: unknown };
      lines.push(`${step[0]} ${JSON.stringify(step[1])}\n    ${refusal.error_code}: ${refusal.error_text}\n`);
      expect(everythingOf(sandbox), lines.at(-1)).toEqual(before);
    }
    await sandbox.close();

    await expect(lines.join('')).toMatchFileSnapshot(`golden/refusals-${dialect}.txt`);
  },
);

it('the provider accepts the longest names, and a password of six characters', async () => {
  const accepted: readonly Step[] = [
    ['ftp/add', { suffix: 'x'.repeat(32), homedir: '/', password: 'p' }],
    ['mail/createMailbox', { domain: fqdn, mailbox: 'x'.repeat(64), mailbox_password: 'sixsix' }],
    ['mysql/addDb', { suffix: 'x'.repeat(59), password: 'p' }],
    ['dns/changeRecords', { fqdn, records: { CAA: [{ flags: 128, tag: 'issuewild', value: 'a b' }] } }],
    ['dns/changeRecords', { fqdn, records: { SRV: [{ weight: 65_535, port: 65_535, target: 'a.b' }] } }],
  ];
  const sandbox = await start('provider');

  for (const step of accepted) expect(await runStep(sandbox, step)).toBe(true);
  await sandbox.close();
});
