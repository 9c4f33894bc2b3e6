import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { methodsOf } from '../../../src/sandbox/methods/list.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { call, fixedClock, payload } from './api-caller.ts';

// Every method of the specification with parameters and result, in an order in which each call succeeds.
const table: readonly [method: string, parameters: Record<string, string>, result: unknown][] = [
  [
    'user/getAccountInfo',
    {},
    { tariff: 'Business', server: 'burut.sandbox.example', disk_usage: '13.4 GB', disk_limit: '20 GB' },
  ],
  [
    'backup/getFileList',
    { backup_id: 'latest', path: '/teapots.example/public_html/assets' },
    [
      {
        backup_id: expect.any(Number),
        date: '2026-03-16 02:15:54',
        name: 'logo.png',
        is_dir: 0,
        mtime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        size: expect.any(Number),
      },
      expect.objectContaining({ name: 'main.js' }),
      expect.objectContaining({ name: 'style.css' }),
    ],
  ],
  [
    'backup/getMysqlList',
    { backup_id: 'latest' },
    ['shop_main', 'shop_wholesale', 'shop_stats'].map((name) => ({
      backup_id: expect.any(Number),
      date: expect.stringMatching(/^2026-03-16 0/),
      name,
    })),
  ],
  ['backup/restoreFile', { backup_id: 'latest', path: '/teapots.example/public_html/index.php' }, {}],
  ['backup/restoreMysql', { db_name: 'shop_main', backup_id: 'latest' }, {}],
  ['mysql/addDb', { db_name: 'shop_new', password: 'p&w' }, {}],
  [
    'mysql/getData',
    { db_name: 'shop_new' },
    { name: 'shop_new', size: '64 KB', user: 'shop_new', accesses: [{ name: 'localhost' }] },
  ],
  ['mysql/getList', {}, expect.arrayContaining([{ name: 'shop_new', size: '64 KB', user: 'shop_new' }])],
  ['mysql/changeAccessPassword', { db_name: 'shop_new', password: 'other' }, {}],
  ['mysql/deleteDb', { db_name: 'shop_new' }, {}],
  [
    'domain/getList',
    {},
    expect.arrayContaining([
      expect.objectContaining({ fqdn: 'teapots.example', date_expire: '2026-04-26', auto_renew: false }),
    ]),
  ],
  ['domain/addSubdomain', { fqdn: 'forum.teapots.example' }, { id: expect.any(Number) }],
  [
    'domain/getPhpVersion',
    { fqdn: 'forum.teapots.example' },
    expect.objectContaining({ full_fqdn: 'forum.teapots.example', php_version: '5.6', cgi: 'disabled' }),
  ],
  [
    'domain/changePhpVersion',
    { fqdn: 'forum.teapots.example', php_version: '8.3' },
    expect.objectContaining({ php_version: '8.3' }),
  ],
  [
    'dns/getData',
    { fqdn: 'forum.teapots.example' },
    expect.objectContaining({
      is_subdomain: true,
      records: expect.objectContaining({
        MX: [
          { value: 'mx1.mail.example.', priority: 10 },
          { value: 'mx2.mail.example.', priority: 20 },
        ],
      }),
    }),
  ],
  ['domain/deleteSubdomain', { fqdn: 'forum.teapots.example' }, {}],
  ['dns/addRecords', { fqdn: 'teapots.example', 'records[0][type]': 'A', 'records[0][value]': '203.0.113.7' }, {}],
  ['dns/changeRecords', { fqdn: 'teapots.example', 'records[0][type]': 'A', 'records[0][value]': '203.0.113.8' }, {}],
  ['dns/deleteRecords', { fqdn: 'teapots.example', 'records[0][type]': 'A', 'records[0][value]': '203.0.113.8' }, {}],
  ['site/add', { name: 'new.example' }, { id: expect.any(Number) }],
  [
    'site/getList',
    {},
    expect.arrayContaining([expect.objectContaining({ path: 'new.example/public_html', is_frozen: 0, domains: [] })]),
  ],
  ['site/freeze', { id: '{site}' }, {}],
  ['site/unfreeze', { id: '{site}' }, {}],
  [
    'stat/getSitesListLoad',
    {},
    expect.arrayContaining([
      { name: 'teapots.example', id: expect.any(Number), cp: expect.stringMatching(/^\d+\.\d{6}$/) },
    ]),
  ],
  [
    'stat/getDbListLoad',
    {},
    expect.arrayContaining([{ name: 'shop_main', cp: expect.stringMatching(/^\d+\.\d{6}$/) }]),
  ],
  ['stat/getSiteLoad', { site_id: '{site}' }, { days: expect.any(Array), hours: expect.any(Array) }],
  [
    'stat/getDbLoad',
    { db_name: 'shop_main' },
    { days: expect.any(Array), hours: expect.any(Array), size_days: expect.any(Array) },
  ],
  ['site/delete', { id: '{site}' }, {}],
  ['ftp/add', { suffix: 'new', homedir: '/new', password: 'p&w' }, {}],
  ['ftp/getList', {}, expect.arrayContaining([{ login: 'shop_new', homedir: '/new' }])],
  ['ftp/changePassword', { suffix: 'new', password: 'other' }, {}],
  ['ftp/delete', { suffix: 'new' }, {}],
  ['mail/createMailbox', { domain: 'teapots.example', mailbox: 'new', mailbox_password: 'longenough' }, {}],
  [
    'mail/getMailboxList',
    {},
    expect.arrayContaining([
      {
        mailbox: 'new',
        domain: 'teapots.example',
        spam_filter_status: 1,
        forward_mail_status: 'no_forward',
        forward_mailbox: [],
      },
    ]),
  ],
  ['mail/changePassword', { domain: 'teapots.example', mailbox: 'new', mailbox_password: 'otherwise' }, {}],
  ['mail/setForward', { domain: 'teapots.example', mailbox: 'new', forward_mailbox: 'a@b.example' }, {}],
  ['mail/deleteMailbox', { domain: 'teapots.example', mailbox: 'new' }, {}],
  [
    'cron/add',
    { minutes: '*/7', hours: '*', days: '*', months: '*', weekdays: '*', command: 'true' },
    { row_number: expect.any(Number) },
  ],
  [
    'cron/getList',
    {},
    expect.arrayContaining([expect.objectContaining({ minutes: '*/7', command: 'true', is_hidden: 0 })]),
  ],
  ['cron/edit', { row_number: '{task}', hours: '5' }, {}],
  ['cron/delete', { row_number: '{task}' }, {}],
];

