import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** A restore or download that someone requested. */
export interface BackupJob {
  readonly id: string;
  /** Undefined for other types than files and databases. */
  readonly kind: 'files' | 'databases' | undefined;
  readonly operation: string;
  readonly status: string;
  /** The time of the request, in Unix milliseconds. */
  readonly requested: number | undefined;
}

/** The payload of backup/getLog, without the paths and the names of databases. */
export const backupJobList = payloadSchema('backupJobList', ({ list, id, name, optionalName, date }) =>
  list(
    z.object({ id, operation: name, type: name, date_create: date, status: optionalName }).transform(
      (job): BackupJob => ({
        id: job.id,
        kind: job.type.endsWith('_file') ? 'files' : job.type.endsWith('_mysql') ? 'databases' : undefined,
        operation: job.operation,
        status: job.status ?? '',
        requested: job.date_create,
      }),
    ),
    (job) => job.id,
  ),
);
