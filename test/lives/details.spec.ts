import { check } from './check.ts';
import { info, mail, perhaps } from './world.ts';

check({
  name: 'three days of details, scraped every five minutes',
  hours: 72,
  history: 216,
  scrapeSeconds: 300,
  evaluationSeconds: 300,
  lives: [
    {
      name: 'sites are missing for an hour while they move',
      account: { sites: (hour) => (hour < 10 || hour > 11 ? 6 : 2) },
      wants: [],
    },
    {
      name: 'the only cron task is off for three hours',
      account: { cronTasks: (hour) => (hour > 10 && hour < 13 ? 0 : 1) },
      wants: [],
    },
    {
      name: 'forwarding is set up while polls fail for a day',
      account: {
        forwarding: (hour) => (hour < 10 ? 1 : 2),
        failing: (hour, collector) => (collector === 'mailboxes' && hour > 6 && hour < 31 ? 'http' : undefined),
      },
      wants: [info('MailForwardingStarted', [31, 38], [55, 72]), perhaps(mail('PollFailing', [18, 25], [31, 38]))],
    },
    {
      name: 'the permission for domains is withdrawn',
      account: {
        domains: { 'fine.example': { expires: 3000, renews: 1 } },
        failing: (hour, collector) => (collector === 'domains' && hour > 5 ? 'permission' : undefined),
      },
      wants: [mail('PermissionMissing', [5.2, 12.5])],
    },
    {
      name: 'the permission for domains is withdrawn five days before one expires: the page stays for a day',
      account: {
        domains: { 'fine.example': { expires: 120 } },
        failing: (hour, collector) => (collector === 'domains' && hour > 5 ? 'permission' : undefined),
      },
      wants: [
        mail('PermissionMissing', [5.2, 12.5]),
        mail('DomainExpiring', [-216, -190], [-60, -40]),
        { alert: 'HostingDomainExpiring', receiver: 'page', begins: [-60, 1], ends: [24, 40] },
      ],
    },
    {
      name: 'the list of sites is not readable any more',
      account: { sites: 6, failing: (hour, collector) => (collector === 'sites' && hour > 5 ? 'payload' : undefined) },
      wants: [mail('PollFailing', [6.2, 7.5])],
    },
    {
      name: 'every second poll fails',
      account: {
        complete: true,
        failing: (hour) => (Math.floor(hour * 12) % 2 === 0 && hour > 0 ? 'timeout' : undefined),
      },
      wants: [],
    },
  ],
});
