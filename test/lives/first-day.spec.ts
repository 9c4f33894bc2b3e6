import { check } from './check.ts';
import { info, mail, page, perhaps } from './world.ts';

/** The hours in which backups run. */
const isNight = (hour: number) => ((hour % 24) + 24) % 24 >= 8 && ((hour % 24) + 24) % 24 < 11;

check({
  name: 'the first day after an installation at eight in the morning',
  hours: 26,
  history: 0,
  evaluationSeconds: 120,
  lives: [
    { name: 'everything is fine', account: { complete: true }, wants: [] },
    { name: 'stable at 97 %', account: { disk: 97 }, wants: [mail('DiskAlmostFull', [0.4, 1])] },
    { name: 'above the quota', account: { disk: 101 }, wants: [page('DiskAlmostFull', [0.2, 0.8])] },
    {
      name: 'a backup to 97 % every night',
      account: { disk: (hour) => (isNight(hour) ? 97 : 75) },
      wants: [mail('DiskAlmostFull', [8.4, 9], [11, 15])],
    },
    {
      name: 'a log grows by 4 GB an hour',
      account: { disk: (hour) => Math.min(95, 70 + hour * 4) },
      wants: [
        page('DiskFillingUpFast', [3, 4.6], [6, 7]),
        perhaps(mail('DiskAlmostFull', [4, 7.5])),
        perhaps(page('DiskAlmostFull', [4, 7.5])),
      ],
    },
    {
      name: 'a wrong password',
      account: { complete: true, failing: () => 'auth' },
      wants: [mail('CredentialsRejected', [0.1, 0.6])],
    },
    {
      name: 'suspended in two days',
      account: { suspended: 40 },
      wants: [page('AccountBlockedSoon', [1, 1.6]), perhaps(mail('AccountBlockedSoon', [1, 1.6]))],
    },
    {
      name: 'suspended yesterday',
      account: { suspended: -30 },
      wants: [page('AccountBlockedToday', [0.2, 0.8])],
    },
    {
      name: 'a domain that expired ten days ago',
      account: { domains: { 'old.example': { expires: -240 } } },
      wants: [page('DomainExpired', [0.2, 1])],
    },
    {
      name: 'a domain that expires in three weeks',
      account: { domains: { 'old.example': { expires: 500 } } },
      wants: [mail('DomainExpiring', [1, 2])],
    },
    {
      name: 'a renewal that failed before the installation',
      account: { domains: { 'shop.example': { renews: 1, expires: 900, renewal: () => 'error' } } },
      wants: [mail('DomainRenewalFailed', [1, 2])],
    },
    {
      name: 'backups that stopped twelve days ago',
      account: { newestBackup: -288 },
      wants: [mail('BackupTooOld', [1, 2]), mail('BackupTooOld', [1, 2])],
    },
    { name: 'no backups yet', account: { backups: 0 }, wants: [] },
    {
      name: 'a section without permission',
      account: {
        sites: 6,
        failing: (_, collector) => (collector === 'sites' ? 'permission' : undefined),
      },
      wants: [info('PermissionMissing', [0.2, 0.8])],
    },
    {
      name: 'the section with disk and money is not permitted',
      account: { failing: (_, collector) => (collector === 'account' ? 'permission' : undefined) },
      wants: [mail('PermissionMissing', [0.2, 0.8])],
    },
    { name: 'the sites use 90 % of the load', account: { planLoad: 90 }, wants: [mail('PlanLoadHigh', [2, 2.6])] },
    { name: 'sites are created one after the other', account: { sites: (hour) => Math.floor(hour / 4) }, wants: [] },
  ],
});
