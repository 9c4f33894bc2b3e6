import { describe, expect, it } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { fixedClock, fixedNow, payload } from './api-caller.ts';

const logins = ['blog', 'shop', 'agency', 'unlimited'] as const;

/** An independent parser of the answers, written from the API documentation. */
function readSize(text: string): number {
  const factors = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
  const [number = '', unit = 'MB'] = text.split(' ');
  return Math.round(Number(number) * factors[unit as keyof typeof factors]);
}

function readLimit(value: unknown): number | undefined {
  const limit = Number(value ?? 0);
  return limit <= 0 || limit === 2_147_483_647 ? undefined : limit;
}

interface LoadRow {
  readonly date: string;
  readonly value?: string;
  readonly cpu_time?: string;
  readonly size?: string;
}

function readRows(rows: readonly LoadRow[]): unknown {
  return rows.map((row) => [row.date, Number(row.value ?? row.cpu_time ?? row.size)]);
}

describe.each(['specification', 'provider'] as const)('answers in the %s dialect', (dialect) => {
  const options: SandboxOptions = { dialect, clock: fixedClock, requestsPerMinute: 0, timeZone: 'Europe/Moscow' };

  it.each(logins)('match the expected account information of %s', async (login) => {
    const sandbox = await startSandbox(options);
    const account = sandbox.account(login);

    const info = await payload(sandbox, login, 'user/getAccountInfo');

    if (dialect === 'specification') {
      expect([info.disk_usage, info.disk_limit]).toEqual(
        Array(2).fill(expect.stringMatching(/^\d+(?:\.\d+)? [KMGT]?B$/)),
      );
      expect({
        plan: info.tariff,
        server: info.server,
        usage: readSize(info.disk_usage),
        limit: info.disk_limit === '2147483647 MB' ? undefined : readSize(info.disk_limit),
      }).toEqual({
        plan: account.plan,
        server: account.server,
        usage: account.diskUsageBytes,
        limit: account.diskLimitBytes,
      });
      expect(account.details).toBeUndefined();
    } else {
      expect(Number(info.user_quota) * 1e6).toBe(account.diskUsageBytes);
      expect((readLimit(info.plan_quota) ?? Number.NaN) * 1e6).toBe(account.diskLimitBytes ?? Number.NaN);
      expect(account.details).toEqual({
        sites: info.user_sites,
        sitesLimit: readLimit(info.plan_site),
        domains: info.user_domains,
        domainsLimit: readLimit(info.plan_domain),
        databasesLimit: readLimit(info.plan_mysql),
        databasesSizeBytes: info.user_mysqlsize * 1e6,
        mailboxes: info.user_mail,
        mailboxesLimit: readLimit(info.plan_mail),
        ftpAccounts: info.user_ftp,
        ftpAccountsLimit: readLimit(info.plan_ftp),
        loadLimit: readLimit(info.plan_cp),
        balance: info.user_balance,
        dailyCharge: Number(info.user_rate_current),
        daysToBlock: info.user_days_to_block,
        serverLoadAverage: Number(info.server_loadaverage),
        serverMemoryBytes: Number(info.server_memory) * 1024 ** 2,
        serverMemoryUsedBytes: info.server_memorycurrent * 1024 ** 2,
        serverUptimeSeconds: Number(info.server_uptime) * 86_400,
        serverSoftware: {
          apache: info.server_apache_version.trim(),
          mysql: info.server_mysql_version,
          nginx: info.server_nginx_version,
          perl: info.server_perl_version,
          php: info.server_php_version,
          python: info.server_python_version,
        },
      });
    }
    await sandbox.close();
  });

  it.each(logins)('match the expected databases of %s', async (login) => {
    const sandbox = await startSandbox(options);
    const expected = sandbox.account(login).databases;

    const list: { name: string; size: string; user?: string; accesses?: { name: string }[] }[] = await payload(
      sandbox,
      login,
      'mysql/getList',
    );
    const averages: { name: string; cp: string }[] = await payload(sandbox, login, 'stat/getDbListLoad');

    const remote = (accesses: { name: string }[]) => accesses.filter(({ name }) => name !== 'localhost').length;
    expect(list.map((db) => [db.name, db.user, readSize(db.size), db.accesses && remote(db.accesses)])).toEqual(
      expected.map((db) => [db.name, db.user, db.sizeBytes, db.remoteAccesses]),
    );
    expect(new Map(averages.map((db) => [db.name, Number(db.cp)]))).toEqual(
      new Map(expected.toSorted((a, b) => b.load.average - a.load.average).map((db) => [db.name, db.load.average])),
    );
    for (const database of expected.slice(0, 5)) {
      const load = await payload(sandbox, login, 'stat/getDbLoad', { db_name: database.name });
      expect(readRows(load.hours)).toEqual(database.load.hours.map((row) => [row.date, row.value]));
      expect(readRows(load.days)).toEqual(database.load.days.map((row) => [row.date, row.value]));
      expect(readRows(load.size_days)).toEqual(database.sizes.map((row) => [row.date, row.value]));
    }
    await sandbox.close();
  });

  it.each(logins)('match the expected sites of %s', async (login) => {
    const sandbox = await startSandbox(options);
    const account = sandbox.account(login);

    const list: { id: unknown; path: string; domains: { fqdn: string }[] }[] = await payload(
      sandbox,
      login,
      'site/getList',
    );
    const averages: { name: string; id: unknown; cp: string }[] = await payload(
      sandbox,
      login,
      'stat/getSitesListLoad',
    );

    expect(list.map((site) => [String(site.id), site.path, site.domains.map((domain) => domain.fqdn)])).toEqual(
      account.sites.map((site) => [site.id, `${site.name}/public_html`, site.domains.map((domain) => domain.fqdn)]),
    );
    expect(averages.map((site) => [String(site.id), site.name, Number(site.cp)])).toEqual(
      account.sites
        .toSorted((a, b) => b.load.average - a.load.average)
        .map((site) => [site.id, site.name, site.load.average]),
    );
    for (const site of account.sites.slice(0, 5)) {
      const load = await payload(sandbox, login, 'stat/getSiteLoad', { site_id: site.id });
      expect(readRows(load.hours)).toEqual(site.load.hours.map((row) => [row.date, row.value]));
      expect(readRows(load.days)).toEqual(site.load.days.map((row) => [row.date, row.value]));
    }
    await sandbox.close();
  });

  it.each(logins)('match the expected domains, mailboxes, FTP accounts and tasks of %s', async (login) => {
    const sandbox = await startSandbox(options);
    const account = sandbox.account(login);

    const list: {
      fqdn: string;
      date_expire: string | 0 | null;
      auto_renew: unknown;
      is_under_control: number;
      is_subdomain?: number;
    }[] = await payload(sandbox, login, 'domain/getList');
    const domains = list.filter(({ is_subdomain = 0 }) => is_subdomain === 0);
    const subdomains: { fqdn: string }[] =
      dialect === 'provider'
        ? await payload(sandbox, login, 'domain/getSubdomainList')
        : list.filter(({ is_subdomain }) => is_subdomain === 1);
    const tasks: { row_number: unknown; is_hidden: unknown }[] = await payload(sandbox, login, 'cron/getList');

    expect(
      domains.map(({ fqdn, date_expire, auto_renew, is_under_control }) => [
        fqdn,
        date_expire ? Date.parse(`${date_expire}T00:00:00+03:00`) : undefined,
        auto_renew === true || auto_renew === '1',
        is_under_control === 1,
      ]),
    ).toEqual(
      account.domains.map(({ fqdn, expiresAt, autoRenew, underControl }) => [fqdn, expiresAt, autoRenew, underControl]),
    );
    expect(subdomains.map(({ fqdn }) => fqdn)).toEqual(account.subdomains);
    expect(tasks.map((task) => [String(task.row_number), Number(task.is_hidden) === 1])).toEqual(
      account.cronTasks.map((task) => [task.id, task.disabled]),
    );
    expect(await payload(sandbox, login, 'ftp/getList')).toEqual(account.ftpAccounts);
    if (dialect === 'specification') {
      expect(await payload(sandbox, login, 'mail/getMailboxList')).toHaveLength(account.mailboxes.length);
    }
    await sandbox.close();
  });
});

