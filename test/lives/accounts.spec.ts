import { check } from './check.ts';
import { mail, page, perhaps } from './world.ts';

check({
  name: 'a day in which accounts come, go and fail',
  hours: 36,
  history: 48,
  exporters: { a: {}, b: {} },
  lives: [
    { name: 'fine', account: { complete: true }, wants: [] },
    { name: 'fine too', account: {}, wants: [] },
    { name: 'fine on the other exporter', account: { exporter: () => 'b' }, wants: [] },
    {
      name: 'a password is changed at hour 2 and corrected at hour 10',
      account: { complete: true, failing: (hour) => (hour > 2 && hour < 10 ? 'auth' : undefined) },
      wants: [mail('CredentialsRejected', [2.1, 2.8], [10, 11])],
    },
    {
      name: 'the API does not answer for one account for two hours',
      account: { complete: true, failing: (hour) => (hour > 2 && hour < 4 ? 'timeout' : undefined) },
      wants: [mail('AccountUnreachable', [2.2, 2.8], [4, 5])],
    },
    {
      name: 'three polls in a row fail',
      account: { complete: true, failing: (hour) => (hour > 2 && hour < 2.2 ? 'timeout' : undefined) },
      wants: [],
    },
    {
      name: 'the password is rejected while the disk is full: the page stays for a day',
      account: { disk: (hour) => (hour < 1 ? 70 : 101), failing: (hour) => (hour > 3 ? 'auth' : undefined) },
      wants: [mail('CredentialsRejected', [3.1, 3.8]), page('DiskAlmostFull', [1.2, 1.6], [26, 31])],
    },
    {
      name: 'removed from the configuration',
      account: { disk: 90, exporter: (hour) => (hour < 5 ? 'a' : undefined) },
      wants: [mail('DiskAlmostFull', [-48, 0], [5.2, 7]), mail('AccountMissing', [5.3, 6], [28, 33])],
    },
    {
      name: 'the old name of an account',
      account: { disk: (hour) => (hour < 1 ? 70 : 101), exporter: (hour) => (hour < 5 ? 'a' : undefined) },
      wants: [page('DiskAlmostFull', [1.2, 1.6], [5.2, 7]), mail('AccountMissing', [5.3, 6], [28, 33])],
    },
    {
      name: 'the new name of the account',
      account: { disk: 101, exporter: (hour) => (hour < 5 ? undefined : 'a') },
      wants: [page('DiskAlmostFull', [5.2, 5.6])],
    },
    {
      name: 'moves to the other shard with a full disk',
      account: { disk: (hour) => (hour < 1 ? 70 : 101), exporter: (hour) => (hour < 5 ? 'a' : 'b') },
      wants: [page('DiskAlmostFull', [1.2, 1.6])],
    },
    {
      name: 'moves to the other shard and is seen there after ten minutes',
      account: { disk: 90, exporter: (hour) => (hour < 5 ? 'a' : hour < 5.17 ? undefined : 'b') },
      wants: [mail('DiskAlmostFull', [-48, 0])],
    },
    {
      name: 'created at hour 3 with a wrong password',
      account: { complete: true, exporter: (hour) => (hour < 3 ? undefined : 'a'), failing: () => 'auth' },
      wants: [mail('CredentialsRejected', [3.1, 3.8])],
    },
    {
      name: 'suspended today, which the provider says at 22:30: someone is woken',
      account: { suspended: (hour) => (hour < 14.5 ? hour + 480 : -8) },
      wants: [
        page('AccountBlockedToday', [14.7, 15.2]),
        perhaps(mail('AccountBlockedSoon', [15.4, 36])),
        perhaps(page('AccountBlockedSoon', [15.4, 36])),
      ],
    },
  ],
});
