import { expect } from 'vitest';
import { shop } from '../src/accounts/shop.ts';
import type { Dialect } from '../src/dialect.ts';
import type { BackupKind } from '../src/figures/backups.ts';
import type { HostingAccount } from '../src/hosting-account.ts';
import type { Json } from '../src/json.ts';
import { backupsOf } from '../src/state/account-figures.ts';
import { createAccountState } from '../src/state/create-account-state.ts';
import { fixedNow } from './api-caller.ts';

/** A call, which succeeds in a new sandbox with the account `shop` at the fixed time. */
export type Step = readonly [method: string, parameters?: Readonly<Record<string, Json>>];

/** What a call changes, as another method returns it, or as the account shows it if no method does. */
type Effect =
  | readonly [method: string, parameters: Readonly<Record<string, Json>>, result: unknown]
  | readonly [(account: HostingAccount) => unknown, result: unknown];

/** One method of the API with arguments for all parameters, its result and its effects. Calls that only read have no effects. */
export interface ApiCall {
  readonly call: Step;
  readonly result: unknown;
  /** Calls that must precede it. */
  readonly before?: readonly Step[];
  readonly effects?: readonly Effect[];
}

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
const newTask = { row_number: ids.next, ...schedule, is_hidden: 0 };
const firstTask = {
  row_number: ids.task,
  minutes: '*/5',
  hours: '*',
  days: '*',
  months: '*',
  weekdays: '*',
  command: '/usr/local/bin/php8.2 ~/teapots.example/public_html/cron.php',
  is_hidden: 0,
};
const listWith = (element: unknown) => expect.arrayContaining([element]);
const listWithout = (element: unknown) => expect.not.arrayContaining([element]);
const objectWith = (fields: object) => expect.objectContaining(fields);
/** The restore before the start of the sandbox. */
const earlierJob = objectWith({ type: 'restore_mysql', target_list: ['shop_stats'] });
const average = expect.stringMatching(/^\d+\.\d{6}$/);
const rows = (field: string, value: RegExp) =>
  listWith({ [field]: expect.stringMatching(value), date: expect.stringMatching(/^2026-03-1\d/) });
const password = (name: string) => (account: HostingAccount) => account.hidden.passwords[name];

/** A call that only reads. */
const read = (call: Step, result: unknown, before: readonly Step[] = []): ApiCall => ({ call, result, before });

type Change = (call: Step, effects: readonly Effect[], before?: readonly Step[]) => ApiCall;

/** The effect that a list contains or does not contain an element with these fields. */
const lists = (method: string, fields: object): Effect => [method, {}, listWith(objectWith(fields))];
const omits = (method: string, fields: object): Effect => [method, {}, listWithout(objectWith(fields))];

const php = (name: string) => ({
  full_fqdn: name,
  php_version: '8.2',
  cgi: 'disabled',
  allowed_versions: expect.arrayContaining(['5.6', '8.4']),
});

