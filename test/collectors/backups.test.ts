import { describe, expect, it } from 'vitest';
import { backups } from '../../src/collectors/backups.ts';
import { failureOf } from '../fixtures/api-client.ts';
import { linesOf, payloadOf } from './collected.ts';

const files = { kind: 'files' };

it('exports no date if there are no backups', async () => {
  expect(await linesOf(backups, {}, { kind: 'databases' })).toEqual([
    'hosting_backups{account="shop",kind="databases"} 0',
  ]);
});

it('fails with the refusal of the list if the contents name no backup', async () => {
  const answers = {
    'backup/getFileBackupList': { refuse: 'INTERNAL', text: 'no list today' },
    'backup/getFileList': { result: [{ name: 'a' }] },
  };

  const failure = await failureOf(payloadOf(backups, answers, files));

  expect(failure).toMatchObject({
    code: 'INTERNAL',
    message: expect.stringMatching(/^backup\/getFileBackupList: .*no list today/),
  });
});

describe('restores and downloads', () => {
  const job = {
    id: 1,
    operation: 'restore',
    type: 'restore_mysql',
    date_create: '2026-06-02 01:00:00',
    status: 'success',
  };
  const jobLines = async (jobs: readonly unknown[], kind: string) => {
    const lines = await linesOf(backups, { 'backup/getLog': { result: jobs } }, { kind });
    return lines.filter((line) => line.startsWith('hosting_backup_job'));
  };

  it('of a kind are counted by operation and status, with the time of the newest request', async () => {
    const jobs = [
      { ...job, id: 2, date_create: '2026-06-01 01:00:00' },
      { ...job, id: 3, date_create: '2026-06-03 01:00:00' },
      job,
      { ...job, id: 4, status: 'error' },
      { ...job, id: 5, operation: 'download', type: 'download_mysql' },
      { ...job, id: 6, type: 'restore_file' },
      { ...job, id: 7, type: 'restore_mail' },
    ];

    expect(await jobLines(jobs, 'databases')).toEqual([
      'hosting_backup_jobs{account="shop",kind="databases",operation="restore",status="success"} 3',
      'hosting_backup_jobs{account="shop",kind="databases",operation="restore",status="error"} 1',
      'hosting_backup_jobs{account="shop",kind="databases",operation="download",status="success"} 1',
      'hosting_backup_job_last_timestamp_seconds{account="shop",kind="databases",operation="restore",status="success"} 1780448400',
      'hosting_backup_job_last_timestamp_seconds{account="shop",kind="databases",operation="restore",status="error"} 1780362000',
      'hosting_backup_job_last_timestamp_seconds{account="shop",kind="databases",operation="download",status="success"} 1780362000',
    ]);
    expect(await jobLines(jobs, 'files')).toEqual([
      'hosting_backup_jobs{account="shop",kind="files",operation="restore",status="success"} 1',
      'hosting_backup_job_last_timestamp_seconds{account="shop",kind="files",operation="restore",status="success"} 1780362000',
    ]);
  });

  it('without a status or a date have an empty status and no time', async () => {
    expect(await jobLines([{ ...job, status: null, date_create: 0 }], 'databases')).toEqual([
      'hosting_backup_jobs{account="shop",kind="databases",operation="restore",status=""} 1',
    ]);
  });

  it('are unknown if the API lists no backups', async () => {
    const answers = { 'backup/getLog': { refuse: 'NO_SUCH_METHOD' } };

    expect(await linesOf(backups, answers, files)).toEqual(['hosting_backups{account="shop",kind="files"} 0']);
  });

  it('leave no path and no name of a database in the payload', async () => {
    const answers = { 'backup/getLog': { result: [{ ...job, target_list: ['shop_secret'] }] } };

    expect(JSON.stringify(await payloadOf(backups, answers, { kind: 'databases' }))).not.toContain('shop_secret');
  });
});
