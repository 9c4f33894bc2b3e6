import { shop } from '../src/accounts/shop.ts';
import type { Dialect } from '../src/dialect.ts';
import type { BackupKind } from '../src/figures/backups.ts';
import type { Json } from '../src/json.ts';
import { backupsOf } from '../src/state/account-figures.ts';
import { createAccountState } from '../src/state/create-account-state.ts';
import { fixedNow } from './api-caller.ts';

export type Step = readonly [method: string, parameters?: Readonly<Record<string, Json>>];

/**
 * One method of the API with arguments for all parameters, and the calls that must precede it. It succeeds in a new sandbox with the
 * account `shop` at the fixed time.
 */
export type ApiCall = readonly [...Required<Step>, before?: readonly Step[]] | Step;

const state = createAccountState(shop, fixedNow, 'UTC');
const idOf = (list: readonly { readonly id: number }[], index = 0) => list[index]?.id ?? 0;
/** The second newest backups, because the newest ones are also the default. */
const backupOf = (kind: BackupKind) => idOf(backupsOf(state, kind, { instant: fixedNow, simulated: fixedNow }), 1);

export const ids = {
  site: idOf(state.sites),
  domain: idOf(state.domains),
  subdomain: idOf(state.subdomains),
  task: idOf(state.cronTasks),
  files: backupOf('files'),
  databases: backupOf('databases'),
  /** The id of the first new site, domain, subdomain or task. */
  next: state.nextId,
};

const path = '/teapots.example/public_html/index.php';
const fqdn = 'teapots.example';
const mailbox = { domain: fqdn, mailbox: 'orders' };
const schedule = { minutes: '*/7', hours: '1', days: '2', months: '3', weekdays: '4', command: 'true' };
const assets = { backup_id: ids.files, path: '/teapots.example/public_html/assets' };
const frozen: readonly Step[] = [['site/freeze', { id: ids.site }]];

/** The methods of both dialects. */
const shared: readonly ApiCall[] = [
  ['user/getAccountInfo'],
  ['stat/getSitesListLoad'],
  ['stat/getDbListLoad'],
  ['stat/getSiteLoad', { site_id: ids.site }],
  ['stat/getDbLoad', { db_name: 'shop_main' }],
  ['backup/getFileList', assets],
  ['backup/getMysqlList', { backup_id: ids.databases }],
  ['mysql/getList'],
  ['ftp/getList'],
  ['ftp/add', { suffix: 'new', homedir: '/new', password: 'p&w' }],
  ['ftp/delete', { suffix: 'price' }],
  ['ftp/changePassword', { suffix: 'price', password: 'other' }],
  ['domain/getList'],
  ['dns/getData', { fqdn }],
  ['site/getList'],
  ['site/add', { name: 'new.example' }],
  ['site/delete', { id: ids.site }],
  ['site/unfreeze', { id: ids.site }, frozen],
  ['mail/getMailboxList', { domain: fqdn }],
  ['mail/createMailbox', { domain: fqdn, mailbox: 'new', mailbox_password: 'longenough' }],
  ['cron/getList'],
  ['cron/add', schedule],
  ['cron/delete', { row_number: ids.task }],
];

const specification: readonly ApiCall[] = [
  ...shared,
  // The test of restored files in state.test.ts shows which backup is restored.
  ['backup/restoreFile', { backup_id: ids.files, path: '/teapots.example' }, [['site/delete', { id: ids.site }]]],
  ['backup/restoreMysql', { db_name: 'shop_main', backup_id: ids.databases }],
  ['mysql/getData', { db_name: 'shop_stats' }],
  ['mysql/changeAccessPassword', { db_name: 'shop_main', password: 'other', access: 'localhost' }],
  ['mysql/addDb', { db_name: 'shop_new', password: 'p&w' }],
  ['mysql/deleteDb', { db_name: 'shop_main' }],
  ['domain/addSubdomain', { fqdn: 'forum.teapots.example' }],
  ['domain/deleteSubdomain', { fqdn: 'club.teapots.example' }],
  ['domain/getPhpVersion', { fqdn }],
  ['domain/changePhpVersion', { fqdn, php_version: '8.3' }],
  ['dns/addRecords', { fqdn, records: [{ type: 'A', value: '203.0.113.7' }] }],
  ['dns/changeRecords', { fqdn, records: [{ type: 'A', value: '203.0.113.8' }] }],
  ['dns/deleteRecords', { fqdn, records: [{ type: 'MX', value: 'mx1.mail.example.' }] }],
  ['site/freeze', { id: ids.site }],
  ['mail/deleteMailbox', mailbox],
  ['mail/changePassword', { ...mailbox, mailbox_password: 'otherwise' }],
  [
    'mail/setForward',
    { ...mailbox, forward_mailbox: ['a@b.example', 'c@d.example'], forward_mail_status: 'forward_and_delete' },
  ],
  ['cron/edit', { row_number: ids.task, ...schedule, is_hidden: 1 }],
];

