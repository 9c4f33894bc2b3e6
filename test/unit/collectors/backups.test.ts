import { expect, it } from 'vitest';
import { backups } from '../../../src/collectors/backups.ts';
import { failureOf } from '../../fixtures/api-client.ts';
import { linesOf, payloadOf } from './collected.ts';

const files = { kind: 'files' };
const contents = [
  { backup_id: 7, date: '2026-06-03 01:00:00' },
  { backup_id: 7, date: '2026-06-03 01:00:00' },
  { backup_id: 5, date: '2026-06-01 01:00:00' },
];

it('exports the number of backups and the date of the newest one', async () => {
  const result = [{ date: '2026-06-02 01:00:00' }, { date: '2026-06-03 01:00:00' }];

  const lines = await linesOf(backups, { 'backup/getFileBackupList': { result } }, files);

  expect(lines).toEqual([
    'hosting_backups{account="shop",kind="files"} 2',
    'hosting_backup_last_timestamp_seconds{account="shop",kind="files"} 1780448400',
  ]);
});

it('exports no date if there are no backups', async () => {
  expect(await linesOf(backups, {}, { kind: 'databases' })).toEqual([
    'hosting_backups{account="shop",kind="databases"} 0',
  ]);
});

it('reads the contents of the backups if the API refuses their list', async () => {
  const refuse = { refuse: 'ACCESS_DENIED' };

  const lines = await linesOf(
    backups,
    { 'backup/getFileBackupList': refuse, 'backup/getFileList': { result: contents } },
    files,
  );

  expect(lines).toEqual([
    'hosting_backups{account="shop",kind="files"} 2',
    'hosting_backup_last_timestamp_seconds{account="shop",kind="files"} 1780448400',
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

it('exports nothing if the API has no list and the contents name no backup', async () => {
  const answers = {
    'backup/getFileBackupList': { refuse: 'NO_SUCH_METHOD' },
    'backup/getFileList': { result: [{ name: 'a' }] },
  };

  expect(await linesOf(backups, answers, files)).toEqual([]);
});
