import { domainToASCII } from 'node:url';
import { mailboxList } from '../payloads/mailbox-list.ts';
import { defineCollector } from './collector.ts';
import { domains } from './domains.ts';

export const mailboxes = defineCollector({
  name: 'mailboxes',
  help: 'The number of mailboxes of each domain and subdomain, except technical names (_dmarc) and wildcards; one call per domain or subdomain.',
  methods: ['mail/getMailboxList'],
  schedule: '6h',
  itemsFrom: domains,
  labels: ['domain'],
  items: (list) =>
    [...new Set([...list.domains, ...(list.subdomains ?? [])].map(({ fqdn }) => fqdn))]
      .filter(hasMail)
      .map((name) => ({ domain: name })),
  fetch: async (api, { domain }) => {
    const list = await api.call('mail/getMailboxList', mailboxList, { domain });
    return list.filter((mailbox) => domainToASCII(mailbox.domain ?? domain) === domainToASCII(domain));
  },
  metrics: [
    {
      name: 'hosting_mailboxes',
      help: 'Number of mailboxes in the list of mailboxes of the domain or subdomain; the number counted against the plan, for all domains, is hosting_account_mailboxes_used',
      field: 'number of entries',
      requiresCompleteList: true,
      read: (list) => list.length,
    },
    {
      name: 'hosting_mailboxes_forwarding',
      help: 'Number of mailboxes of the domain or subdomain that forward their mail; missing if the provider does not report it',
      field: 'forward_mail_status',
      requiresCompleteList: true,
      read: (list) => countIfKnown(list.map(({ forwards }) => forwards)),
    },
    {
      name: 'hosting_mailboxes_spam_filter_disabled',
      help: 'Number of mailboxes of the domain or subdomain without spam filter; missing if the provider does not report it',
      field: 'spam_filter_status',
      requiresCompleteList: true,
      read: (list) =>
        countIfKnown(list.map(({ filtersSpam }) => (filtersSpam === undefined ? undefined : !filtersSpam))),
    },
  ],
});

/** False for technical names such as `_dmarc.example.com` and for wildcards, because the API refuses to list their mailboxes. */
function hasMail(name: string): boolean {
  return name.split('.').every((label) => !label.startsWith('_') && label !== '*');
}

/** The number of true values; undefined if a value is unknown. */
function countIfKnown(flags: readonly (boolean | undefined)[]): number | undefined {
  return flags.includes(undefined) ? undefined : flags.filter(Boolean).length;
}
