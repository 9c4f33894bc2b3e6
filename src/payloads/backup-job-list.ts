import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** A requested restore or download of a backup. */
export type BackupJob = z.output<ReturnType<typeof backupJobList>>[number];

/** The payload of backup/getLog, without the paths and the names of databases. */
export const backupJobList = payloadSchema(({ list, id, name, optionalName, date }) =>
  list(z.object({ id, operation: name, type: name, date_create: date, status: optionalName }), (job) => job.id),
);