/** The calls of methods that differ between the dialects only in the payload that confirms a change. */
const shared = (change: Change): readonly ApiCall[] => [
  read(['stat/getSitesListLoad'], listWith({ name: fqdn, id: ids.site, cp: average })),
  read(['stat/getDbListLoad'], listWith({ name: 'shop_main', cp: average })),
  read(['stat/getSiteLoad', { site_id: ids.site }], {
    days: rows('value', /^\d+\.\d\d$/),
    hours: rows('value', /^\d+\.\d\d$/),
  }),
  read(['stat/getDbLoad', { db_name: 'shop_main' }], {
    days: rows('cpu_time', /^\d+$/),
    hours: rows('cpu_time', /^\d+$/),
    size_days: rows('size', /^1\d{9}$/),
  }),
  read(
    ['ftp/getList'],
    [
      { login: 'shop_images', homedir: '/images.teapots.example/public_html' },
      { login: 'shop_price', homedir: '/teapots.example/public_html/price' },
    ],
  ),
  change(
    ['ftp/add', { suffix: 'new', homedir: '/new', password: 'p&w' }],
    [lists('ftp/getList', { login: 'shop_new', homedir: '/new' }), [password('shop_new'), 'p&w']],
  ),
  change(['ftp/delete', { suffix: 'price' }], [['ftp/getList', {}, [objectWith({ login: 'shop_images' })]]]),
  change(
    ['ftp/changePassword', { suffix: 'price', password: 'other' }],
    [
      [password('shop_price'), 'other'],
      [password('shop_images'), 'initial'],
    ],
  ),
  change(['site/delete', { id: ids.site }], [omits('site/getList', { id: ids.site })]),
  change(
    ['mail/createMailbox', { domain: fqdn, mailbox: 'new', mailbox_password: 'longenough' }],
    [
      ['mail/getMailboxList', { domain: fqdn }, listWith(objectWith({ mailbox: 'new', spam_filter_status: 1 }))],
      [password('new@teapots.example'), 'longenough'],
    ],
  ),
  read(['cron/getList'], listWith(firstTask)),
  {
    call: ['cron/add', schedule],
    result: { row_number: ids.next },
    effects: [['cron/getList', {}, listWith(newTask)]],
  },
  change(['cron/delete', { row_number: ids.task }], [omits('cron/getList', { row_number: ids.task })]),
];

const changeObject: Change = (call, effects, before = []) => ({ call, result: {}, effects, before });

const mx1 = { value: 'mx1.mail.example.', priority: 10 };
const mx2 = { value: 'mx2.mail.example.', priority: 20 };
const spf = { value: 'v=spf1 redirect=spf.mail.example', priority: 0 };
const ownAddress = { value: '198.51.100.84', priority: 0 };
const dnsOf = (records: unknown): Effect => ['dns/getData', { fqdn }, objectWith({ records })];

