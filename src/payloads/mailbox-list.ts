import * as z from 'zod';
import { payloadSchema } from './scalars.ts';

/** The payload of mail/getMailboxList, perhaps with domains that were not requested. A mailbox's domain is in `domain` or the address. */
export const mailboxList = payloadSchema(({ list, name, optionalName, flag }) =>
  list(
    z
      .object({
        mailbox: name,
        domain: optionalName,
        forward_mail_status: optionalName,
        spam_filter_status: flag.nullish(),
      })
      .transform(({ mailbox, domain, forward_mail_status: status, spam_filter_status: spamFilter }) => ({
        mailbox,
        domain: domain ?? mailbox.split('@')[1],
        forwards: status === undefined ? undefined : status !== 'no_forward',
        filtersSpam: spamFilter ?? undefined,
      })),
    ({ mailbox, domain = '' }) => JSON.stringify([mailbox, domain]),
  ),
);
