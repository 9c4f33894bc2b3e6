import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** Rejects a date that is undefined, because `readPayload` sets invalid dates to undefined. A backup without the field is valid. */
const notRemoved = z.any().refine((value) => value !== undefined);

/** The payload of backup/getFileBackupList and getMysqlBackupList. A backup with an invalid date makes the list incomplete. */
export const backupList = payloadSchema(({ list, date }) =>
  list(z.object({ date: notRemoved.pipe(date).exactOptional() })).transform((backups) => ({
    count: backups.length,
    newest: newestOf(backups.map((one) => one.date)),
  })),
);

/** The payload of backup/getFileList and getMysqlList: the files or databases in backups. Ignores entries without a backup id or a date. */
export const backupContents = payloadSchema(({ list, id, date }) => {
  const backup = z.object({ backup_id: id, date });
  return list(z.unknown()).transform((entries) => {
    const backups = entries.flatMap((entry) => {
      const parsed = backup.safeParse(entry);
      return parsed.success && parsed.data.date !== undefined ? [parsed.data] : [];
    });
    const ids = new Set(backups.map(({ backup_id }) => backup_id));
    return { count: ids.size === 0 ? undefined : ids.size, newest: newestOf(backups.map((one) => one.date)) };
  });
});

/** The latest of these times; undefined if all are undefined. Does not use Math.max, which accepts a limited number of arguments. */
export function newestOf(times: readonly (number | undefined)[]): number | undefined {
  return times.filter((time) => time !== undefined).sort((a, b) => b - a)[0];
}
