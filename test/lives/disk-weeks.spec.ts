import { check } from './check.ts';
import { mail, page, perhaps } from './world.ts';

const day = 24;

check({
  name: 'ten days of disks, scraped every five minutes',
  hours: 240,
  history: 216,
  scrapeSeconds: 300,
  evaluationSeconds: 300,
  lives: [
    { name: 'half a GB a day, months before the disk is full', account: { disk: (hour) => 74 + hour / 48 }, wants: [] },
    {
      name: '2 GB a day: a mail two weeks ahead',
      account: { disk: (hour) => 58 + hour / 12 },
      wants: [mail('DiskFillingUp', [150, 190])],
    },
    {
      name: '2 GB a day, removed every week',
      account: { disk: (hour) => 60 + (((hour % 168) + 168) % 168) / 12 },
      wants: [perhaps(mail('DiskFillingUp', [-150, -40], [-150, -30]))],
    },
    {
      name: '3 GB a day: mails first, and a page three days before the disk is full',
      account: { disk: (hour) => Math.min(100, 70 + hour / 8) },
      wants: [
        mail('DiskFillingUp', [-80, 6], [119, 124]),
        mail('DiskAlmostFull', [119, 124], [160, 185]),
        page('DiskAlmostFull', [160, 185]),
      ],
    },
    {
      name: '3 GB a day, until someone rotates the logs at hour 100',
      account: { disk: (hour) => Math.min(82.5, 70 + hour / 8) },
      wants: [mail('DiskFillingUp', [-80, 6], [100, 180])],
    },
    {
      name: '3 GB a day, until someone deletes a third at hour 50',
      account: { disk: (hour) => 70 + hour / 8 - (hour < 50 ? 0 : 30) },
      wants: [mail('DiskFillingUp', [-80, 6], [50, 58]), perhaps(mail('DiskFillingUp', [200, 240]))],
    },
    {
      name: 'a wave around the threshold: one mail',
      account: { disk: (hour) => 85 + 1.5 * Math.sin(hour) },
      wants: [mail('DiskAlmostFull', [-216, 0])],
    },
    {
      name: 'a new account with an upload of 70 GB in three hours',
      account: {
        exporter: (hour) => (hour < 0 ? undefined : 'a'),
        disk: (hour) => Math.min(70, Math.max(0, hour * 23)),
      },
      wants: [],
    },
    {
      name: 'a new account that is stable at 97 %',
      account: { exporter: (hour) => (hour < 0 ? undefined : 'a'), disk: 97 },
      wants: [mail('DiskAlmostFull', [0.4, 1])],
    },
    {
      name: 'a new account at 99 %: a page until its growth is known',
      account: { exporter: (hour) => (hour < 0 ? undefined : 'a'), disk: 99 },
      wants: [page('DiskAlmostFull', [0.2, 0.7], [70, 82]), perhaps(mail('DiskAlmostFull', [70, 82]))],
    },
    {
      name: 'a monthly import: 20 GB more once, and stable',
      account: { disk: (hour) => (hour < 3 * day ? 60 : 80) },
      wants: [],
    },
    {
      name: '10 TB at 99 % with 100 GB free',
      account: { quota: 10_000, disk: (hour) => 9900 + hour / 100 },
      wants: [perhaps(page('DiskAlmostFull', [-216, -210], [-150, -100])), mail('DiskAlmostFull', [-216, 0])],
    },
  ],
});