describe('a day', () => {
  it('changes usage, billing, backups and load', async () => {
    let now = fixedNow;
    const sandbox = await startSandbox({ dialect: 'provider', clock: { now: () => now } });
    const shop = sandbox.account('shop');
    const before = {
      ...shop,
      usage: shop.diskUsageBytes,
      details: shop.details,
      backups: shop.backups,
      sites: shop.sites,
    };

    now += 86_400_000;
    await sandbox.close();

    expect(before.usage).toBe(13_400_000_000);
    expect(shop.diskUsageBytes).toBe(18_600_000_000);
    expect(before.details?.daysToBlock).toBe(19);
    expect(shop.details?.daysToBlock).toBe(18);
    expect(shop.details?.balance).toBe(600.45);
    expect((shop.backups.files[0]?.madeAt ?? 0) - (before.backups.files[0]?.madeAt ?? 0)).toBeGreaterThan(60_000_000);
    expect(shop.sites[0]?.load.hours.at(-1)?.date).toBe('2026-03-17 14:00:00');
    expect(shop.sites[0]?.load.average).not.toBe(before.sites[0]?.load.average);
  });

  it('takes 24 minutes at speed 60, while dates follow the clock', async () => {
    let now = fixedNow;
    const sandbox = await startSandbox({ clock: { now: () => now }, speed: 60 });
    const shop = sandbox.account('shop');

    now += 24 * 60_000;
    await sandbox.close();

    expect(shop.diskUsageBytes).toBe(18_600_000_000);
    expect(shop.sites[0]?.load.hours.at(-1)?.date).toBe('2026-03-16 14:00:00');
    expect(shop.sites[0]?.load.days.at(-1)?.date).toBe('2026-03-16');
  });

  it('does not fill a disk beyond its limit', async () => {
    let now = fixedNow;
    const sandbox = await startSandbox({ clock: { now: () => now } });

    now += 30 * 86_400_000;
    await sandbox.close();

    expect(sandbox.account('shop').diskUsageBytes).toBe(20_000_000_000);
  });
});

describe('two sandboxes at the same moment', () => {
  it('give the same answers', async () => {
    const sandboxes = [
      await startSandbox({ dialect: 'provider', clock: fixedClock }),
      await startSandbox({ dialect: 'provider', clock: fixedClock }),
    ];

    const answers = await Promise.all(
      sandboxes.map(async (sandbox) => ({
        info: await payload(sandbox, 'agency', 'user/getAccountInfo'),
        sites: await payload(sandbox, 'agency', 'stat/getSitesListLoad'),
        databases: await payload(sandbox, 'agency', 'mysql/getList'),
        domains: await payload(sandbox, 'agency', 'domain/getList'),
      })),
    );
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));

    expect(answers[0]).toEqual(answers[1]);
  });
});
