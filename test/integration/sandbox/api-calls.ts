import { expect } from 'vitest';
import type { Dialect } from '../../../src/api/dialect.ts';
import { shop } from '../../../src/sandbox/accounts/shop.ts';
import type { HostingAccount } from '../../../src/sandbox/hosting-account.ts';
import type { Json } from '../../../src/sandbox/json.ts';
import { backupsOf } from '../../../src/sandbox/state/backup-jobs.ts';
import { createAccountState } from '../../../src/sandbox/state/create-account-state.ts';
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

const moment = { instant: fixedNow, simulated: fixedNow };
/** The second newest backups, because the newest ones are also the default. */
const [, files = { id: 0 }] = backupsOf(state, 'files', moment);
const [, databases = { id: 0 }] = backupsOf(state, 'databases', moment);

export const ids = {
  site: idOf(state.sites),
  domain: idOf(state.domains),
  subdomain: idOf(state.subdomains),
  task: idOf(state.cronTasks),
  files: files.id,
  databases: databases.id,
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

// Methods with the same parameters and results in both dialects.
const shared: readonly ApiCall[] = [
  {
    call: ['stat/getSitesListLoad'],
    result: listWith({ name: fqdn, id: ids.site, cp: average }),
  },
  {
    call: ['stat/getDbListLoad'],
    result: listWith({ name: 'shop_main', cp: average }),
  },
  {
    call: ['stat/getSiteLoad', { site_id: ids.site }],
    result: { days: rows('value', /^\d+\.\d\d$/), hours: rows('value', /^\d+\.\d\d$/) },
  },
  {
    call: ['stat/getDbLoad', { db_name: 'shop_main' }],
    result: {
      days: rows('cpu_time', /^\d+$/),
      hours: rows('cpu_time', /^\d+$/),
      size_days: rows('size', /^1\d{9}$/),
    },
  },
  {
    call: ['ftp/getList'],
    result: [
      { login: 'shop_images', homedir: '/images.teapots.example/public_html' },
      { login: 'shop_price', homedir: '/teapots.example/public_html/price' },
    ],
  },
];

/** The calls of methods that differ between the dialects only in the payload that confirms a change. */
function sharedChanges(changed: unknown): readonly ApiCall[] {
  return [
    {
      call: ['site/delete', { id: ids.site }],
      result: changed,
      effects: [['site/getList', {}, listWithout(objectWith({ id: ids.site }))]],
    },
    {
      call: ['ftp/add', { suffix: 'new', homedir: '/new', password: 'p&w' }],
      result: changed,
      effects: [
        ['ftp/getList', {}, listWith({ login: 'shop_new', homedir: '/new' })],
        [password('shop_new'), 'p&w'],
      ],
    },
    {
      call: ['ftp/delete', { suffix: 'price' }],
      result: changed,
      effects: [['ftp/getList', {}, [objectWith({ login: 'shop_images' })]]],
    },
    {
      call: ['ftp/changePassword', { suffix: 'price', password: 'other' }],
      result: changed,
      effects: [
        [password('shop_price'), 'other'],
        [password('shop_images'), 'initial'],
      ],
    },
    {
      call: ['mail/createMailbox', { domain: fqdn, mailbox: 'new', mailbox_password: 'longenough' }],
      result: changed,
      effects: [
        ['mail/getMailboxList', { domain: fqdn }, listWith(objectWith({ mailbox: 'new', spam_filter_status: 1 }))],
        [password('new@teapots.example'), 'longenough'],
      ],
    },
    {
      call: ['cron/delete', { row_number: ids.task }],
      result: changed,
      effects: [['cron/getList', {}, listWithout(objectWith({ row_number: ids.task }))]],
    },
  ];
}

const cronAdd: ApiCall = {
  call: ['cron/add', schedule],
  result: { row_number: ids.next },
  effects: [['cron/getList', {}, listWith(newTask)]],
};

const specification: readonly ApiCall[] = [
  ...shared,
  ...sharedChanges({}),
  cronAdd,
  {
    call: ['user/getAccountInfo'],
    result: { tariff: 'Business', server: 'burut.sandbox.example', disk_usage: '13.4 GB', disk_limit: '20 GB' },
  },
  {
    call: ['backup/getFileList', { backup_id: ids.files, path: '/teapots.example/public_html/assets' }],
    result: [
      { name: 'logo.png', size: 38_578 },
      { name: 'main.js', size: 6901 },
      { name: 'style.css', size: 38_772 },
    ].map(({ name, size }) => ({
      backup_id: ids.files,
      date: '2026-03-15 01:27:38',
      name,
      is_dir: 0,
      mtime: expect.stringMatching(/^2026-03-\d\d \d\d:\d\d:\d\d$/),
      size,
    })),
  },
  {
    call: ['backup/getMysqlList', { backup_id: ids.databases }],
    result: ['shop_main', 'shop_wholesale', 'shop_stats'].map((name) => ({
      backup_id: ids.databases,
      date: expect.stringMatching(/^2026-03-15 01:/),
      name,
    })),
  },
  {
    // The test of restored files in state.test.ts shows which backup is restored.
    call: ['backup/restoreFile', { backup_id: ids.files, path: '/teapots.example' }],
    before: [['site/delete', { id: ids.site }]],
    result: {},
    effects: [['site/getList', {}, listWith(objectWith({ path: 'teapots.example/public_html' }))]],
  },
  {
    call: ['backup/restoreMysql', { db_name: 'shop_main', backup_id: ids.databases }],
    result: {},
    effects: [['mysql/getData', { db_name: 'shop_main' }, objectWith({ size: '1.81 GB' })]],
  },
  {
    call: ['mysql/getList'],
    result: [
      { name: 'shop_main', size: '1.84 GB', user: 'shop_main' },
      { name: 'shop_wholesale', size: '312 MB', user: 'shop_wholesale' },
      { name: 'shop_stats', size: '790 MB', user: 'shop_reader' },
    ],
  },
  {
    call: ['mysql/getData', { db_name: 'shop_stats' }],
    result: { name: 'shop_stats', size: '790 MB', user: 'shop_reader', accesses: [{ name: 'localhost' }] },
  },
  {
    call: ['mysql/changeAccessPassword', { db_name: 'shop_main', password: 'other', access: 'localhost' }],
    result: {},
    effects: [
      [password('shop_main@localhost'), 'other'],
      [password('shop_stats@localhost'), 'initial'],
    ],
  },
  {
    call: ['mysql/addDb', { db_name: 'shop_new', password: 'p&w' }],
    result: {},
    effects: [
      ['mysql/getList', {}, listWith({ name: 'shop_new', size: '64 KB', user: 'shop_new' })],
      [password('shop_new@localhost'), 'p&w'],
    ],
  },
  {
    call: ['mysql/deleteDb', { db_name: 'shop_main' }],
    result: {},
    effects: [['mysql/getList', {}, [objectWith({ name: 'shop_wholesale' }), objectWith({ name: 'shop_stats' })]]],
  },
  {
    call: ['domain/getList'],
    result: listWith(
      objectWith({ fqdn, date_expire: '2026-04-26', auto_renew: false, is_under_control: 1, is_subdomain: 0 }),
    ),
  },
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
  {
    call: ['domain/deleteSubdomain', { fqdn: 'club.teapots.example' }],
    result: {},
    effects: [['domain/getList', {}, listWithout(objectWith({ fqdn: 'club.teapots.example' }))]],
  },
  {
    call: ['domain/getPhpVersion', { fqdn }],
    result: {
      full_fqdn: fqdn,
      php_version: '8.2',
      cgi: 'disabled',
      allowed_versions: expect.arrayContaining(['5.6', '8.4']),
    },
  },
  {
    call: ['domain/changePhpVersion', { fqdn, php_version: '8.3' }],
    result: objectWith({ full_fqdn: fqdn, php_version: '8.3' }),
    effects: [
      ['domain/getPhpVersion', { fqdn }, objectWith({ php_version: '8.3' })],
      ['domain/getPhpVersion', { fqdn: 'club.teapots.example' }, objectWith({ php_version: '5.6' })],
    ],
  },
  {
    call: ['dns/getData', { fqdn }],
    result: {
      fqdn,
      is_under_control: true,
      is_subdomain: false,
      set_type: 1,
      records: {
        A: [{ value: '198.51.100.84', priority: 0 }],
        MX: [
          { value: 'mx1.mail.example.', priority: 10 },
          { value: 'mx2.mail.example.', priority: 20 },
        ],
        TXT: [{ value: 'v=spf1 redirect=spf.mail.example', priority: 0 }],
      },
    },
  },
  {
    call: ['dns/addRecords', { fqdn, records: [{ type: 'A', value: '203.0.113.7' }] }],
    result: {},
    effects: [
      [
        'dns/getData',
        { fqdn },
        objectWith({
          records: objectWith({
            A: [
              { value: '198.51.100.84', priority: 0 },
              { value: '203.0.113.7', priority: 0 },
            ],
          }),
        }),
      ],
    ],
  },
  {
    call: ['dns/changeRecords', { fqdn, records: [{ type: 'A', value: '203.0.113.8' }] }],
    result: {},
    effects: [
      [
        'dns/getData',
        { fqdn },
        objectWith({
          records: {
            A: [{ value: '203.0.113.8', priority: 0 }],
            MX: [
              { value: 'mx1.mail.example.', priority: 10 },
              { value: 'mx2.mail.example.', priority: 20 },
            ],
            TXT: [{ value: 'v=spf1 redirect=spf.mail.example', priority: 0 }],
          },
        }),
      ],
    ],
  },
  {
    call: ['dns/deleteRecords', { fqdn, records: [{ type: 'MX', value: 'mx1.mail.example.' }] }],
    result: {},
    effects: [
      [
        'dns/getData',
        { fqdn },
        objectWith({ records: objectWith({ MX: [{ value: 'mx2.mail.example.', priority: 20 }] }) }),
      ],
    ],
  },
  {
    call: ['site/getList'],
    result: listWith({
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
  },
  {
    call: ['site/add', { name: 'new.example' }],
    result: { id: ids.next },
    effects: [
      ['site/getList', {}, listWith({ id: ids.next, path: 'new.example/public_html', is_frozen: 0, domains: [] })],
    ],
  },
  {
    call: ['site/freeze', { id: ids.site }],
    result: {},
    effects: [
      ['site/getList', {}, listWith(objectWith({ id: ids.site, is_frozen: 1 }))],
      [(account) => account.sites.map(({ frozen }) => frozen), [true, false, false]],
    ],
  },
  {
    call: ['site/unfreeze', { id: ids.site }],
    before: [['site/freeze', { id: ids.site }]],
    result: {},
    effects: [['site/getList', {}, listWith(objectWith({ id: ids.site, is_frozen: 0 }))]],
  },
  {
    call: ['mail/getMailboxList', { domain: fqdn }],
    result: [
      { ...mailbox, spam_filter_status: 1, forward_mail_status: 'no_forward', forward_mailbox: [] },
      {
        domain: fqdn,
        mailbox: 'support',
        spam_filter_status: 1,
        forward_mail_status: 'forward',
        forward_mailbox: ['orders@teapots.example'],
      },
    ],
  },
  {
    call: ['mail/deleteMailbox', mailbox],
    result: {},
    effects: [['mail/getMailboxList', { domain: fqdn }, [objectWith({ mailbox: 'support' })]]],
  },
  {
    call: ['mail/changePassword', { ...mailbox, mailbox_password: 'otherwise' }],
    result: {},
    effects: [
      [password('orders@teapots.example'), 'otherwise'],
      [password('support@teapots.example'), 'initial'],
    ],
  },
  {
    call: [
      'mail/setForward',
      { ...mailbox, forward_mailbox: ['a@b.example', 'c@d.example'], forward_mail_status: 'forward_and_delete' },
    ],
    result: {},
    effects: [
      [
        'mail/getMailboxList',
        {},
        listWith({
          ...mailbox,
          spam_filter_status: 1,
          forward_mail_status: 'forward_and_delete',
          forward_mailbox: ['a@b.example', 'c@d.example'],
        }),
      ],
    ],
  },
  { call: ['cron/getList'], result: listWith(firstTask) },
  {
    call: ['cron/edit', { row_number: ids.task, ...schedule, is_hidden: 1 }],
    result: {},
    effects: [['cron/getList', {}, listWith({ row_number: ids.task, ...schedule, is_hidden: 1 })]],
  },
];

const provider: readonly ApiCall[] = [
  ...shared,
  ...sharedChanges(true),
  cronAdd,
  {
    call: ['user/getAccountInfo'],
    result: {
      plan_name: 'Business',
      user_sites: 3,
      plan_site: 10,
      user_domains: 3,
      plan_domain: 25,
      user_mysqlsize: 2942,
      plan_mysql: 20,
      user_quota: 13_400,
      plan_quota: 20_000,
      user_ftp: 2,
      plan_ftp: 10,
      user_mail: 4,
      plan_mail: 100,
      user_bash: '/bin/bash',
      plan_cp: 80,
      user_rate_current: 32.82,
      user_is_year_plan: '0',
      user_rate_year: 11_979,
      user_rate_month: 998,
      user_balance: 633.27,
      user_days_to_block: 19,
      server_apache_version: '2.4.63',
      server_mysql_version: '8.0.41',
      server_nginx_version: '1.27.4',
      server_perl_version: 'v5.34.0',
      server_php_version: '8.2.28',
      server_python_version: '3.10.12',
      server_name: 'burut.sandbox.example',
      server_cpu_name: '32 *  x86-64 Processor',
      server_memory: 772_905,
      server_memorycurrent: 45_098,
      server_loadaverage: 9.240966796875,
      server_uptime: 124,
    },
  },
  {
    call: ['user/toggleSsh', { status: 1, ftplogin: 'shop_price' }],
    result: [],
    effects: [[(account) => account.hidden.sshLogins, ['shop_price']]],
  },
  {
    call: ['backup/getFileBackupList'],
    result: listWith({ backup_id: ids.files, date: '2026-03-15 01:27:38' }),
  },
  {
    call: ['backup/getMysqlBackupList'],
    result: listWith({ backup_id: ids.databases, date: expect.stringMatching(/^2026-03-15 01:/) }),
  },
  {
    call: ['backup/getFileList', { backup_id: ids.files, path: '/teapots.example/public_html/assets' }],
    result: ['logo.png', 'main.js', 'style.css'].map((name) => objectWith({ name, is_dir: 0 })),
  },
  {
    call: ['backup/getMysqlList', { backup_id: ids.databases }],
    result: ['shop_main', 'shop_wholesale', 'shop_stats'],
  },
  {
    call: ['backup/restoreFile', { backup_id: ids.files, paths: [path] }],
    result: true,
    effects: [['backup/getLog', {}, [objectWith({ type: 'restore_file', target_list: [path] }), earlierJob]]],
  },
  {
    call: ['backup/restoreMysql', { backup_id: ids.databases, bases: ['shop_main'] }],
    result: true,
    effects: [
      ['mysql/getList', {}, listWith(objectWith({ name: 'shop_main', size: '1808' }))],
      ['backup/getLog', {}, [objectWith({ type: 'restore_mysql', target_list: ['shop_main'] }), earlierJob]],
    ],
  },
  {
    call: ['backup/downloadFile', { backup_id: ids.files, paths: [path] }],
    result: true,
    effects: [
      [
        'backup/getLog',
        {},
        [
          {
            id: ids.next,
            operation: 'download',
            type: 'download_file',
            date_create: '2026-03-16 14:20:00',
            target_list: [path],
            status: 'success',
          },
          earlierJob,
        ],
      ],
    ],
  },
  {
    call: ['backup/downloadMysql', { backup_id: ids.databases, bases: ['shop_main', 'shop_stats'] }],
    result: true,
    effects: [
      [
        'backup/getLog',
        {},
        [objectWith({ type: 'download_mysql', target_list: ['shop_main', 'shop_stats'] }), earlierJob],
      ],
    ],
  },
  {
    call: ['backup/getLog'],
    before: [
      ['backup/downloadMysql', { bases: ['shop_main'] }],
      ['backup/downloadFile', { paths: [path] }],
    ],
    result: [objectWith({ type: 'download_file' }), objectWith({ type: 'download_mysql' }), earlierJob],
  },
  {
    call: ['mysql/getList'],
    result: [
      { name: 'shop_main', size: '1840', accesses: [{ name: 'localhost' }] },
      { name: 'shop_wholesale', size: '312', accesses: [{ name: 'localhost' }] },
      { name: 'shop_stats', size: '790', accesses: [{ name: 'localhost' }] },
    ],
  },
  {
    call: ['mysql/addDb', { suffix: 'new', password: 'p&word' }],
    result: true,
    effects: [
      ['mysql/getList', {}, listWith({ name: 'shop_new', size: '1', accesses: [{ name: 'localhost' }] })],
      [password('shop_new@localhost'), 'p&word'],
    ],
  },
  {
    call: ['mysql/dropDb', { suffix: 'main' }],
    result: true,
    effects: [['mysql/getList', {}, listWithout(objectWith({ name: 'shop_main' }))]],
  },
  {
    call: ['mysql/addAccess', { suffix: 'main', access: '192.0.2.5', password: 'p&word' }],
    result: true,
    effects: [
      [
        'mysql/getList',
        {},
        listWith(objectWith({ name: 'shop_main', accesses: [{ name: 'localhost' }, { name: '192.0.2.5' }] })),
      ],
      [password('shop_main@192.0.2.5'), 'p&word'],
    ],
  },
  {
    call: ['mysql/dropAccess', { suffix: 'main', access: 'localhost' }],
    result: true,
    effects: [['mysql/getList', {}, listWith(objectWith({ name: 'shop_main', accesses: [] }))]],
  },
  {
    call: ['mysql/changeAccessPassword', { suffix: 'main', access: '*', password: 'other&' }],
    before: [['mysql/addAccess', { suffix: 'main', access: '*', password: 'before' }]],
    result: true,
    effects: [
      [password('shop_main@*'), 'other&'],
      [password('shop_main@localhost'), 'initial'],
    ],
  },
  {
    call: ['domain/getList'],
    result: listWith({
      id: ids.domain,
      fqdn,
      date_add: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
      auto_renew: false,
      date_register: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      date_expire: '2026-04-26',
      can_renew: null,
      registrar: 'beget',
      registrar_status: 'delegated',
      register_order_status: 'FINISH',
      register_order_comment: null,
      renew_order_status: null,
      is_under_control: 1,
    }),
  },
  {
    call: ['domain/getZoneList'],
    result: objectWith({ example: objectWith({ id: 1, price_renew: 239 }) }),
  },
  {
    call: ['domain/addVirtual', { hostname: 'new', zone_id: 1 }],
    result: ids.next,
    effects: [['domain/getList', {}, listWith(objectWith({ id: ids.next, fqdn: 'new.example' }))]],
  },
  {
    call: ['domain/delete', { id: ids.domain }],
    result: true,
    effects: [
      ['domain/getList', {}, listWithout(objectWith({ fqdn }))],
      ['domain/getSubdomainList', {}, [objectWith({ fqdn: 'press.teapots-wholesale.example' })]],
    ],
  },
  {
    call: ['domain/checkDomainToRegister', { hostname: 'new', zone_id: 1, period: 3 }],
    result: {
      may_be_registered: true,
      bonus_domains: 0,
      balance: 633.27,
      pay_type: 'money',
      price: 567,
      in_system: false,
    },
  },
  {
    call: ['domain/getSubdomainList'],
    result: [
      { id: ids.subdomain, fqdn: 'club.teapots.example', domain_id: ids.domain },
      objectWith({ fqdn: 'press.teapots-wholesale.example' }),
    ],
  },
  {
    call: ['domain/addSubdomainVirtual', { subdomain: 'forum', domain_id: ids.domain }],
    result: ids.next,
    effects: [
      ['domain/getSubdomainList', {}, listWith({ id: ids.next, fqdn: 'forum.teapots.example', domain_id: ids.domain })],
    ],
  },
  {
    call: ['domain/deleteSubdomain', { id: ids.subdomain }],
    result: true,
    effects: [['domain/getSubdomainList', {}, [objectWith({ fqdn: 'press.teapots-wholesale.example' })]]],
  },
  {
    call: ['domain/getPhpVersion', { full_fqdn: fqdn }],
    result: {
      full_fqdn: fqdn,
      php_version: '8.2',
      cgi: 'disabled',
      allowed_versions: expect.arrayContaining(['5.6', '8.4']),
    },
  },
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
  {
    call: ['domain/getDirectives', { full_fqdn: fqdn }],
    before: [['domain/addDirectives', { full_fqdn: fqdn, directives_list: [{ name: 'a', value: 'b' }] }]],
    result: [{ name: 'a', value: 'b' }],
  },
  {
    call: ['domain/addDirectives', { full_fqdn: fqdn, directives_list: [{ name: 'a', value: 'b' }] }],
    result: true,
    effects: [
      ['domain/getDirectives', { full_fqdn: fqdn }, [{ name: 'a', value: 'b' }]],
      ['domain/getDirectives', { full_fqdn: 'club.teapots.example' }, []],
    ],
  },
  {
    call: ['domain/removeDirectives', { full_fqdn: fqdn, directives_list: [{ name: 'a', value: 'b' }] }],
    before: [
      [
        'domain/addDirectives',
        {
          full_fqdn: fqdn,
          directives_list: [
            { name: 'a', value: 'b' },
            { name: 'a', value: 'c' },
            { name: 'd', value: 'b' },
          ],
        },
      ],
    ],
    result: true,
    effects: [
      [
        'domain/getDirectives',
        { full_fqdn: fqdn },
        [
          { name: 'a', value: 'c' },
          { name: 'd', value: 'b' },
        ],
      ],
    ],
  },
  {
    call: ['dns/getData', { fqdn }],
    result: {
      fqdn,
      is_under_control: true,
      is_beget_dns: true,
      is_subdomain: false,
      set_type: 1,
      records: {
        A: [{ ttl: 600, address: '198.51.100.84' }],
        MX: [
          { ttl: 600, exchange: 'mx1.mail.example.', preference: 10 },
          { ttl: 600, exchange: 'mx2.mail.example.', preference: 20 },
        ],
        TXT: [{ ttl: 600, txtdata: 'v=spf1 redirect=spf.mail.example' }],
        DNS: [{ value: 'ns1.provider.example' }, { value: 'ns2.provider.example' }],
        DNS_IP: [{ value: '' }, { value: '' }],
      },
    },
  },
  {
    call: ['dns/changeRecords', { fqdn, records: { A: [{ value: '203.0.113.9', priority: 10 }] } }],
    result: true,
    effects: [
      [
        'dns/getData',
        { fqdn },
        objectWith({
          records: {
            A: [{ ttl: 600, address: '203.0.113.9' }],
            DNS: [{ value: 'ns1.provider.example' }, { value: 'ns2.provider.example' }],
            DNS_IP: [{ value: '' }, { value: '' }],
          },
        }),
      ],
    ],
  },
  {
    call: ['site/getList'],
    result: listWith({
      id: ids.site,
      path: 'teapots.example/public_html',
      domains: [objectWith({ id: ids.domain, fqdn, php_version: '8.2', ssl_status: 'wle_set' })],
    }),
  },
  {
    call: ['site/add', { name: 'new.example' }],
    result: ids.next,
    effects: [['site/getList', {}, listWith({ id: ids.next, path: 'new.example/public_html', domains: [] })]],
  },
  {
    call: ['site/freeze', { id: ids.site, excludedPaths: ['tmp', 'cache'] }],
    result: true,
    effects: [
      ['site/isSiteFrozen', { site_id: ids.site }, true],
      [(account) => account.hidden.excludedPaths, { 'teapots.example': ['tmp', 'cache'] }],
    ],
  },
  {
    call: ['site/unfreeze', { id: ids.site }],
    before: [['site/freeze', { id: ids.site }]],
    result: true,
    effects: [['site/isSiteFrozen', { site_id: ids.site }, false]],
  },
  {
    call: ['site/isSiteFrozen', { site_id: ids.site }],
    before: [['site/freeze', { id: ids.site }]],
    result: true,
  },
  {
    call: ['site/linkDomain', { domain_id: ids.subdomain, site_id: ids.site }],
    result: true,
    effects: [
      [
        'site/getList',
        {},
        listWith(objectWith({ id: ids.site, domains: [objectWith({ fqdn }), objectWith({ id: ids.subdomain })] })),
      ],
    ],
  },
  {
    call: ['site/unlinkDomain', { domain_id: ids.domain }],
    result: true,
    effects: [['site/getList', {}, listWith(objectWith({ id: ids.site, domains: [] }))]],
  },
  {
    call: ['mail/getMailboxList', { domain: fqdn }],
    result: [
      { ...mailbox, spam_filter_status: 1, forward_mail_status: 'no_forward' },
      { domain: fqdn, mailbox: 'support', spam_filter_status: 1, forward_mail_status: 'forward' },
    ],
  },
  {
    call: ['mail/dropMailbox', mailbox],
    result: true,
    effects: [['mail/getMailboxList', { domain: fqdn }, [objectWith({ mailbox: 'support' })]]],
  },
  {
    call: ['mail/changeMailboxPassword', { ...mailbox, mailbox_password: 'otherwise' }],
    result: true,
    effects: [
      [password('orders@teapots.example'), 'otherwise'],
      [password('support@teapots.example'), 'initial'],
    ],
  },
  {
    call: [
      'mail/changeMailboxSettings',
      { ...mailbox, spam_filter_status: 0, spam_filter: 20, forward_mail_status: 'forward_and_delete' },
    ],
    result: true,
    effects: [
      [
        'mail/getMailboxList',
        { domain: fqdn },
        [
          { ...mailbox, spam_filter_status: 0, forward_mail_status: 'forward_and_delete' },
          objectWith({ mailbox: 'support', spam_filter_status: 1, forward_mail_status: 'forward' }),
        ],
      ],
    ],
  },
  {
    call: ['mail/forwardListAddMailbox', { ...mailbox, forward_mailbox: 'x@y.example' }],
    result: true,
    effects: [['mail/forwardListShow', mailbox, [{ forward_mailbox: 'x@y.example' }]]],
  },
  {
    call: ['mail/forwardListDeleteMailbox', { ...mailbox, forward_mailbox: 'x@y.example' }],
    before: [
      ['mail/forwardListAddMailbox', { ...mailbox, forward_mailbox: 'x@y.example' }],
      ['mail/forwardListAddMailbox', { ...mailbox, forward_mailbox: 'z@y.example' }],
    ],
    result: true,
    effects: [['mail/forwardListShow', mailbox, [{ forward_mailbox: 'z@y.example' }]]],
  },
  {
    call: ['mail/forwardListShow', { domain: fqdn, mailbox: 'support' }],
    result: [{ forward_mailbox: 'orders@teapots.example' }],
  },
  {
    call: ['mail/setDomainMail', { domain: fqdn, domain_mailbox: 'orders@teapots.example' }],
    result: true,
    effects: [[(account) => account.hidden.domainMailboxes, { [fqdn]: 'orders@teapots.example' }]],
  },
  {
    call: ['mail/clearDomainMail', { domain: fqdn }],
    before: [['mail/setDomainMail', { domain: fqdn, domain_mailbox: 'orders@teapots.example' }]],
    result: true,
    effects: [[(account) => account.hidden.domainMailboxes, {}]],
  },
  { call: ['cron/getList'], result: listWith(firstTask) },
  {
    call: ['cron/edit', { id: ids.task, ...schedule }],
    result: { row_number: ids.task },
    effects: [['cron/getList', {}, listWith({ row_number: ids.task, ...schedule, is_hidden: 0 })]],
  },
  {
    call: ['cron/changeHiddenState', { row_number: ids.task, is_hidden: 1 }],
    result: { row_number: ids.task },
    effects: [['cron/getList', {}, listWith({ ...firstTask, is_hidden: 1 })]],
  },
  {
    call: ['cron/getEmail'],
    before: [['cron/setEmail', { email: 'a@b.example' }]],
    result: 'a@b.example',
  },
  {
    call: ['cron/setEmail', { email: 'a@b.example' }],
    result: true,
    effects: [['cron/getEmail', {}, 'a@b.example']],
  },
];

export const apiCalls: Readonly<Record<Dialect, readonly ApiCall[]>> = { specification, provider };