const specification: readonly ApiCall[] = [
  ...shared(changeObject),
  read(['user/getAccountInfo'], {
    tariff: 'Business',
    server: 'burut.sandbox.example',
    disk_usage: '13.4 GB',
    disk_limit: '20 GB',
  }),
  read(
    ['backup/getFileList', { backup_id: ids.files, path: '/teapots.example/public_html/assets' }],
    [
      ['logo.png', 38_578],
      ['main.js', 6901],
      ['style.css', 38_772],
    ].map(([name, size]) => ({
      backup_id: ids.files,
      date: '2026-03-15 01:27:38',
      name,
      is_dir: 0,
      mtime: expect.stringMatching(/^2026-03-\d\d \d\d:\d\d:\d\d$/),
      size,
    })),
  ),
  read(
    ['backup/getMysqlList', { backup_id: ids.databases }],
    ['shop_main', 'shop_wholesale', 'shop_stats'].map((name) => ({
      backup_id: ids.databases,
      date: expect.stringMatching(/^2026-03-15 01:/),
      name,
    })),
  ),
  // The test of restored files in state.test.ts shows which backup is restored.
  changeObject(
    ['backup/restoreFile', { backup_id: ids.files, path: '/teapots.example' }],
    [lists('site/getList', { path: 'teapots.example/public_html' })],
    [['site/delete', { id: ids.site }]],
  ),
  changeObject(
    ['backup/restoreMysql', { db_name: 'shop_main', backup_id: ids.databases }],
    [['mysql/getData', { db_name: 'shop_main' }, objectWith({ size: '1.81 GB' })]],
  ),
  read(
    ['mysql/getList'],
    [
      { name: 'shop_main', size: '1.84 GB', user: 'shop_main' },
      { name: 'shop_wholesale', size: '312 MB', user: 'shop_wholesale' },
      { name: 'shop_stats', size: '790 MB', user: 'shop_reader' },
    ],
  ),
  read(['mysql/getData', { db_name: 'shop_stats' }], {
    name: 'shop_stats',
    size: '790 MB',
    user: 'shop_reader',
    accesses: [{ name: 'localhost' }],
  }),
  changeObject(
    ['mysql/changeAccessPassword', { db_name: 'shop_main', password: 'other', access: 'localhost' }],
    [
      [password('shop_main@localhost'), 'other'],
      [password('shop_stats@localhost'), 'initial'],
    ],
  ),
  changeObject(
    ['mysql/addDb', { db_name: 'shop_new', password: 'p&w' }],
    [
      lists('mysql/getList', { name: 'shop_new', size: '64 KB', user: 'shop_new' }),
      [password('shop_new@localhost'), 'p&w'],
    ],
  ),
  changeObject(
    ['mysql/deleteDb', { db_name: 'shop_main' }],
    [['mysql/getList', {}, [objectWith({ name: 'shop_wholesale' }), objectWith({ name: 'shop_stats' })]]],
  ),
  read(
    ['domain/getList'],
    listWith(objectWith({ fqdn, date_expire: '2026-04-26', auto_renew: false, is_under_control: 1, is_subdomain: 0 })),
  ),
  {
    call: ['domain/addSubdomain', { fqdn: 'forum.teapots.example' }],
    result: { id: ids.next },
    effects: [
      [
        'domain/getList',
        {},
        listWith({ id: ids.next, fqdn: 'forum.teapots.example', domain_id: ids.domain, is_subdomain: 1 }),
      ],
    ],
  },
  changeObject(
    ['domain/deleteSubdomain', { fqdn: 'club.teapots.example' }],
    [omits('domain/getList', { fqdn: 'club.teapots.example' })],
  ),
  read(['domain/getPhpVersion', { fqdn }], php(fqdn)),
  {
    call: ['domain/changePhpVersion', { fqdn, php_version: '8.3' }],
    result: objectWith({ full_fqdn: fqdn, php_version: '8.3' }),
    effects: [
      ['domain/getPhpVersion', { fqdn }, objectWith({ php_version: '8.3' })],
      ['domain/getPhpVersion', { fqdn: 'club.teapots.example' }, objectWith({ php_version: '5.6' })],
    ],
  },
  read(['dns/getData', { fqdn }], {
    fqdn,
    is_under_control: true,
    is_subdomain: false,
    set_type: 1,
    records: { A: [ownAddress], MX: [mx1, mx2], TXT: [spf] },
  }),
  changeObject(
    ['dns/addRecords', { fqdn, records: [{ type: 'A', value: '203.0.113.7' }] }],
    [dnsOf({ A: [ownAddress, { value: '203.0.113.7', priority: 0 }], MX: [mx1, mx2], TXT: [spf] })],
  ),
  changeObject(
    ['dns/changeRecords', { fqdn, records: [{ type: 'A', value: '203.0.113.8' }] }],
    [dnsOf({ A: [{ value: '203.0.113.8', priority: 0 }], MX: [mx1, mx2], TXT: [spf] })],
  ),
  changeObject(
    ['dns/deleteRecords', { fqdn, records: [{ type: 'MX', value: 'mx1.mail.example.' }] }],
    [dnsOf({ A: [ownAddress], MX: [mx2], TXT: [spf] })],
  ),
  read(
    ['site/getList'],
    listWith({
      id: ids.site,
      path: 'teapots.example/public_html',
      is_frozen: 0,
      domains: [
        {
          id: ids.domain,
          fqdn,
          php_version: '8.2',
          http_version: 2,
          ssl: true,
          ssl_status: 'wle_set',
          nginx_template: 'default',
          redis_session: false,
        },
      ],
    }),
  ),
  {
    call: ['site/add', { name: 'new.example' }],
    result: { id: ids.next },
    effects: [lists('site/getList', { id: ids.next, path: 'new.example/public_html', is_frozen: 0, domains: [] })],
  },
  changeObject(
    ['site/freeze', { id: ids.site }],
    [
      lists('site/getList', { id: ids.site, is_frozen: 1 }),
      [(account) => account.sites.map(({ frozen }) => frozen), [true, false, false]],
    ],
  ),
  changeObject(
    ['site/unfreeze', { id: ids.site }],
    [lists('site/getList', { id: ids.site, is_frozen: 0 })],
    [['site/freeze', { id: ids.site }]],
  ),
  read(
    ['mail/getMailboxList', { domain: fqdn }],
    [
      { ...mailbox, spam_filter_status: 1, forward_mail_status: 'no_forward', forward_mailbox: [] },
      {
        domain: fqdn,
        mailbox: 'support',
        spam_filter_status: 1,
        forward_mail_status: 'forward',
        forward_mailbox: ['orders@teapots.example'],
      },
    ],
  ),
  changeObject(
    ['mail/deleteMailbox', mailbox],
    [['mail/getMailboxList', { domain: fqdn }, [objectWith({ mailbox: 'support' })]]],
  ),
  changeObject(
    ['mail/changePassword', { ...mailbox, mailbox_password: 'otherwise' }],
    [
      [password('orders@teapots.example'), 'otherwise'],
      [password('support@teapots.example'), 'initial'],
    ],
  ),
  changeObject(
    [
      'mail/setForward',
      { ...mailbox, forward_mailbox: ['a@b.example', 'c@d.example'], forward_mail_status: 'forward_and_delete' },
    ],
    [
      lists('mail/getMailboxList', {
        ...mailbox,
        forward_mail_status: 'forward_and_delete',
        forward_mailbox: ['a@b.example', 'c@d.example'],
      }),
    ],
  ),
  changeObject(
    ['cron/edit', { row_number: ids.task, ...schedule, is_hidden: 1 }],
    [lists('cron/getList', { row_number: ids.task, ...schedule, is_hidden: 1 })],
  ),
];

