import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/**
 * The payload of mail/getMailboxList. The response for one domain may also list mailboxes of other domains, and may
 * name the domain only in the address.
 */
export const mailboxList = payloadSchema(({ list, name, optionalName }) =>
  list(
    z
      .object({ mailbox: name, domain: optionalName })
      .transform(({ mailbox, domain }) => ({ mailbox, domain: domain ?? mailbox.split('@')[1] })),
    ({ mailbox, domain = '' }) => JSON.stringify([mailbox, domain]),
  ),
);
