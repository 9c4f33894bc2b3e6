import { describe, expect, it } from 'vitest';
import { cronTasks } from '../../src/collectors/cron-tasks.ts';
import { databaseLoadDetail } from '../../src/collectors/database-load-detail.ts';
import { databases } from '../../src/collectors/databases.ts';
import { siteLoadDetail } from '../../src/collectors/site-load-detail.ts';
import { linesOf } from './collected.ts';

const site = { site_id: '7', site: 'blog' };
const database = { database: 'wp' };

describe('a value that the API does not report has no series', () => {
  it('such as the state of cron tasks', async () => {
    const linesFor = (...tasks: readonly unknown[]) =>
      linesOf(cronTasks, { 'cron/getList': { result: tasks }, 'cron/getEmail': { refuse: 'NO_SUCH_METHOD' } });

    expect(await linesFor({ is_hidden: 0 }, { is_hidden: 1 }, { is_hidden: 0 })).toEqual([
      'hosting_cron_tasks{account="shop",state="enabled"} 2',
      'hosting_cron_tasks{account="shop",state="disabled"} 1',
    ]);
    expect(await linesFor({ is_hidden: 0 }, {})).toEqual([]);
  });

  it('such as the size, user and hosts of a database', async () => {
    const result = [{ name: 'wp', size: 2, user: 'u', accesses: [{ name: 'db.example' }] }, { name: 'old' }];

    expect(await linesOf(databases, { 'mysql/getList': { result } })).toEqual([
      'hosting_databases{account="shop"} 2',
      'hosting_database_size_bytes{account="shop",database="wp"} 2000000',
      'hosting_database_remote_accesses{account="shop",database="wp"} 1',
      'hosting_database_info{account="shop",database="wp",user="u"} 1',
    ]);
  });

  it('such as the load of a site in hours and days that have not ended', async () => {
    const linesFor = (result: unknown) => linesOf(siteLoadDetail, { 'stat/getSiteLoad': { result } }, site);

    expect(await linesFor({ hours: [{ date: '2026-06-03 18:00:00', value: 3 }] })).toEqual([
      'hosting_site_load_hourly{account="shop",site_id="7",site="blog"} 3',
      'hosting_site_load_hourly_timestamp_seconds{account="shop",site_id="7",site="blog"} 1780509600',
    ]);
    expect(await linesFor({ days: [{ date: '2026-06-02', value: 4 }] })).toEqual([
      'hosting_site_load_daily{account="shop",site_id="7",site="blog"} 4',
      'hosting_site_load_daily_timestamp_seconds{account="shop",site_id="7",site="blog"} 1780358400',
      'hosting_site_load_recent_average{account="shop",site_id="7",site="blog"} 1.3333333333333333',
    ]);
    expect(await linesFor({ hours: [{ date: '2026-06-03 19:00:00', value: 3 }] })).toEqual([]);
  });

  it('such as the load of a database in hours and days that have not ended, and its size', async () => {
    const linesFor = (result: unknown) => linesOf(databaseLoadDetail, { 'stat/getDbLoad': { result } }, database);

    expect(await linesFor({ size_days: [{ date: '2026-06-02', size: '5' }] })).toEqual([
      'hosting_database_size_daily_bytes{account="shop",database="wp"} 5',
      'hosting_database_size_daily_timestamp_seconds{account="shop",database="wp"} 1780358400',
    ]);
    expect(await linesFor({ days: [{ date: '2026-06-03', cpu_time: 3 }] })).toEqual([]);
  });
});