const changeTrue: Change = (call, effects, before = []) => ({ call, result: true, effects, before });

const nameServers = {
  DNS: [{ value: 'ns1.provider.example' }, { value: 'ns2.provider.example' }],
  DNS_IP: [{ value: '' }, { value: '' }],
};
const assets = { backup_id: ids.files, path: '/teapots.example/public_html/assets' };
const press = objectWith({ fqdn: 'press.teapots-wholesale.example' });
const directives = (...pairs: readonly string[]) => ({
  full_fqdn: fqdn,
  directives_list: pairs.map((pair) => ({ name: pair[0] ?? '', value: pair[1] ?? '' })),
});
const forwarding = (forward_mailbox: string) => ({ ...mailbox, forward_mailbox });
const logOf = (operation: string, targets: readonly string[]): Effect => [
  'backup/getLog',
  {},
  [objectWith({ type: operation, target_list: targets, status: 'success' }), earlierJob],
];

const provider: readonly ApiCall[] = [
  ...shared(changeTrue),
  read(['user/getAccountInfo'], {
    plan_name: 'Business',
    ...{ user_sites: 3, plan_site: 10, user_domains: 3, plan_domain: 25, user_mysqlsize: 2942, plan_mysql: 20 },
    ...{ user_quota: 13_400, plan_quota: 20_000, user_ftp: 2, plan_ftp: 10, user_mail: 4, plan_mail: 100 },
    user_bash: '/bin/bash',
    plan_cp: 80,
    ...{ user_rate_current: 32.82, user_is_year_plan: '0', user_rate_year: 11_979, user_rate_month: 998 },
    ...{ user_balance: 633.27, user_days_to_block: 19 },
    ...{ server_apache_version: '2.4.63', server_mysql_version: '8.0.41', server_nginx_version: '1.27.4' },
    ...{ server_perl_version: 'v5.34.0', server_php_version: '8.2.28', server_python_version: '3.10.12' },
    server_name: 'burut.sandbox.example',
    server_cpu_name: '32 *  x86-64 Processor',
    ...{ server_memory: 772_905, server_memorycurrent: 45_098, server_loadaverage: 9.240966796875, server_uptime: 124 },
  }),
  {
    call: ['user/toggleSsh', { status: 1, ftplogin: 'shop_price' }],
    result: [],
    effects: [[(account) => account.hidden.sshLogins, ['shop_price']]],
  },
  read(['backup/getFileBackupList'], listWith({ backup_id: ids.files, date: '2026-03-15 01:27:38' })),
  read(
    ['backup/getMysqlBackupList'],
    listWith({ backup_id: ids.databases, date: expect.stringMatching(/^2026-03-15 01:/) }),
  ),
  read(
    ['backup/getFileList', assets],
    ['logo.png', 'main.js', 'style.css'].map((name) => objectWith({ name, is_dir: 0 })),
  ),
  read(['backup/getMysqlList', { backup_id: ids.databases }], ['shop_main', 'shop_wholesale', 'shop_stats']),
  changeTrue(['backup/restoreFile', { backup_id: ids.files, paths: [path] }], [logOf('restore_file', [path])]),
  changeTrue(
    ['backup/restoreMysql', { backup_id: ids.databases, bases: ['shop_main'] }],
    [lists('mysql/getList', { name: 'shop_main', size: '1808' }), logOf('restore_mysql', ['shop_main'])],
  ),
  changeTrue(['backup/downloadFile', { backup_id: ids.files, paths: [path] }], [logOf('download_file', [path])]),
  changeTrue(
    ['backup/downloadMysql', { backup_id: ids.databases, bases: ['shop_main', 'shop_stats'] }],
    [logOf('download_mysql', ['shop_main', 'shop_stats'])],
  ),
  read(
    ['backup/getLog'],
    [
      {
        id: ids.next + 1,
        operation: 'download',
        type: 'download_file',
        date_create: '2026-03-16 14:20:00',
        target_list: [path],
        status: 'success',
      },
      objectWith({ id: ids.next, type: 'download_mysql' }),
      earlierJob,
    ],
    [
      ['backup/downloadMysql', { bases: ['shop_main'] }],
      ['backup/downloadFile', { paths: [path] }],
    ],
  ),
  read(
    ['mysql/getList'],
    [
      ['shop_main', '1840'],
      ['shop_wholesale', '312'],
      ['shop_stats', '790'],
    ].map(([name, size]) => ({ name, size, accesses: [{ name: 'localhost' }] })),
  ),
  changeTrue(
    ['mysql/addDb', { suffix: 'new', password: 'p&word' }],
    [
      lists('mysql/getList', { name: 'shop_new', size: '1', accesses: [{ name: 'localhost' }] }),
      [password('shop_new@localhost'), 'p&word'],
    ],
  ),
  changeTrue(['mysql/dropDb', { suffix: 'main' }], [omits('mysql/getList', { name: 'shop_main' })]),
  changeTrue(
    ['mysql/addAccess', { suffix: 'main', access: '192.0.2.5', password: 'p&word' }],
    [
      lists('mysql/getList', { name: 'shop_main', accesses: [{ name: 'localhost' }, { name: '192.0.2.5' }] }),
      [password('shop_main@192.0.2.5'), 'p&word'],
    ],
  ),
  changeTrue(
    ['mysql/dropAccess', { suffix: 'main', access: 'localhost' }],
    [lists('mysql/getList', { name: 'shop_main', accesses: [] })],
  ),
  changeTrue(
    ['mysql/changeAccessPassword', { suffix: 'main', access: '*', password: 'other&' }],
    [
      [password('shop_main@*'), 'other&'],
      [password('shop_main@localhost'), 'initial'],
    ],
    [['mysql/addAccess', { suffix: 'main', access: '*', password: 'before' }]],
  ),
  read(
    ['domain/getList'],
    listWith({
      id: ids.domain,
      fqdn,
      date_add: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
      auto_renew: false,
      date_register: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      date_expire: '2026-04-26',
      ...{ can_renew: null, registrar: 'beget', registrar_status: 'delegated', register_order_status: 'FINISH' },
      ...{ register_order_comment: null, renew_order_status: null, is_under_control: 1 },
    }),
  ),
  read(['domain/getZoneList'], objectWith({ example: objectWith({ id: 1, price_renew: 239 }) })),
  {
    call: ['domain/addVirtual', { hostname: 'new', zone_id: 1 }],
    result: ids.next,
    effects: [lists('domain/getList', { id: ids.next, fqdn: 'new.example' })],
  },
  changeTrue(
    ['domain/delete', { id: ids.domain }],
    [omits('domain/getList', { fqdn }), ['domain/getSubdomainList', {}, [press]]],
  ),
  read(['domain/checkDomainToRegister', { hostname: 'new', zone_id: 1, period: 3 }], {
    ...{ may_be_registered: true, bonus_domains: 0, balance: 633.27, pay_type: 'money', price: 567, in_system: false },
  }),
  read(
    ['domain/getSubdomainList'],
    [{ id: ids.subdomain, fqdn: 'club.teapots.example', domain_id: ids.domain }, press],
  ),
  {
    call: ['domain/addSubdomainVirtual', { subdomain: 'forum', domain_id: ids.domain }],
    result: ids.next,
    effects: [lists('domain/getSubdomainList', { id: ids.next, fqdn: 'forum.teapots.example', domain_id: ids.domain })],
  },
  changeTrue(['domain/deleteSubdomain', { id: ids.subdomain }], [['domain/getSubdomainList', {}, [press]]]),
  read(['domain/getPhpVersion', { full_fqdn: fqdn }], php(fqdn)),
  {
    call: ['domain/changePhpVersion', { full_fqdn: fqdn, php_version: '8.4', is_cgi: 1 }],
    result: {
      full_fqdn: fqdn,
      result: 'changes will take effect in some time',
      php_version: '8.4',
      cgi: 'enabled',
    },
    effects: [
      ['domain/getPhpVersion', { full_fqdn: fqdn }, objectWith({ php_version: '8.4', cgi: 'enabled' })],
      ['domain/getPhpVersion', { full_fqdn: 'club.teapots.example' }, objectWith({ php_version: '5.6' })],
    ],
  },
  read(
    ['domain/getDirectives', { full_fqdn: fqdn }],
    [{ name: 'a', value: 'b' }],
    [['domain/addDirectives', directives('ab')]],
  ),
  changeTrue(
    ['domain/addDirectives', directives('ab')],
    [
      ['domain/getDirectives', { full_fqdn: fqdn }, directives('xy', 'ab').directives_list],
      ['domain/getDirectives', { full_fqdn: 'club.teapots.example' }, []],
    ],
    [['domain/addDirectives', directives('xy')]],
  ),
  changeTrue(
    ['domain/removeDirectives', directives('ab')],
    [['domain/getDirectives', { full_fqdn: fqdn }, directives('ac', 'db').directives_list]],
    [['domain/addDirectives', directives('ab', 'ac', 'db')]],
  ),
  read(['dns/getData', { fqdn }], {
    ...{ fqdn, is_under_control: true, is_beget_dns: true, is_subdomain: false, set_type: 1 },
    records: {
      A: [{ ttl: 600, address: '198.51.100.84' }],
      MX: [
        { ttl: 600, exchange: 'mx1.mail.example.', preference: 10 },
        { ttl: 600, exchange: 'mx2.mail.example.', preference: 20 },
      ],
      TXT: [{ ttl: 600, txtdata: 'v=spf1 redirect=spf.mail.example' }],
      ...nameServers,
    },
  }),
  changeTrue(
    ['dns/changeRecords', { fqdn, records: { A: [{ value: '203.0.113.9', priority: 10 }] } }],
    [dnsOf({ A: [{ ttl: 600, address: '203.0.113.9' }], ...nameServers })],
  ),
  read(
    ['site/getList'],
    listWith({
      id: ids.site,
      path: 'teapots.example/public_html',
      domains: [objectWith({ id: ids.domain, fqdn, php_version: '8.2', ssl_status: 'wle_set' })],
    }),
  ),
  {
    call: ['site/add', { name: 'new.example' }],
    result: ids.next,
    effects: [lists('site/getList', { id: ids.next, path: 'new.example/public_html', domains: [] })],
  },
  changeTrue(
    ['site/freeze', { id: ids.site, excludedPaths: ['tmp', 'cache'] }],
    [
      ['site/isSiteFrozen', { site_id: ids.site }, true],
      [(account) => account.hidden.excludedPaths, { 'teapots.example': ['tmp', 'cache'] }],
    ],
  ),
  changeTrue(
    ['site/unfreeze', { id: ids.site }],
    [['site/isSiteFrozen', { site_id: ids.site }, false]],
    [['site/freeze', { id: ids.site }]],
  ),
  read(['site/isSiteFrozen', { site_id: ids.site }], true, [['site/freeze', { id: ids.site }]]),
  changeTrue(
    ['site/linkDomain', { domain_id: ids.subdomain, site_id: ids.site }],
    [lists('site/getList', { id: ids.site, domains: [objectWith({ fqdn }), objectWith({ id: ids.subdomain })] })],
  ),
  changeTrue(['site/unlinkDomain', { domain_id: ids.domain }], [lists('site/getList', { id: ids.site, domains: [] })]),
  read(
    ['mail/getMailboxList', { domain: fqdn }],
    [
      { ...mailbox, spam_filter_status: 1, forward_mail_status: 'no_forward' },
      { domain: fqdn, mailbox: 'support', spam_filter_status: 1, forward_mail_status: 'forward' },
    ],
  ),
  changeTrue(
    ['mail/dropMailbox', mailbox],
    [['mail/getMailboxList', { domain: fqdn }, [objectWith({ mailbox: 'support' })]]],
  ),
  changeTrue(
    ['mail/changeMailboxPassword', { ...mailbox, mailbox_password: 'otherwise' }],
    [
      [password('orders@teapots.example'), 'otherwise'],
      [password('support@teapots.example'), 'initial'],
    ],
  ),
  changeTrue(
    [
      'mail/changeMailboxSettings',
      { ...mailbox, spam_filter_status: 0, spam_filter: 20, forward_mail_status: 'forward_and_delete' },
    ],
    [
      [
        'mail/getMailboxList',
        { domain: fqdn },
        [
          { ...mailbox, spam_filter_status: 0, forward_mail_status: 'forward_and_delete' },
          objectWith({ mailbox: 'support', spam_filter_status: 1, forward_mail_status: 'forward' }),
        ],
      ],
    ],
  ),
  changeTrue(
    ['mail/forwardListAddMailbox', forwarding('x@y.example')],
    [['mail/forwardListShow', mailbox, [{ forward_mailbox: 'x@y.example' }]]],
  ),
  changeTrue(
    ['mail/forwardListDeleteMailbox', forwarding('x@y.example')],
    [['mail/forwardListShow', mailbox, [{ forward_mailbox: 'z@y.example' }]]],
    [
      ['mail/forwardListAddMailbox', forwarding('x@y.example')],
      ['mail/forwardListAddMailbox', forwarding('z@y.example')],
    ],
  ),
  read(['mail/forwardListShow', { domain: fqdn, mailbox: 'support' }], [{ forward_mailbox: 'orders@teapots.example' }]),
  changeTrue(
    ['mail/setDomainMail', { domain: fqdn, domain_mailbox: 'orders@teapots.example' }],
    [[(account) => account.hidden.domainMailboxes, { [fqdn]: 'orders@teapots.example' }]],
  ),
  changeTrue(
    ['mail/clearDomainMail', { domain: fqdn }],
    [[(account) => account.hidden.domainMailboxes, {}]],
    [['mail/setDomainMail', { domain: fqdn, domain_mailbox: 'orders@teapots.example' }]],
  ),
  {
    call: ['cron/edit', { id: ids.task, ...schedule }],
    result: { row_number: ids.task },
    effects: [lists('cron/getList', { row_number: ids.task, ...schedule, is_hidden: 0 })],
  },
  {
    call: ['cron/changeHiddenState', { row_number: ids.task, is_hidden: 1 }],
    result: { row_number: ids.task },
    effects: [['cron/getList', {}, listWith({ ...firstTask, is_hidden: 1 })]],
  },
  read(['cron/getEmail'], 'a@b.example', [['cron/setEmail', { email: 'a@b.example' }]]),
  changeTrue(['cron/setEmail', { email: 'a@b.example' }], [['cron/getEmail', {}, 'a@b.example']]),
];

export const apiCalls: Readonly<Record<Dialect, readonly ApiCall[]>> = { specification, provider };
