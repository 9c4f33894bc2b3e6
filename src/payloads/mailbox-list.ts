import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The answer of mail/getMailboxList. An answer to the question for one domain may hold the mailboxes of others, too. */
export const mailboxList = payloadSchema(({ list, name, optionalName }) =>
  list(z.object({ mailbox: name, domain: optionalName })),
);
