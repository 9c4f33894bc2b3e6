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
      name: 'a database that doubles overnight',
      account: { databases: { main: (hour) => (hour < 10 ? 1 : 2.2) } },
      wants: [info('DatabaseGrewFast', [11, 12.5], [33, 42])],
    },
    {
      name: 'databases that are new, small or grow slowly',
      account: {
        databases: {
          new: (hour) => (hour < 10 ? undefined : 5),
          small: (hour) => (hour < 10 ? 0.01 : 0.05),
          slow: (hour) => 2 + hour / 200,
        },
      },
      wants: [],
    },
    {
      name: 'four of six sites disappear',
      account: { sites: (hour) => (hour < 10 ? 6 : 2) },
      wants: [mail('InventoryCollapsed', [11.4, 13], [34, 39.5])],
    },
    { name: 'one of six sites is deleted', account: { sites: (hour) => (hour < 10 ? 6 : 5) }, wants: [] },
    {
      name: 'sites are missing for an hour while they move',
      account: { sites: (hour) => (hour < 10 || hour > 11 ? 6 : 2) },
      wants: [],
    },
    {
      name: 'three of four cron tasks are switched off',
      account: { cronTasks: (hour) => (hour < 10 ? 4 : 1) },
      wants: [mail('InventoryCollapsed', [11.4, 13.5], [34, 39.5])],
    },
    {
      name: 'the only cron task is off for three hours',
      account: { cronTasks: (hour) => (hour > 10 && hour < 13 ? 0 : 1) },
      wants: [],
    },
    {
      name: 'a mailbox begins to forward its mail',
      account: { forwarding: (hour) => (hour < 10 ? 1 : 2) },
      wants: [info('MailForwardingStarted', [10.2, 17], [34, 42])],
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
      name: 'a site is six times as busy as ever for five hours',
      account: { siteLoad: (hour) => (hour > 10 && hour < 15 ? 12 : 2) },
      wants: [info('SiteLoadUnusual', [11.5, 14], [14.5, 18])],
    },
    {
      name: 'a site has one busy hour',
      account: { siteLoad: (hour) => (hour > 10 && hour < 11 ? 30 : 2) },
      wants: [],
    },
    {
      name: 'a site has the same busy day every week',
      account: { siteLoad: (hour) => (((hour % 168) + 168) % 168 < 12 ? 15 : 2) },
      wants: [],
    },
    {
      name: 'the sites reach 85 % of the load of the plan',
      account: { planLoad: (hour) => (hour < 10 ? 60 : 85) },
      wants: [mail('PlanLoadHigh', [12, 13.5])],
    },
    { name: 'the sites use 79 % of the load of the plan', account: { planLoad: 79 }, wants: [] },
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
      name: 'the permission for domains was never given',
      account: {
        domains: { 'fine.example': { expires: 120 } },
        failing: (_, collector) => (collector === 'domains' ? 'permission' : undefined),
      },
      wants: [info('PermissionMissing', [-216, -200])],
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
