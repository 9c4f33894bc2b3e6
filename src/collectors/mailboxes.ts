import { domainToASCII } from 'node:url';
import { mailboxList } from '../payloads/mailbox-list.ts';
import { defineFanOutCollector } from './collector.ts';
import { domains } from './domains.ts';

export const mailboxes = defineFanOutCollector({
  name: 'mailboxes',
  help: 'The number of mailboxes of each domain; one call a domain.',
  methods: ['mail/getMailboxList'],
  schedule: '6h',
  itemsFrom: domains,
  labels: ['domain'],
  items: (list) => list.map(({ name }) => ({ domain: name })),
  fetch: async (api, scalars, { domain }) => {
    const list = await api.call('mail/getMailboxList', mailboxList(scalars), { domain });
    return list.filter((mailbox) => domainToASCII(mailbox.domain ?? domain) === domainToASCII(domain));
  },
  metrics: [
    {
      name: 'hosting_mailboxes',
      help: 'Number of mailboxes of the domain',
      field: 'the list',
      requiresCompleteList: true,
      read: (list) => new Set(list.map(({ mailbox }) => mailbox)).size,
    },
  ],
});
