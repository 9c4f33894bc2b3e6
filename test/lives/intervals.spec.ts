import { check } from './check.ts';
import { type Life, mail, page } from './world.ts';

const lives: readonly Life[] = [
  { name: 'everything is fine', account: { complete: true }, wants: [] },
  {
    name: 'above the quota at hour 1',
    account: { disk: (hour) => (hour < 1 ? 70 : 101) },
    wants: [page('DiskAlmostFull', [1.2, 1.8])],
  },
  {
    name: 'grows by 5 GB an hour',
    account: { disk: (hour) => Math.min(95, Math.max(50, 65 + hour * 5)) },
    wants: [page('DiskFillingUpFast', [2, 3.2])],
  },
  {
    name: 'the login is rejected',
    account: { failing: (hour) => (hour > 1 ? 'auth' : undefined) },
    wants: [mail('CredentialsRejected', [1.1, 2])],
  },
];

for (const seconds of [15, 60, 300]) {
  check({
    name: `scraped every ${seconds} seconds`,
    hours: 5,
    history: 96,
    scrapeSeconds: seconds,
    exporters: { a: {}, b: { down: [[1, 2]] } },
    lives: [...lives, { name: 'on an exporter that is away for an hour', account: { exporter: () => 'b' }, wants: [] }],
    wants: [page('ExporterDown', [1.08, 1.6], [2, 2.9])],
  });
}