const directives = (...pairs: readonly string[]) => ({
  full_fqdn: fqdn,
  directives_list: pairs.map((pair) => ({ name: pair[0] ?? '', value: pair[1] ?? '' })),
});
const forwarding = (forward_mailbox: string) => ({ ...mailbox, forward_mailbox });
const domainMailbox = { domain: fqdn, domain_mailbox: 'orders@teapots.example' };

const provider: readonly ApiCall[] = [
  ...shared,
  ['stat/getSiteListLoad'],
  ['user/toggleSsh', { status: 1, ftplogin: 'shop_price' }],
  ['backup/getFileBackupList'],
  ['backup/getMysqlBackupList'],
  ['backup/restoreFile', { backup_id: ids.files, paths: [path] }],
  ['backup/restoreMysql', { backup_id: ids.databases, bases: ['shop_main'] }],
  ['backup/downloadFile', { backup_id: ids.files, paths: [path] }],
  ['backup/downloadMysql', { backup_id: ids.databases, bases: ['shop_main', 'shop_stats'] }],
  [
    'backup/getLog',
    {},
    [
      ['backup/downloadMysql', { bases: ['shop_main'] }],
      ['backup/downloadFile', { paths: [path] }],
    ],
  ],
  ['mysql/addDb', { suffix: 'new', password: 'p&word' }],
  ['mysql/dropDb', { suffix: 'main' }],
  ['mysql/addAccess', { suffix: 'main', access: '192.0.2.5', password: 'p&word' }],
  ['mysql/dropAccess', { suffix: 'main', access: 'localhost' }],
  [
    'mysql/changeAccessPassword',
    { suffix: 'main', access: '*', password: 'other&' },
    [['mysql/addAccess', { suffix: 'main', access: '*', password: 'before' }]],
  ],
  ['domain/getZoneList'],
  ['domain/addVirtual', { hostname: 'new', zone_id: 1 }],
  ['domain/delete', { id: ids.domain }],
  ['domain/checkDomainToRegister', { hostname: 'new', zone_id: 1, period: 3 }],
  ['domain/getSubdomainList'],
  ['domain/addSubdomainVirtual', { subdomain: 'forum', domain_id: ids.domain }],
  ['domain/deleteSubdomain', { id: ids.subdomain }],
  ['domain/getPhpVersion', { full_fqdn: fqdn }],
  ['domain/changePhpVersion', { full_fqdn: fqdn, php_version: '8.4', is_cgi: 1 }],
  ['domain/getDirectives', { full_fqdn: fqdn }, [['domain/addDirectives', directives('ab')]]],
  ['domain/addDirectives', directives('ab'), [['domain/addDirectives', directives('xy')]]],
  ['domain/removeDirectives', directives('ab'), [['domain/addDirectives', directives('ab', 'ac', 'db')]]],
  ['dns/changeRecords', { fqdn, records: { A: [{ value: '203.0.113.9', priority: 10 }] } }],
  ['site/freeze', { id: ids.site, excludedPaths: ['tmp', 'cache'] }],
  ['site/isSiteFrozen', { site_id: ids.site }, frozen],
  ['site/linkDomain', { domain_id: ids.subdomain, site_id: ids.site }],
  ['site/unlinkDomain', { domain_id: ids.domain }],
  ['mail/dropMailbox', mailbox],
  ['mail/changeMailboxPassword', { ...mailbox, mailbox_password: 'otherwise' }],
  [
    'mail/changeMailboxSettings',
    { ...mailbox, spam_filter_status: 0, spam_filter: 20, forward_mail_status: 'forward_and_delete' },
  ],
  ['mail/forwardListAddMailbox', forwarding('x@y.example')],
  [
    'mail/forwardListDeleteMailbox',
    forwarding('x@y.example'),
    ['x@y.example', 'z@y.example'].map((address): Step => ['mail/forwardListAddMailbox', forwarding(address)]),
  ],
  ['mail/forwardListShow', mailbox, [['mail/forwardListAddMailbox', forwarding('x@y.example')]]],
  ['mail/setDomainMail', domainMailbox],
  ['mail/clearDomainMail', { domain: fqdn }, [['mail/setDomainMail', domainMailbox]]],
  ['cron/edit', { id: ids.task, ...schedule }],
  ['cron/changeHiddenState', { row_number: ids.task, is_hidden: 1 }],
  ['cron/getEmail', {}, [['cron/setEmail', { email: 'a@b.example' }]]],
  ['cron/setEmail', { email: 'a@b.example' }],
];

export const apiCalls: Readonly<Record<Dialect, readonly ApiCall[]>> = { specification, provider };

/** Whether a method only reads. */
export const onlyReads = (method: string): boolean => /\/(?:get|is|check|forwardListShow)/.test(method);
