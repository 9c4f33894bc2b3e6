import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** What is known of the backups of one kind. Undefined where the answer does not tell. */
export interface Backups {
  readonly count: number | undefined;
  /** Unix milliseconds. */
  readonly newest: number | undefined;
}

/** Anything but what was taken out. */
const given = z.any().refine((value) => value !== undefined);

/**
 * The answer of backup/getFileBackupList and backup/getMysqlBackupList: all backups, in no promised order. One whose
 * date makes no sense may be the newest, so that it is not read as one without a date.
 */
export const backupList = payloadSchema(({ list, date }) =>
  list(z.object({ date: given.pipe(date).exactOptional() })).transform(
    (backups): Backups => ({ count: backups.length, newest: newestOf(backups) }),
  ),
);

/**
 * The answer of backup/getFileList and backup/getMysqlList, which ask for what one backup holds. Only entries that are
 * backups themselves, with an id and a date, tell something of the backups.
 */
export const backupContents = payloadSchema(({ list, id, date }) => {
  const backup = z.object({ backup_id: id, date });
  return list(z.unknown()).transform((entries): Backups => {
    const backups = entries.flatMap((entry) => {
      const parsed = backup.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
    return { count: backups.length === 0 ? undefined : backups.length, newest: newestOf(backups) };
  });
});

function newestOf(backups: readonly { readonly date?: number | undefined }[]): number | undefined {
  const dates = backups.flatMap(({ date }) => (date === undefined ? [] : [date]));
  return dates.length === 0 ? undefined : Math.max(...dates);
}
