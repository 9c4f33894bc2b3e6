import { atDay, day, hold, missing, type ScenarioBuilder, sequence, type TestSuite } from './scenario.ts';

const last = 'hosting_backup_last_timestamp_seconds';
const listed = 'hosting_backups';
const forwarding = 'hosting_mailboxes_forwarding';

/** Backups, a sudden loss of sites, domains, databases or cron tasks, and mailboxes that start to forward. */
export function inventory(builder: ScenarioBuilder): TestSuite {
  const maximumDays = builder.threshold('HostingBackupTooOld', 'warning', 5);
  const ageWait = builder.forMinutes('HostingBackupTooOld', 'warning');
  const memory = builder.parameter('HostingBackupMissing', 'memory', 4320);
  const missingWait = builder.forMinutes('HostingBackupMissing', 'warning');
  const collapseWait = builder.forMinutes('HostingInventoryCollapsed', 'warning');
  const share = builder.threshold('HostingInventoryCollapsed', 'warning', 0.5);
  const forwardingWait = builder.forMinutes('HostingMailForwardingStarted', 'info');
  const forwardingMemory = builder.parameter('HostingMailForwardingStarted', 'memory', day);
  const added = builder.threshold('HostingMailForwardingStarted', 'info', 1);
  const mailOf = (domain: string) => ({ account: 'shop', domain });
  const files = { account: 'shop', kind: 'files' };
  const databases = { account: 'shop', kind: 'databases' };
  const sitesCollector = { account: 'shop', collector: 'sites' };
  const remaining = Math.ceil(100 * share) - 1;

  return builder.suite('inventory', [
    {
      name: 'the newest backup of the files is too old, the one of the databases is not',
      minutes: ageWait + 60,
      series: {
        ...builder.up('b'),
        [builder.series(last, files)]: atDay(-maximumDays - 1),
        [builder.series(last, files, 'b')]: atDay(-maximumDays - 1),
        [builder.series(last, databases)]: atDay(-maximumDays + 1),
      },
      expected: [{ alert: 'HostingBackupTooOld', since: 0, labels: files, value: maximumDays + 1 }],
      mustNotFire: [],
    },
    {
      name: 'backups with gaps of days, old backups of databases that no longer exist, and a late backup: no alert',
      minutes: ageWait + 120,
      series: {
        [builder.series(last, files)]: atDay(-maximumDays + 0.5),
        [builder.series(last, { account: 'static', kind: 'databases' })]: atDay(-300),
        [builder.series('hosting_databases', { account: 'static' })]: 0,
        [builder.series(last, { account: 'late', kind: 'files' })]: sequence(
          hold(atDay(-maximumDays - 1), Math.max(1, ageWait)),
          hold(0, 121),
        ),
      },
      expected: [],
      mustNotFire: ['HostingBackupTooOld'],
    },
    {
      name: 'no backup for days: one alert; other accounts are new, have no databases, or had a backup: no alert',
      minutes: memory + missingWait + 60,
      overDays: true,
      series: {
        [builder.series(listed, files)]: 0,
        [builder.series(listed, { account: 'new', kind: 'files' })]: sequence(
          missing(day),
          hold(0, memory + missingWait + 61 - day),
        ),
        [builder.series(listed, { account: 'static', kind: 'databases' })]: 0,
        [builder.series('hosting_databases', { account: 'static' })]: 0,
        [builder.series(listed, { account: 'gap', kind: 'files' })]: sequence(
          hold(0, day),
          hold(1, 60),
          hold(0, memory + missingWait + 1 - day),
        ),
      },
      expected: [{ alert: 'HostingBackupMissing', since: memory, labels: files, value: 0 }],
      mustNotFire: [],
    },
    {
      name: 'the provider lists no backup for some days, then lists one again: no alert',
      minutes: memory + 120,
      overDays: true,
      series: {
        [builder.series(listed, files)]: sequence(hold(7, 60), hold(0, memory - 60), hold(1, 121)),
      },
      expected: [],
      mustNotFire: ['HostingBackupMissing'],
    },
    {
      name: 'sites, domains, databases and cron tasks disappear; an HA pair detects it at different times',
      minutes: collapseWait + 120,
      series: {
        ...builder.up('b'),
        [builder.series('hosting_sites', { account: 'shop' })]: sequence(
          hold(100, 30),
          hold(remaining, collapseWait + 91),
        ),
        [builder.series('hosting_sites', { account: 'shop' }, 'b')]: sequence(
          hold(100, 45),
          hold(remaining, collapseWait + 76),
        ),
        [builder.series('hosting_domains', { account: 'shop' })]: sequence(
          hold(100, 30),
          hold(remaining, collapseWait + 91),
        ),
        [builder.series('hosting_databases', { account: 'shop' })]: sequence(hold(100, 30), hold(0, collapseWait + 91)),
        [builder.series('hosting_cron_tasks', { account: 'shop', state: 'enabled' })]: sequence(
          hold(100, 30),
          hold(remaining, collapseWait + 91),
        ),
        [builder.series('hosting_cron_tasks', { account: 'shop', state: 'disabled' })]: sequence(
          hold(0, 30),
          hold(100, collapseWait + 91),
        ),
      },
      expected: [
        ...(
          [
            ['sites', 45, remaining / 100],
            ['domains', 30, remaining / 100],
            ['databases', 30, 0],
            ['cron_tasks', 30, remaining / 100],
          ] as const
        ).map(([kind, since, value]) => ({
          alert: 'HostingInventoryCollapsed' as const,
          since,
          labels: { account: 'shop', kind },
          value,
        })),
      ],
      mustNotFire: [],
    },
    {
      name: 'sites disappear, then their polls fail while the figures are still shown: the alert still fires',
      minutes: collapseWait + 60,
      series: {
        [builder.series('hosting_sites', { account: 'shop' })]: sequence(
          hold(100, 30),
          hold(remaining, collapseWait + 31),
        ),
        [builder.series('hosting_exporter_collector_success', sitesCollector)]: sequence(
          hold(1, 60),
          hold(0, collapseWait + 1),
        ),
        [builder.series('hosting_exporter_collector_interval_seconds', sitesCollector)]: 21_600,
        [builder.series('hosting_exporter_collector_last_success_timestamp_seconds', sitesCollector)]: 1800,
      },
      expected: [
        {
          alert: 'HostingInventoryCollapsed',
          since: 30,
          labels: { account: 'shop', kind: 'sites' },
          value: remaining / 100,
        },
      ],
      mustNotFire: ['HostingPollFailing'],
      defaultsOnly: ['HostingPollFailing'],
    },
    {
      name: 'some sites are deleted, an account is empty, the API returns an empty list once, the exporter restarts: no alert',
      minutes: collapseWait + 180,
      series: {
        [builder.series('hosting_sites', { account: 'shop' })]: sequence(
          hold(100, 30),
          hold(remaining + 2, collapseWait + 151),
        ),
        [builder.series('hosting_sites', { account: 'empty' })]: 0,
        [builder.series('hosting_sites', { account: 'odd' })]: sequence(
          hold(20, 30),
          hold(0, Math.max(1, collapseWait)),
          hold(20, 151),
        ),
        [builder.series('hosting_databases', { account: 'shop' })]: sequence(
          hold(20, 30),
          missing(10),
          hold(20, collapseWait + 141),
        ),
      },
      expected: [],
      mustNotFire: ['HostingInventoryCollapsed'],
    },
    {
      name: 'a mailbox starts to forward; an HA pair detects it at different times, and one exporter restarts: one alert for a day',
      minutes: 60 + forwardingMemory + 120,
      overDays: true,
      series: {
        ...builder.up('b'),
        [builder.series(forwarding, mailOf('teapots.example'))]: sequence(
          hold(2, 60),
          hold(2 + added, forwardingMemory + 121),
        ),
        [builder.series(forwarding, mailOf('teapots.example'), 'b')]: sequence(
          hold(2, 90),
          hold(2 + added, 30),
          missing(20),
          hold(2 + added, forwardingMemory + 41),
        ),
      },
      expected: [
        {
          alert: 'HostingMailForwardingStarted',
          since: 60,
          until: 60 + forwardingMemory,
          recordLeavesWindow: 'end',
          labels: mailOf('teapots.example'),
          value: added,
        },
      ],
      mustNotFire: [],
    },
    {
      name: 'mailboxes forward since before the first poll, one stops, one forwards only briefly, a domain is new: no alert',
      minutes: 600,
      series: {
        [builder.series(forwarding, mailOf('old.example'))]: 3,
        [builder.series(forwarding, mailOf('stopped.example'))]: sequence(hold(3, 100), hold(2, 501)),
        [builder.series(forwarding, mailOf('short.example'))]: sequence(
          hold(0, 100),
          hold(added, Math.max(1, forwardingWait)),
          hold(0, 501 - Math.max(1, forwardingWait)),
        ),
        [builder.series(forwarding, mailOf('new.example'))]: sequence(missing(300), hold(added, 301)),
        [builder.series(forwarding, mailOf('fewer.example'))]: sequence(hold(0, 100), hold(added - 1, 501)),
      },
      expected: [],
      mustNotFire: ['HostingMailForwardingStarted'],
    },
  ]);
}
