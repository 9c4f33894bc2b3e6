import { check } from './check.ts';
import { mail, page, perhaps } from './world.ts';

const day = 24;
const year = 365 * day;
const before = [-216, -200] as const;

check({
  name: 'ten days of money and domains, scraped every five minutes',
  hours: 240,
  history: 216,
  scrapeSeconds: 300,
  evaluationSeconds: 300,
  lives: [
    {
      name: 'the money ends in two weeks and no one pays',
      account: { suspended: 300 },
      wants: [mail('AccountBlockedSoon', [155, 160], [228, 241]), perhaps(page('AccountBlockedSoon', [228, 235]))],
    },
    {
      name: 'paid a day after the mail',
      account: { suspended: (hour) => (hour < 180 ? 300 : 1000) },
      wants: [mail('AccountBlockedSoon', [155, 160], [180, 184])],
    },
    {
      name: 'paid a day after the page',
      account: { suspended: (hour) => (hour < 72 ? 96 : 1000) },
      wants: [mail('AccountBlockedSoon', [-50, 0], [72, 76]), page('AccountBlockedSoon', [48, 53], [72, 76])],
    },
    {
      name: 'the estimate swings around seven days: one mail',
      account: { suspended: (hour) => hour + 6.6 * day + 20 * Math.sin(hour / 3) },
      wants: [mail('AccountBlockedSoon', before)],
    },
    {
      name: 'lives at one day, and is charged daily: one page',
      account: { suspended: (hour) => hour + 24 },
      wants: [page('AccountBlockedSoon', before), mail('AccountBlockedSoon', before)],
    },
    {
      name: 'is paid every morning, on the last day: one page',
      // The history begins after the deadline. Otherwise, the last day before it would cause a second page.
      account: {
        suspended: (hour) => {
          const deadline = Math.floor((hour + 3) / day) * day - 1;
          return hour < deadline + 2 ? deadline : deadline + day;
        },
      },
      wants: [page('AccountBlockedToday', before)],
    },
    {
      name: 'the provider reports 0 days for ten days',
      account: { suspended: (hour) => hour },
      wants: [page('AccountBlockedToday', before)],
    },
    { name: 'daily charges, and a balance for 20 days', account: { suspended: (hour) => hour + 20 * day }, wants: [] },
    {
      name: 'a domain without renewal that expires in two weeks',
      account: { domains: { 'shop.example': { expires: 360 } } },
      wants: [mail('DomainExpiring', before, [192, 195]), page('DomainExpiring', [192, 195])],
    },
    {
      name: 'the owner renews after the mail',
      account: { domains: { 'shop.example': { expires: (hour) => (hour < 50 ? 360 : 360 + year) } } },
      wants: [mail('DomainExpiring', before, [50, 60])],
    },
    {
      name: 'renewed automatically five days ahead',
      account: { domains: { 'shop.example': { renews: 1, expires: (hour) => (hour < 60 ? 180 : 180 + year) } } },
      wants: [],
    },
    {
      name: 'automatic renewal does not happen',
      account: { domains: { 'shop.example': { renews: 1, expires: 112 } } },
      wants: [mail('DomainRenewalOverdue', [40, 43], [112, 160]), page('DomainExpired', [136, 150])],
    },
    {
      name: 'renewed in the morning of the last day',
      account: { domains: { 'shop.example': { renews: 1, expires: (hour) => (hour < 124 ? 112 : 112 + year) } } },
      wants: [mail('DomainRenewalOverdue', [40, 43], [124, 134])],
    },
    {
      name: 'registered elsewhere, where it may be renewed or not: mails only',
      account: { domains: { 'shop.example': { managed: 0, expires: 112 } } },
      wants: [mail('DomainExpiring', before, [112, 170]), perhaps(mail('DomainExpired', [136, 140]))],
    },
    {
      name: 'a renewal fails forty days ahead',
      account: {
        domains: {
          'shop.example': { renews: 1, expires: 40 * day, renewal: (hour) => (hour < 5 ? undefined : 'error') },
        },
      },
      wants: [mail('DomainRenewalFailed', [6, 13])],
    },
    {
      name: 'a renewal is pending for a day, then succeeds',
      account: {
        domains: {
          'shop.example': {
            renews: 1,
            expires: (hour) => (hour < 30 ? 40 * day : 40 * day + year),
            renewal: (hour) => (hour < 5 ? undefined : hour < 30 ? 'pending' : 'success'),
          },
        },
      },
      wants: [],
    },
    {
      name: 'one list of domains lacks a domain that expires soon: one page',
      account: {
        domains: {
          'shop.example': { expires: 160, listed: (hour) => hour < 60 || hour > 66 },
          'fine.example': { expires: year },
        },
      },
      wants: [
        mail('DomainExpiring', before, [-8, -5]),
        page('DomainExpiring', [-1, 1], [180, 190]),
        page('DomainExpired', [180, 200]),
      ],
    },
    {
      name: 'the owner deletes a domain that expires in three weeks',
      account: {
        domains: { 'shop.example': { expires: 500, listed: (hour) => hour < 60 }, 'fine.example': { expires: year } },
      },
      wants: [mail('DomainExpiring', [-216, -190], [60, 76])],
    },
    {
      name: 'a domain is transferred here five days before it expires: a page by day',
      account: {
        domains: { 'shop.example': { expires: 170, listed: (hour) => hour > 50 }, 'fine.example': { expires: year } },
      },
      wants: [
        page('DomainExpiring', [50, 61], [190, 240]),
        perhaps(mail('DomainExpiring', [50, 61], [50, 61])),
        perhaps(page('DomainExpired', [190, 206])),
      ],
    },
    {
      name: 'a domain that expired long ago',
      account: { domains: { 'old.example': { expires: -60 * day }, 'fine.example': { expires: year } } },
      wants: [],
    },
    {
      name: 'the list of backups is empty for three hours',
      account: { backups: (hour) => (hour > 10 && hour < 13 ? 0 : 7) },
      wants: [],
    },
    {
      name: 'a plan of whose backups the provider says nothing',
      account: { complete: true, backups: () => undefined, newestBackup: () => undefined },
      wants: [],
    },
  ],
});
