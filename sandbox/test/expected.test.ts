import { beforeAll, describe, expect, it } from 'vitest';
import { dialects } from '../src/dialect.ts';
import { type Sandbox, startSandbox } from '../src/server.ts';
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

const readRows = (rows: readonly LoadRow[]) =>
  rows.map((row) => [row.date, Number(row.value ?? row.cpu_time ?? row.size)]);

const expectedRows = (rows: readonly { readonly date: string; readonly value: number }[]) =>
  rows.map(({ date, value }) => [date, value]);

type Loaded = { readonly load: { readonly average: number } };

const byAverage = (one: Loaded, other: Loaded) => other.load.average - one.load.average;

describe.each(dialects)('answers in the %s dialect', (dialect) => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({ dialect, clock: fixedClock, requestsPerMinute: 0, timeZone: 'Europe/Moscow' });
    return () => sandbox.close();
  });

  it.each(logins)('match the expected account information of %s', async (login) => {
    const account = sandbox.account(login);

    const info = await payload(sandbox, login, 'user/getAccountInfo');

    if (dialect === 'specification') {
      const limit = info.disk_limit === '2147483647 MB' ? undefined : readSize(info.disk_limit);
      expect(`${info.disk_usage} ${info.disk_limit}`).toMatch(/^(?:\d+(?:\.\d+)? [KMGT]?B ?){2}$/);
      expect([info.tariff, info.server]).toEqual([account.plan, account.server]);
      expect([readSize(info.disk_usage), limit]).toEqual([account.diskUsageBytes, account.diskLimitBytes]);
      expect(account.details).toBeUndefined();
      return;
    }
    expect([info.user_quota * 1e6, info.plan_quota * 1e6]).toEqual([
      account.diskUsageBytes,
      account.diskLimitBytes ?? 0,
    ]);
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
      serverSoftware: Object.fromEntries(
        ['apache', 'mysql', 'nginx', 'perl', 'php', 'python'].map((name) => [
          name,
          info[`server_${name}_version`].trim(),
        ]),
      ),
    });
  });

  it.each(logins)('match the expected databases of %s', async (login) => {
    const { databases } = sandbox.account(login);

    type Database = { name: string; size: string; user?: string; accesses?: { name: string }[] };
    const list: Database[] = await payload(sandbox, login, 'mysql/getList');
    const averages: { name: string; cp: string }[] = await payload(sandbox, login, 'stat/getDbListLoad');

    expect(
      list.map(({ name, user, size, accesses }) => [name, user, readSize(size), accesses && accesses.length - 1]),
    ).toEqual(databases.map((one) => [one.name, one.user, one.sizeBytes, one.remoteAccesses]));
    expect(averages.map(({ name, cp }) => [name, Number(cp)])).toEqual(
      databases.toSorted(byAverage).map(({ name, load }) => [name, load.average]),
    );
    for (const { name, load, sizes } of databases.slice(0, 5)) {
      const answer = await payload(sandbox, login, 'stat/getDbLoad', { db_name: name });
      const rows = [readRows(answer.hours), readRows(answer.days), readRows(answer.size_days)];
      expect(rows).toEqual([expectedRows(load.hours), expectedRows(load.days), expectedRows(sizes)]);
    }
  });

  it.each(logins)('match the expected sites of %s', async (login) => {
    const { sites } = sandbox.account(login);

    type ListedSite = { id: unknown; path: string; domains: { fqdn: string }[] };
    const list: ListedSite[] = await payload(sandbox, login, 'site/getList');
    type Average = { name: string; id: unknown; cp: string };
    const averages: Average[] = await payload(sandbox, login, 'stat/getSitesListLoad');

    expect(list.map(({ id, path, domains }) => [String(id), path, domains.map(({ fqdn }) => fqdn)])).toEqual(
      sites.map(({ id, name, domains }) => [id, `${name}/public_html`, domains.map(({ fqdn }) => fqdn)]),
    );
    expect(averages.map(({ id, name, cp }) => [String(id), name, Number(cp)])).toEqual(
      sites.toSorted(byAverage).map(({ id, name, load }) => [id, name, load.average]),
    );
    for (const { id, load } of sites.slice(0, 5)) {
      const answer = await payload(sandbox, login, 'stat/getSiteLoad', { site_id: id });
      expect([readRows(answer.hours), readRows(answer.days)]).toEqual([
        expectedRows(load.hours),
        expectedRows(load.days),
      ]);
    }
  });

  it.each(logins)('match the expected domains, mailboxes, FTP accounts and tasks of %s', async (login) => {
    const account = sandbox.account(login);

    type Domain = { fqdn: string; date_expire: string | 0 | null; auto_renew: unknown; is_under_control: number };
    const list: (Domain & { is_subdomain?: number })[] = await payload(sandbox, login, 'domain/getList');
    const listed = list.filter(({ is_subdomain }) => is_subdomain === 1);
    const subdomains: { fqdn: string }[] =
      dialect === 'provider' ? await payload(sandbox, login, 'domain/getSubdomainList') : listed;
    const tasks: { row_number: unknown; is_hidden: unknown }[] = await payload(sandbox, login, 'cron/getList');

    const domains = list.filter((one) => !listed.includes(one));
    const expiryOf = (date: string | 0 | null) => (date ? Date.parse(`${date}T00:00:00+03:00`) : undefined);
    expect(
      domains.map((one) => [
        one.fqdn,
        expiryOf(one.date_expire),
        one.auto_renew === true || one.auto_renew === '1',
        one.is_under_control === 1,
      ]),
    ).toEqual(account.domains.map((one) => [one.fqdn, one.expiresAt, one.autoRenew, one.underControl]));
    expect(subdomains.map(({ fqdn }) => fqdn)).toEqual(account.subdomains);
    expect(tasks.map((task) => [String(task.row_number), Number(task.is_hidden) === 1])).toEqual(
      account.cronTasks.map((task) => [task.id, task.disabled]),
    );
    expect(await payload(sandbox, login, 'ftp/getList')).toEqual(account.ftpAccounts);
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

it('two sandboxes at the same moment give the same answers', async () => {
  const options = { dialect: 'provider', clock: fixedClock } as const;
  const [one, other] = [await startSandbox(options), await startSandbox(options)];

  for (const method of ['user/getAccountInfo', 'stat/getSitesListLoad', 'mysql/getList', 'domain/getList']) {
    expect(await payload(one, 'agency', method)).toEqual(await payload(other, 'agency', method));
  }
  await Promise.all([one.close(), other.close()]);
});
