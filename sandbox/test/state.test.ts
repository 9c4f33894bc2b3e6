import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { call, fixedNow, payload } from './api-caller.ts';

const day = 86_400_000;
let sandbox: Sandbox;

/** The payload of a successful call of `shop`. */
const shop = (method: string, parameters?: Record<string, string>) => payload(sandbox, 'shop', method, parameters);

describe('changes', () => {
  let now = fixedNow;

  beforeEach(async () => {
    now = fixedNow;
    sandbox = await startSandbox({ clock: { now: () => now }, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  const names = async () => (await shop('mysql/getList')).map((db: { name: string }) => db.name);

  it('by methods of the account appear in the answers', async () => {
    const account = sandbox.account('shop');

    account.deleteSite('images.teapots.example');
    account.addSite('later.example');
    account.addDatabase({ name: 'shop_big', size: 12_340_000_000 });
    account.setDatabaseSize('shop_main', 5_000);
    account.setDiskUsage(1_250_000_000);
    account.setDiskLimit(undefined);

    const sites = await shop('site/getList');
    expect(sites.map((site: { path: string }) => site.path)).toEqual([
      'teapots.example/public_html',
      'teapots-wholesale.example/public_html',
      'later.example/public_html',
    ]);
    const databases = await shop('mysql/getList');
    expect(databases).toContainEqual({ name: 'shop_big', size: '12.34 GB', user: 'shop_big' });
    expect(databases).toContainEqual({ name: 'shop_main', size: '5 KB', user: 'shop_main' });
    expect(await shop('user/getAccountInfo')).toMatchObject({
      disk_usage: '1.25 GB',
      disk_limit: '2147483647 MB',
    });
  });

  it('can set the disk usage above the limit, where it stops growing', async () => {
    const account = sandbox.account('shop');

    account.setDiskUsage(25_000_000_000, 1_000_000_000);
    now += day;

    expect((await shop('user/getAccountInfo')).disk_usage).toBe('25 GB');
    account.setDiskLimit(undefined);
    expect((await shop('user/getAccountInfo')).disk_usage).toBe('26 GB');
  });

  it('of a subdomain appear in the list of domains; deleting it removes its records, mailboxes and link', async () => {
    const fqdn = 'forum.teapots.example';
    const mailbox = { domain: fqdn, mailbox: 'hello' };
    const subdomain = expect.objectContaining({ fqdn, is_subdomain: 1 });
    const addAll = async () => {
      await shop('domain/addSubdomain', { fqdn });
      await shop('mail/createMailbox', { ...mailbox, mailbox_password: 'longenough' });
      await shop('site/add', { name: fqdn });
      const records = { 'records[0][type]': 'A', 'records[0][value]': '203.0.113.7' };
      await shop('dns/changeRecords', { fqdn, ...records });
    };
    const mailboxes = () => shop('mail/getMailboxList');
    const sites = () => shop('site/getList');

    await addAll();
    expect(await shop('domain/getList')).toContainEqual(subdomain);
    expect(await mailboxes()).toContainEqual(expect.objectContaining(mailbox));
    expect((await sites()).at(-1).domains).toEqual([expect.objectContaining({ fqdn })]);

    await shop('domain/deleteSubdomain', { fqdn });
    expect(await shop('domain/getList')).not.toContainEqual(subdomain);
    expect(await mailboxes()).not.toContainEqual(expect.objectContaining(mailbox));
    expect((await sites()).at(-1).domains).toEqual([]);

    await shop('domain/addSubdomain', { fqdn });
    const { records } = await shop('dns/getData', { fqdn });
    expect(records.A).not.toContainEqual({ value: '203.0.113.7', priority: 0 });
  });

  it('of forwarding end without addresses, and keep copies by default', async () => {
    const mailbox = { domain: 'teapots.example', mailbox: 'orders' };
    const first = async () => (await shop('mail/getMailboxList'))[0];

    await shop('mail/setForward', { ...mailbox, forward_mailbox: 'x@y.example' });
    expect(await first()).toMatchObject({ forward_mail_status: 'forward', forward_mailbox: ['x@y.example'] });
    await shop('mail/setForward', mailbox);
    expect(await first()).toMatchObject({ forward_mail_status: 'no_forward', forward_mailbox: [] });
  });

  it('do not appear in the lists of older backups', async () => {
    const { backups } = sandbox.account('shop');
    const [newest, previous] = backups.databases;
    await shop('mysql/addDb', { db_name: 'shop_new', password: 'x' });
    now += day;

    const all: { backup_id: number; date: string; name: string }[] = await shop('backup/getMysqlList');
    const old = await shop('backup/getMysqlList', { backup_id: String(previous?.id) });
    const latest = await shop('backup/getMysqlList', { backup_id: 'latest' });
    const files = await shop('backup/getFileList', { backup_id: String(backups.files[1]?.id) });

    expect(new Set(all.map(({ backup_id }) => backup_id))).toContain(newest?.id);
    expect(all.filter(({ name }) => name === 'shop_new').map(({ backup_id }) => backup_id)).toEqual([
      sandbox.account('shop').backups.databases[0]?.id,
    ]);
    expect(old.map(({ name }: { name: string }) => name)).toEqual(['shop_main', 'shop_wholesale', 'shop_stats']);
    expect(latest.map(({ name }: { name: string }) => name)).toContain('shop_new');
    expect(files[0]).toMatchObject({ backup_id: backups.files[1]?.id, name: 'teapots.example', is_dir: 1 });
    await shop('backup/restoreMysql', { db_name: 'shop_stats', backup_id: String(newest?.id) });
  });

  it('are refused beyond the limits of the plan', async () => {
    await payload(sandbox, 'blog', 'site/delete', { id: sandbox.account('blog').sites[0]?.id ?? '' });
    await payload(sandbox, 'blog', 'site/add', { name: 'second.example' });

    const { json } = await call(sandbox, 'blog', 'site/add', { name: 'third.example' });

    expect(json).toEqual({ status: 'error', error_code: 'METHOD_ERROR', error_text: 'The plan allows 2 sites' });
  });

  it('of a database are reverted by a restore', async () => {
    const [before] = await shop('mysql/getList');
    sandbox.account('shop').setDatabaseSize('shop_main', 1_000);
    await shop('mysql/deleteDb', { db_name: 'shop_stats' });

    await shop('backup/restoreMysql', { db_name: 'shop_main', backup_id: 'latest' });
    await shop('backup/restoreMysql', { db_name: 'shop_stats', backup_id: 'latest' });

    // The newest backup is some hours old, and the database grows 21 MB a day.
    expect(before.size).toBe('1.84 GB');
    expect((await shop('mysql/getList'))[0].size).toBe('1.83 GB');
    expect(await names()).toEqual(['shop_main', 'shop_wholesale', 'shop_stats']);
    now += 10 * day;
    expect((await shop('mysql/getList'))[0].size).toBe('2.04 GB');
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
    const status = async (method: string, parameters: Record<string, string>) =>
      (await call(sandbox, 'shop', `backup/${method}`, parameters)).json.status;
    const restore = async (files: string | number = '', databases: string | number = '') => [
      await status('restoreFile', { path, backup_id: String(files) }),
      await status('restoreMysql', { db_name: 'shop_stats', backup_id: String(databases) }),
    ];

    expect(await restore('latest', 'latest')).toEqual(['error', 'error']);
    expect(await restore(newest?.id, newestDatabases?.id)).toEqual(['error', 'error']);
    expect(await restore(previous?.id, previousDatabases?.id)).toEqual(['success', 'success']);

    expect(sandbox.account('shop').sites.map(({ name }) => name)).toContain('images.teapots.example');
    expect(await names()).toContain('shop_stats');
  });

  it('cannot restore a database that is newer than the backup', async () => {
    await shop('mysql/addDb', { db_name: 'shop_new', password: 'x' });
    const restore = { db_name: 'shop_new', backup_id: 'latest' };

    expect((await call(sandbox, 'shop', 'backup/restoreMysql', restore)).json.error_code).toBe('METHOD_ERROR');

    now += day;
    expect((await call(sandbox, 'shop', 'backup/restoreMysql', restore)).json.status).toBe('success');
  });
});

describe('changes in the provider dialect', () => {
  beforeEach(async () => {
    sandbox = await startSandbox({ dialect: 'provider', clock: { now: () => fixedNow }, requestsPerMinute: 0 });
  });

  afterEach(() => sandbox.close());

  it('of files are reverted, with the times in the backup with the given id', async () => {
    const path = '/teapots.example/public_html';
    const { backup_id } = (await shop('backup/getFileBackupList')).at(-1);
    const files = (selected: Record<string, string>): Promise<{ name: string; mtime: string }[]> =>
      shop('backup/getFileList', { path, ...selected });
    const [now, then] = [await files({}), await files({ backup_id: String(backup_id) })];
    const restored = then.filter(({ name }) => name === 'index.php' || name === 'robots.txt');

    await shop('backup/restoreFile', {
      backup_id: String(backup_id),
      'paths[0]': `${path}/index.php`,
      'paths[1]': `${path}/robots.txt`,
    });

    expect(now).not.toEqual(then);
    expect(await files({})).toEqual(now.map((file) => restored.find(({ name }) => name === file.name) ?? file));
  });

  it('do not appear in the lists of older backups', async () => {
    const [, previous] = await shop('backup/getMysqlBackupList');
    await shop('mysql/addDb', { suffix: 'new', password: 'x' });

    const backup_id = String(previous.backup_id);
    expect(await shop('backup/getMysqlList')).toContain('shop_new');
    expect(await shop('backup/getMysqlList', { backup_id })).not.toContain('shop_new');
  });
});