/** Methods of the table that the provider does not have under this name. */
const notAtProvider = [
  'mysql/getData',
  'mysql/deleteDb',
  'domain/addSubdomain',
  'dns/addRecords',
  'dns/deleteRecords',
  'mail/deleteMailbox',
  'mail/changePassword',
  'mail/setForward',
];

describe('methods of the specification', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({ clock: fixedClock, requestsPerMinute: 0 });
  });

  afterAll(() => sandbox.close());

  it('are all called by this test', () => {
    const called = new Set(table.map(([method]) => method));

    expect([...called].sort()).toEqual([...methodsOf('specification').keys()].sort());
  });

  it.each(table)('%s answers', async (method, parameters, result) => {
    const ids = { site: sandbox.account('shop').sites.at(-1)?.id, task: sandbox.account('shop').cronTasks.at(-1)?.id };
    const filled = Object.entries(parameters).map(([name, value]) => [
      name,
      value.replace('{site}', String(ids.site)).replace('{task}', String(ids.task)),
    ]);

    const answered = await payload(sandbox, 'shop', method, Object.fromEntries(filled));

    expect(answered).toEqual(result);
  });
});

describe('the same methods in the provider dialect', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({ dialect: 'provider', clock: fixedClock, requestsPerMinute: 0 });
  });

  afterAll(() => sandbox.close());

  it.each(table.map(([method]) => method))(
    '%s exists, or is unknown if the provider does not have it',
    async (method) => {
      const { json } = await call(sandbox, 'shop', method);

      const unknown = { status: 'error', error_text: 'No such method', error_code: 'NO_SUCH_METHOD' };
      if (notAtProvider.includes(method)) {
        expect(json).toEqual(unknown);
      } else {
        expect(json).toEqual({ status: 'success', answer: expect.anything() });
      }
    },
  );

  it.each<[method: string, parameters: Record<string, string>, result: unknown]>([
    [
      'backup/getFileBackupList',
      {},
      expect.arrayContaining([{ backup_id: expect.any(Number), date: '2026-03-16 02:15:54' }]),
    ],
    [
      'backup/getMysqlBackupList',
      {},
      expect.arrayContaining([{ backup_id: expect.any(Number), date: expect.stringMatching(/^2026-03-16 0/) }]),
    ],
    ['backup/downloadMysql', { 'bases[]': 'shop_main' }, true],
    ['backup/downloadFile', { 'paths[0]': '/teapots.example' }, true],
    [
      'backup/getLog',
      {},
      [
        expect.objectContaining({
          operation: 'download',
          type: 'download_file',
          target_list: ['/teapots.example'],
          date_create: '2026-03-16 14:20:00',
          status: 'success',
        }),
        expect.objectContaining({ type: 'download_mysql' }),
      ],
    ],
    ['mysql/addDb', { suffix: 'x', password: 'p' }, true],
    ['mysql/addAccess', { suffix: 'x', access: '192.0.2.5', password: 'p' }, true],
    [
      'mysql/getList',
      {},
      expect.arrayContaining([{ name: 'shop_x', size: '1', accesses: [{ name: 'localhost' }, { name: '192.0.2.5' }] }]),
    ],
    ['mysql/dropAccess', { suffix: 'x', access: '192.0.2.5' }, true],
    ['mysql/dropDb', { suffix: 'x' }, true],
    ['domain/addSubdomainVirtual', { subdomain: 'forum', domain_id: '{domain}' }, expect.any(Number)],
    [
      'domain/getSubdomainList',
      {},
      ['club.teapots.example', 'press.teapots-wholesale.example', 'forum.teapots.example'].map((fqdn) => ({
        id: expect.any(Number),
        fqdn,
        domain_id: expect.any(Number),
      })),
    ],
    ['domain/getPhpVersion', { full_fqdn: 'teapots.example' }, expect.objectContaining({ php_version: '8.2' })],
    [
      'domain/changePhpVersion',
      { full_fqdn: 'teapots.example', php_version: '8.4', is_cgi: '1' },
      expect.objectContaining({ php_version: '8.4', cgi: 'enabled' }),
    ],
    [
      'dns/getData',
      { fqdn: 'teapots.example' },
      expect.objectContaining({
        is_under_control: true,
        records: expect.objectContaining({ A: [{ ttl: 600, address: '198.51.100.84' }], DNS_IP: [{ value: '' }] }),
      }),
    ],
    ['dns/changeRecords', { fqdn: 'teapots.example', 'records[A][0][value]': '203.0.113.9' }, true],
    ['site/isSiteFrozen', { site_id: '{site}' }, false],
    ['site/unlinkDomain', { domain_id: '{domain}' }, true],
    ['site/linkDomain', { domain_id: '{domain}', site_id: '{site}' }, true],
    [
      'mail/getMailboxList',
      { domain: 'teapots-wholesale.example' },
      [
        {
          mailbox: 'office',
          domain: 'teapots-wholesale.example',
          spam_filter_status: 0,
          forward_mail_status: 'no_forward',
        },
      ],
    ],
    [
      'mail/changeMailboxSettings',
      {
        domain: 'teapots.example',
        mailbox: 'orders',
        spam_filter_status: '0',
        forward_mail_status: 'forward_and_delete',
      },
      true,
    ],
    [
      'mail/forwardListAddMailbox',
      { domain: 'teapots.example', mailbox: 'orders', forward_mailbox: 'x@y.example' },
      true,
    ],
    ['mail/forwardListShow', { domain: 'teapots.example', mailbox: 'orders' }, [{ forward_mailbox: 'x@y.example' }]],
    [
      'mail/forwardListDeleteMailbox',
      { domain: 'teapots.example', mailbox: 'orders', forward_mailbox: 'x@y.example' },
      true,
    ],
    [
      'mail/changeMailboxPassword',
      { domain: 'teapots.example', mailbox: 'orders', mailbox_password: 'longenough' },
      true,
    ],
    ['mail/setDomainMail', { domain: 'teapots.example', domain_mailbox: 'orders' }, true],
    ['mail/clearDomainMail', { domain: 'teapots.example' }, true],
    ['mail/dropMailbox', { domain: 'teapots.example', mailbox: 'orders' }, true],
    ['cron/changeHiddenState', { row_number: '{task}', is_hidden: '0' }, true],
    ['cron/setEmail', { email: 'a@b.example' }, true],
    ['cron/getEmail', {}, 'a@b.example'],
  ])('%s answers', async (method, parameters, result) => {
    const [site] = await payload(sandbox, 'shop', 'site/getList');
    const [domain] = await payload(sandbox, 'shop', 'domain/getList');
    const [task] = await payload(sandbox, 'shop', 'cron/getList');
    const filled = Object.entries(parameters).map(([name, value]) => [
      name,
      value.replace('{site}', site.id).replace('{domain}', domain.id).replace('{task}', task.row_number),
    ]);

    const answered = await payload(sandbox, 'shop', method, Object.fromEntries(filled));

    expect(answered).toEqual(result);
  });

  it('requires the domain of mailboxes', async () => {
    const { json } = await call(sandbox, 'shop', 'mail/getMailboxList');

    expect(json.answer.errors).toEqual([{ error_code: 'INVALID_DATA', error_text: 'The parameter domain is missing' }]);
  });

  it('refuses a weak mailbox password with a numeric code', async () => {
    const parameters = { domain: 'teapots.example', mailbox: 'a', mailbox_password: 'weak' };

    const { json } = await call(sandbox, 'shop', 'mail/createMailbox', parameters);

    expect(json.answer.errors[0].error_code).toBe(1208);
  });
});
