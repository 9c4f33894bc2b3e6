import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { call, fixedNow, payload } from './api-caller.ts';

const day = 86_400_000;

describe('changes', () => {
  let now = fixedNow;
  let sandbox: Sandbox;

  beforeEach(async () => {
    now = fixedNow;
    sandbox = await startSandbox({ clock: { now: () => now }, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  const names = async () => (await payload(sandbox, 'shop', 'mysql/getList')).map((db: { name: string }) => db.name);

  it('of databases appear in the list, the loads and the expected values', async () => {
    await payload(sandbox, 'shop', 'mysql/addDb', { db_name: 'shop_новая', password: 'x' });
    await payload(sandbox, 'shop', 'mysql/deleteDb', { db_name: 'shop_stats' });

    expect(await names()).toEqual(['shop_main', 'shop_wholesale', 'shop_новая']);
    const loads = await payload(sandbox, 'shop', 'stat/getDbListLoad');
    expect(loads.at(-1)).toEqual({ name: 'shop_новая', cp: '0.000000' });
    expect(sandbox.account('shop').databases.map((db) => db.name)).toEqual(await names());
  });

  it('by methods of the account appear in the answers', async () => {
    const account = sandbox.account('shop');

    account.deleteSite('images.teapots.example');
    account.addSite('later.example');
    account.addDatabase({ name: 'shop_big', size: 12_340_000_000 });
    account.setDatabaseSize('shop_main', 5_000);
    account.setDiskUsage(1_250_000_000);
    account.setDiskLimit(undefined);

    const sites = await payload(sandbox, 'shop', 'site/getList');
    expect(sites.map((site: { path: string }) => site.path)).toEqual([
      'teapots.example/public_html',
      'teapots-wholesale.example/public_html',
      'later.example/public_html',
    ]);
    const databases = await payload(sandbox, 'shop', 'mysql/getList');
    expect(databases).toContainEqual({ name: 'shop_big', size: '12.34 GB', user: 'shop_big' });
    expect(databases).toContainEqual({ name: 'shop_main', size: '5 KB', user: 'shop_main' });
    expect(await payload(sandbox, 'shop', 'user/getAccountInfo')).toMatchObject({
      disk_usage: '1.25 GB',
      disk_limit: '2147483647 MB',
    });
  });

  it('can set the disk usage above the limit, where it stops growing', async () => {
    const account = sandbox.account('shop');

    account.setDiskUsage(25_000_000_000, 1_000_000_000);
    now += day;

    expect((await payload(sandbox, 'shop', 'user/getAccountInfo')).disk_usage).toBe('25 GB');
    account.setDiskLimit(undefined);
    expect((await payload(sandbox, 'shop', 'user/getAccountInfo')).disk_usage).toBe('26 GB');
  });

  it('of a site’s frozen state appear in the list', async () => {
    const [site] = await payload(sandbox, 'shop', 'site/getList');

    await payload(sandbox, 'shop', 'site/freeze', { id: String(site.id) });

    expect((await payload(sandbox, 'shop', 'site/getList'))[0].is_frozen).toBe(1);
    expect(sandbox.account('shop').sites[0]?.frozen).toBe(true);
  });

  it('of DNS records are kept', async () => {
    const records = { fqdn: 'teapots.example', 'records[0][type]': 'A', 'records[0][value]': '203.0.113.7' };
    const addresses = async () =>
      (await payload(sandbox, 'shop', 'dns/getData', { fqdn: 'teapots.example' })).records.A;

    await payload(sandbox, 'shop', 'dns/addRecords', records);
    expect(await addresses()).toHaveLength(2);

    await payload(sandbox, 'shop', 'dns/changeRecords', records);
    expect(await addresses()).toEqual([{ value: '203.0.113.7', priority: 0 }]);

    await payload(sandbox, 'shop', 'dns/deleteRecords', records);
    expect(await addresses()).toBeUndefined();
  });

  it('of mailboxes, tasks and FTP accounts are kept', async () => {
    const mailbox = { domain: 'teapots.example', mailbox: 'orders' };
    const task = String((await payload(sandbox, 'shop', 'cron/getList'))[0].row_number);

    await payload(sandbox, 'shop', 'mail/setForward', { ...mailbox, forward_mailbox: 'x@y.example' });
    await payload(sandbox, 'shop', 'cron/edit', { row_number: task, hours: '5', command: 'true' });
    await payload(sandbox, 'shop', 'ftp/delete', { suffix: 'price' });

    const mailboxes = await payload(sandbox, 'shop', 'mail/getMailboxList', { domain: 'teapots.example' });
    expect(mailboxes[0].forward_mail_status).toBe('forward');
    const [edited] = await payload(sandbox, 'shop', 'cron/getList');
    expect(edited).toMatchObject({ minutes: '*/5', hours: '5', command: 'true' });
    expect(await payload(sandbox, 'shop', 'ftp/getList')).toHaveLength(1);
  });

  it('of a subdomain appear in the list of domains; deleting it removes its records, mailboxes and link', async () => {
    const fqdn = 'forum.teapots.example';
    const mailbox = { domain: fqdn, mailbox: 'hello' };
    const subdomain = expect.objectContaining({ fqdn, is_subdomain: 1 });
    const addAll = async () => {
      await payload(sandbox, 'shop', 'domain/addSubdomain', { fqdn });
      await payload(sandbox, 'shop', 'mail/createMailbox', { ...mailbox, mailbox_password: 'longenough' });
      await payload(sandbox, 'shop', 'site/add', { name: fqdn });
      const records = { 'records[0][type]': 'A', 'records[0][value]': '203.0.113.7' };
      await payload(sandbox, 'shop', 'dns/changeRecords', { fqdn, ...records });
    };
    const mailboxes = () => payload(sandbox, 'shop', 'mail/getMailboxList');
    const sites = () => payload(sandbox, 'shop', 'site/getList');

    await addAll();
    expect(await payload(sandbox, 'shop', 'domain/getList')).toContainEqual(subdomain);
    expect(await mailboxes()).toContainEqual(expect.objectContaining(mailbox));
    expect((await sites()).at(-1).domains).toEqual([expect.objectContaining({ fqdn })]);

    await payload(sandbox, 'shop', 'domain/deleteSubdomain', { fqdn });
    expect(await payload(sandbox, 'shop', 'domain/getList')).not.toContainEqual(subdomain);
    expect(await mailboxes()).not.toContainEqual(expect.objectContaining(mailbox));
    expect((await sites()).at(-1).domains).toEqual([]);

    await payload(sandbox, 'shop', 'domain/addSubdomain', { fqdn });
    const { records } = await payload(sandbox, 'shop', 'dns/getData', { fqdn });
    expect(records.A).not.toContainEqual({ value: '203.0.113.7', priority: 0 });
  });

  it('of forwarding and of the state of a task can be read back', async () => {
    const mailbox = { domain: 'teapots.example', mailbox: 'orders' };
    const [task] = await payload(sandbox, 'shop', 'cron/getList');
    const forward = { 'forward_mailbox[0]': 'x@y.example', 'forward_mailbox[1]': 'z@y.example' };

    await payload(sandbox, 'shop', 'mail/setForward', {
      ...mailbox,
      ...forward,
      forward_mail_status: 'forward_and_delete',
    });
    await payload(sandbox, 'shop', 'cron/edit', { row_number: String(task.row_number), is_hidden: '1' });

    expect(await payload(sandbox, 'shop', 'mail/getMailboxList')).toContainEqual({
      ...mailbox,
      spam_filter_status: 1,
      forward_mail_status: 'forward_and_delete',
      forward_mailbox: ['x@y.example', 'z@y.example'],
    });
    expect((await payload(sandbox, 'shop', 'cron/getList'))[0]).toEqual({ ...task, is_hidden: 1 });
    await payload(sandbox, 'shop', 'mail/setForward', mailbox);
    expect((await payload(sandbox, 'shop', 'mail/getMailboxList'))[0]).toMatchObject({
      forward_mail_status: 'no_forward',
      forward_mailbox: [],
    });
  });

  it('do not appear in the lists of older backups', async () => {
    const { backups } = sandbox.account('shop');
    const [newest, previous] = backups.databases;
    await payload(sandbox, 'shop', 'mysql/addDb', { db_name: 'shop_new', password: 'x' });
    now += day;

    const all: { backup_id: number; date: string; name: string }[] = await payload(
      sandbox,
      'shop',
      'backup/getMysqlList',
    );
    const old = await payload(sandbox, 'shop', 'backup/getMysqlList', { backup_id: String(previous?.id) });
    const latest = await payload(sandbox, 'shop', 'backup/getMysqlList', { backup_id: 'latest' });
    const files = await payload(sandbox, 'shop', 'backup/getFileList', { backup_id: String(backups.files[1]?.id) });

    expect(new Set(all.map(({ backup_id }) => backup_id))).toContain(newest?.id);
    expect(all.filter(({ name }) => name === 'shop_new').map(({ backup_id }) => backup_id)).toEqual([
      sandbox.account('shop').backups.databases[0]?.id,
    ]);
    expect(old.map(({ name }: { name: string }) => name)).toEqual(['shop_main', 'shop_wholesale', 'shop_stats']);
    expect(latest.map(({ name }: { name: string }) => name)).toContain('shop_new');
    expect(files[0]).toMatchObject({ backup_id: backups.files[1]?.id, name: 'teapots.example', is_dir: 1 });
    await payload(sandbox, 'shop', 'backup/restoreMysql', { db_name: 'shop_stats', backup_id: String(newest?.id) });
  });

  it('are refused beyond the limits of the plan', async () => {
    await payload(sandbox, 'blog', 'site/delete', { id: sandbox.account('blog').sites[0]?.id ?? '' });
    await payload(sandbox, 'blog', 'site/add', { name: 'second.example' });

    const { json } = await call(sandbox, 'blog', 'site/add', { name: 'third.example' });

    expect(json).toEqual({ status: 'error', error_code: 'METHOD_ERROR', error_text: 'The plan allows 2 sites' });
  });

  it('of a database are reverted by a restore', async () => {
    const [before] = await payload(sandbox, 'shop', 'mysql/getList');
    sandbox.account('shop').setDatabaseSize('shop_main', 1_000);
    await payload(sandbox, 'shop', 'mysql/deleteDb', { db_name: 'shop_stats' });

    await payload(sandbox, 'shop', 'backup/restoreMysql', { db_name: 'shop_main', backup_id: 'latest' });
    await payload(sandbox, 'shop', 'backup/restoreMysql', { db_name: 'shop_stats', backup_id: 'latest' });

    // The newest backup is some hours old, and the database grew 21 MB a day.
    expect(before.size).toBe('1.84 GB');
    expect((await payload(sandbox, 'shop', 'mysql/getList'))[0].size).toBe('1.83 GB');
    expect(await names()).toEqual(['shop_main', 'shop_wholesale', 'shop_stats']);
  });

  it('of files are reverted by a restore', async () => {
    const path = '/images.teapots.example';
    sandbox.account('shop').deleteSite('images.teapots.example');
    expect(await payload(sandbox, 'shop', 'site/getList')).toHaveLength(2);

    await payload(sandbox, 'shop', 'backup/restoreFile', { path, backup_id: 'latest' });

    expect(await payload(sandbox, 'shop', 'site/getList')).toHaveLength(3);
    expect(sandbox.account('shop').sites.map((site) => site.domains.map((domain) => domain.fqdn))).toContainEqual([
      'images.teapots.example',
    ]);
  });

  it('of files and databases are reverted to the backup with the given id', async () => {
    const [newest, previous] = sandbox.account('shop').backups.files;
    const [newestDatabases, previousDatabases] = sandbox.account('shop').backups.databases;
    const path = '/images.teapots.example';
    // The site and the database are gone in the newest backup, but not in the previous one.
    now = (previous?.madeAt ?? 0) + 1000;
    sandbox.account('shop').deleteSite('images.teapots.example');
    sandbox.account('shop').deleteDatabase('shop_stats');
    now = fixedNow;
    const restore = async (backup_id: string | number = '', databases: string | number = '') => [
      (await call(sandbox, 'shop', 'backup/restoreFile', { path, backup_id: String(backup_id) })).json.status,
      (
        await call(sandbox, 'shop', 'backup/restoreMysql', {
          db_name: 'shop_stats',
          backup_id: String(databases),
        })
      ).json.status,
    ];

    expect(await restore('latest', 'latest')).toEqual(['error', 'error']);
    expect(await restore(newest?.id, newestDatabases?.id)).toEqual(['error', 'error']);
    expect(await restore(previous?.id, previousDatabases?.id)).toEqual(['success', 'success']);

    expect(sandbox.account('shop').sites.map(({ name }) => name)).toContain('images.teapots.example');
    expect(await names()).toContain('shop_stats');
  });

  it('cannot restore a database that is newer than the backup', async () => {
    await payload(sandbox, 'shop', 'mysql/addDb', { db_name: 'shop_new', password: 'x' });
    const restore = { db_name: 'shop_new', backup_id: 'latest' };

    expect((await call(sandbox, 'shop', 'backup/restoreMysql', restore)).json.error_code).toBe('METHOD_ERROR');

    now += day;
    expect((await call(sandbox, 'shop', 'backup/restoreMysql', restore)).json.status).toBe('success');
  });

  it.each([
    ['mysql/getData', { db_name: 'nothing' }, 'METHOD_ERROR', 'There is no database nothing'],
    ['mysql/getData', {}, 'INCORRECT_REQUEST', 'The parameter db_name is missing'],
    ['mysql/addDb', { db_name: 'shop_main', password: 'x' }, 'METHOD_ERROR', 'The database shop_main already exists'],
    [
      'mysql/addDb',
      { db_name: 'a b', password: 'x' },
      'INCORRECT_REQUEST',
      'The name of a database must have 1 to 64 letters, digits, _ and -',
    ],
    ['stat/getSiteLoad', { site_id: '1' }, 'METHOD_ERROR', 'There is no site 1'],
    ['stat/getDbLoad', { db_name: '' }, 'INCORRECT_REQUEST', 'The parameter db_name is missing'],
    ['dns/getData', { fqdn: 'not-mine.example' }, 'METHOD_ERROR', 'There is no domain not-mine.example'],
    [
      'dns/addRecords',
      { fqdn: 'teapots.example', records: 'A' },
      'INCORRECT_REQUEST',
      'The parameter records must be a list such as records[0][...]',
    ],
    [
      'domain/changePhpVersion',
      { fqdn: 'teapots.example', php_version: '9.9' },
      'INCORRECT_REQUEST',
      'php_version must be one of 5.6, 7.0, 7.1, 7.2, 7.3, 7.4, 8.0, 8.1, 8.2, 8.3, 8.4',
    ],
    [
      'mail/createMailbox',
      { domain: 'teapots.example', mailbox: 'a', mailbox_password: 'weak' },
      'METHOD_ERROR',
      'The password is too weak: it needs at least 6 characters',
    ],
    ['backup/restoreMysql', { db_name: 'shop_main', backup_id: '1' }, 'METHOD_ERROR', 'There is no backup 1'],
    ['backup/getFileList', { backup_id: '1' }, 'METHOD_ERROR', 'There is no backup 1'],
    ['backup/getFileList', { path: '/nothing' }, 'METHOD_ERROR', 'There is no directory /nothing'],
    [
      'backup/restoreFile',
      { path: '/nothing', backup_id: 'latest' },
      'METHOD_ERROR',
      'The backup has no file /nothing',
    ],
    ['nothing/getList', {}, 'INCORRECT_REQUEST', 'No such method'],
    ['mysql', {}, 'INCORRECT_REQUEST', 'No such method'],
    ['mysql/constructor', {}, 'INCORRECT_REQUEST', 'No such method'],
  ])('%s with %o is refused as %s: %s', async (method, parameters, code, text) => {
    const { json } = await call(sandbox, 'shop', method, parameters as Record<string, string>);

    expect(json).toEqual({ status: 'error', error_code: code, error_text: text });
  });
});

describe('changes in the provider dialect', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox({ dialect: 'provider', clock: { now: () => fixedNow }, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  it('of a subdomain appear in its own list; deleting it removes its records and mailboxes', async () => {
    const [{ id: domain_id }] = await payload(sandbox, 'shop', 'domain/getList');
    const subdomain = { subdomain: 'forum', domain_id: String(domain_id) };
    const mailbox = { domain: 'forum.teapots.example', mailbox: 'hello', mailbox_password: 'longenough' };

    const id = await payload(sandbox, 'shop', 'domain/addSubdomainVirtual', subdomain);
    await payload(sandbox, 'shop', 'mail/createMailbox', mailbox);
    const list = await payload(sandbox, 'shop', 'domain/getSubdomainList');
    await payload(sandbox, 'shop', 'domain/deleteSubdomain', { id: String(id) });

    expect(list).toContainEqual({ id, fqdn: 'forum.teapots.example', domain_id });
    expect(await payload(sandbox, 'shop', 'domain/getSubdomainList')).toHaveLength(list.length - 1);
    expect(sandbox.account('shop').mailboxes.map(({ domain }) => domain)).not.toContain('forum.teapots.example');
    await payload(sandbox, 'shop', 'domain/addSubdomainVirtual', subdomain);
    const { domain } = mailbox;
    expect(await payload(sandbox, 'shop', 'mail/getMailboxList', { domain })).toEqual([]);
  });

  it('of forwarding and of the state of a task can be read back', async () => {
    const mailbox = { domain: 'teapots.example', mailbox: 'orders' };
    const [task] = await payload(sandbox, 'shop', 'cron/getList');

    await payload(sandbox, 'shop', 'mail/forwardListAddMailbox', { ...mailbox, forward_mailbox: 'x@y.example' });
    await payload(sandbox, 'shop', 'mail/changeMailboxSettings', {
      ...mailbox,
      spam_filter_status: '0',
      forward_mail_status: 'forward',
    });
    await payload(sandbox, 'shop', 'cron/changeHiddenState', { row_number: String(task.row_number), is_hidden: '1' });

    expect(await payload(sandbox, 'shop', 'mail/forwardListShow', mailbox)).toEqual([
      { forward_mailbox: 'x@y.example' },
    ]);
    expect((await payload(sandbox, 'shop', 'mail/getMailboxList', { domain: mailbox.domain }))[0]).toEqual({
      ...mailbox,
      spam_filter_status: 0,
      forward_mail_status: 'forward',
    });
    expect((await payload(sandbox, 'shop', 'cron/getList'))[0]).toEqual({ ...task, is_hidden: 1 });
  });

  it.each([
    ['mail/forwardListAddMailbox', { domain: 'teapots.example', mailbox: 'orders', forward_mailbox: 'nobody' }],
    ['domain/addSubdomainVirtual', { subdomain: 'a/b', domain_id: '{domain}' }],
    ['dns/getData', { fqdn: 'u@teapots.example:80' }],
    ['dns/changeRecords', { fqdn: 'teapots.example', 'records[A][0]': '203.0.113.7' }],
    ['dns/changeRecords', { fqdn: 'teapots.example', 'records[A][1][value]': '203.0.113.7' }],
    ['cron/setEmail', { email: 'nobody' }],
  ])('%s refuses invalid arguments', async (method, parameters) => {
    const [{ id }] = await payload(sandbox, 'shop', 'domain/getList');
    const filled = Object.entries(parameters).map(([name, value]) => [name, value.replace('{domain}', String(id))]);

    const { json } = await call(sandbox, 'shop', method, Object.fromEntries(filled));

    expect(json.answer.errors[0].error_code).toBe('INVALID_DATA');
  });

  it('of files are reverted, with the times in the backup with the given id', async () => {
    const path = '/teapots.example/public_html';
    const { backup_id } = (await payload(sandbox, 'shop', 'backup/getFileBackupList')).at(-1);
    const files = (selected: Record<string, string>): Promise<{ name: string; mtime: string }[]> =>
      payload(sandbox, 'shop', 'backup/getFileList', { path, ...selected });
    const [now, then] = [await files({}), await files({ backup_id: String(backup_id) })];
    const restored = then.filter(({ name }) => name === 'index.php' || name === 'robots.txt');

    await payload(sandbox, 'shop', 'backup/restoreFile', {
      backup_id: String(backup_id),
      'paths[0]': `${path}/index.php`,
      'paths[1]': `${path}/robots.txt`,
    });

    expect(now).not.toEqual(then);
    expect(await files({})).toEqual(now.map((file) => restored.find(({ name }) => name === file.name) ?? file));
  });

  it('do not appear in the lists of older backups', async () => {
    const [, previous] = await payload(sandbox, 'shop', 'backup/getMysqlBackupList');
    await payload(sandbox, 'shop', 'mysql/addDb', { suffix: 'new', password: 'x' });

    const backup_id = String(previous.backup_id);
    expect(await payload(sandbox, 'shop', 'backup/getMysqlList')).toContain('shop_new');
    expect(await payload(sandbox, 'shop', 'backup/getMysqlList', { backup_id })).not.toContain('shop_new');
  });
});
