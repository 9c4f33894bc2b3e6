import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/**
 * The answer of mail/getMailboxList. An answer to the question for one domain may hold the mailboxes of others, too,
 * and tell them apart by whole addresses only.
 */
export const mailboxList = payloadSchema(({ list, name, optionalName }) =>
  list(
    z
      .object({ mailbox: name, domain: optionalName })
      .transform(({ mailbox, domain }) => ({ mailbox, domain: domain ?? mailbox.split('@')[1] })),
  ),
);
