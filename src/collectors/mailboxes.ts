import { domainToASCII } from 'node:url';
import { mailboxList } from '../payloads/mailbox-list.ts';
import { defineFanOutCollector } from './collector.ts';
import { domains } from './domains.ts';

export const mailboxes = defineFanOutCollector({
  name: 'mailboxes',
  help: 'The number of mailboxes of each domain; one call per domain.',
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
      help: 'Number of mailboxes in the list of mailboxes of the domain; the number counted against the plan, for all domains, is hosting_account_mailboxes_used',
      field: 'number of entries',
      requiresCompleteList: true,
      read: (list) => list.length,
    },
  ],
});
