import { check } from './check.ts';
import { mail, page, perhaps } from './world.ts';

/** Begins at any time before hour 0. */
const before = [-96, 0] as const;
/** The hours in which backups run. */
const isNight = (hour: number) => ((hour % 24) + 24) % 24 >= 8 && ((hour % 24) + 24) % 24 < 11;
const between = (low: number, value: number, high: number) => Math.min(high, Math.max(low, value));

check({
  name: 'sixteen hours of disks',
  hours: 16,
  lives: [
    { name: 'everything is fine', account: { complete: true }, wants: [] },
    { name: 'stable at 96 % with 4 GB free', account: { disk: 96 }, wants: [mail('DiskAlmostFull', before)] },
    {
      name: 'an upload of 30 GB in half an hour',
      account: { disk: (hour) => between(60, 60 + (hour - 2) * 60, 90) },
      wants: [mail('DiskAlmostFull', [2.9, 3.2])],
    },
    {
      name: 'a log grows by 5 GB an hour until the disk is full',
      account: { disk: (hour) => between(50, 50 + (hour - 2) * 5, 100) },
      wants: [
        page('DiskFillingUpFast', [7, 7.8], [11.9, 12.8]),
        page('DiskAlmostFull', [9, 12.8]),
        perhaps(mail('DiskAlmostFull', [9, 12.8], [11.9, 12.8])),
      ],
    },
    {
      name: 'a log grows by 4 GB an hour until someone stops and deletes it',
      account: { disk: (hour) => (hour > 11 ? 50 : between(50, 50 + (hour - 2) * 4, 82)) },
      wants: [page('DiskFillingUpFast', [8.2, 9.2], [10, 10.5])],
    },
    { name: 'a backup of 18 GB every night', account: { disk: (hour) => (isNight(hour) ? 78 : 60) }, wants: [] },
    {
      name: 'a backup to 90 % every night',
      account: { disk: (hour) => (isNight(hour) ? 90 : 75) },
      wants: [perhaps(mail('DiskAlmostFull', [-96, -70], [-96, -60]))],
    },
    {
      name: 'someone cleans up from 97 to 50 %',
      account: { disk: (hour) => (hour < 3 ? 97 : 50) },
      wants: [mail('DiskAlmostFull', before, [3, 6.5])],
    },
    {
      name: 'above the quota at once',
      account: { disk: (hour) => (hour < 2 ? 70 : 101) },
      wants: [page('DiskAlmostFull', [2.2, 2.6])],
    },
    {
      name: 'the quota is lowered from 100 to 50 GB',
      account: { disk: 46, quota: (hour) => (hour < 4 ? 100 : 50) },
      wants: [mail('DiskAlmostFull', [4.4, 4.9])],
    },
    {
      name: 'the plan becomes unlimited',
      account: { disk: 96, quota: (hour) => (hour < 4 ? 100 : undefined) },
      wants: [mail('DiskAlmostFull', before, [4, 14.3])],
    },
    {
      name: 'an unlimited plan that grows by 10 GB an hour',
      account: { disk: (hour) => 1000 + hour * 3, quota: () => undefined },
      wants: [],
    },
    { name: 'half of the files come and go every hour', account: { disk: (hour) => 40 + 30 * (hour % 1) }, wants: [] },
    {
      name: 'swings between 94 and 96 % every two hours',
      account: { disk: (hour) => (Math.floor(hour / 2) % 2 === 0 ? 94 : 96) },
      wants: [mail('DiskAlmostFull', before)],
    },
    {
      name: 'a plan of 1 GB reaches 96 %: 40 MB are free',
      account: { quota: 1, disk: (hour) => (hour < 3 ? 0.8 : 0.96) },
      wants: [page('DiskAlmostFull', [3.2, 3.6])],
    },
    {
      name: 'an archive whose owner wants alerts from 97 % on',
      account: {
        disk: 96.5,
        thresholds: [
          ['HostingDiskAlmostFull', 'warning', 0.97],
          ['HostingDiskAlmostFull', 'critical', 0.99],
        ],
      },
      wants: [],
    },
    {
      name: 'an account whose owner turned the alert off, above its quota',
      account: {
        disk: (hour) => (hour < 2 ? 70 : 101),
        thresholds: [
          ['HostingDiskAlmostFull', 'warning', 'off'],
          ['HostingDiskAlmostFull', 'critical', 'off'],
        ],
      },
      wants: [perhaps(mail('DiskFillingUp', [7, 9]))],
    },
    {
      name: 'every third answer has no disk usage',
      account: { disk: (hour) => (Math.floor(hour * 12) % 3 === 0 ? undefined : 90) },
      wants: [mail('DiskAlmostFull', [-96, 1])],
    },
  ],
});
