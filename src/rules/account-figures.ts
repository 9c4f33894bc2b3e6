import { figures, latest, merged, type Scope, selector, without } from './figures.ts';
import { records } from './records.ts';
import { pendingRenewals } from './renewals.ts';
import { omittedFieldMemory, type RecordingRule, type RuleBuilder, type RuleGroup } from './rule.ts';

/** Accounts without databases, for which missing or old database backups are normal. */
export function accountsWithoutDatabases(scope: Scope): string {
  return `label_replace(${figures.databases.expression(scope)} == 0, "kind", "databases", "", "")`;
}

/** The metrics of the account fields that providers sometimes omit. */
const fields = {
  usage: 'hosting_account_disk_usage_bytes',
  limit: 'hosting_account_disk_limit_bytes',
  block: 'hosting_account_block_timestamp_seconds',
  load: 'hosting_account_load_limit',
} as const;

/**
 * Groups that record figures of accounts and of their details. The records have no label of the exporter, so an HA pair counts once,
 * and an account that moves keeps its history. While polls fail, a record keeps its last known figure.
 */
export function accountFigures(builder: RuleBuilder): readonly RuleGroup[] {
  const { scope } = builder;
  const memory = builder.duration(omittedFieldMemory);
  const known = (metric: string) =>
    `group ${without(scope)} (present_over_time(${selector(scope, metric)}[${memory}]))\nunless on (${builder.target}, account) ${records.unreported}`;
  const figure = (record: string, field: keyof typeof fields, current: string): RecordingRule => ({
    record,
    expr: builder.remembered({
      record,
      collector: 'account',
      current,
      known: `ignoring (field) ${builder.slow(`${records.fieldKnown}{field="${field}"}`)}`,
    }),
  });
  const ofDomain = (record: string, current: string): RecordingRule => ({
    record,
    expr: builder.remembered({
      record,
      collector: 'domains',
      current,
      detail: ['domain'],
      known: records.domainKnown,
    }),
  });
  const kinds = [
    ['sites', figures.sites],
    ['domains', figures.domains],
    ['databases', figures.databases],
    ['cron_tasks', figures.cronTasks],
  ] as const;

  return [
    // Figures that change every few hours. Rules of other groups read these records through `slow`.
    builder.slowGroup('hosting-slow-figures', [
      ...(builder.stateless
        ? []
        : [
            ...Object.entries(fields).map(([field, metric], index) => ({
              record: records.fieldKnown,
              expr: known(metric),
              labels: { field },
              ...(index === 0 && {
                comment:
                  'Fields that a poll of the last six hours contained, of accounts that are reported. Some polls of a provider omit a field.',
              }),
            })),
            {
              record: records.domainKnown,
              expr: known('hosting_domain_expiry_timestamp_seconds'),
              comment:
                'Domains that a poll of the last six hours contained: a single list without a domain changes nothing.',
            },
            pendingRenewals(builder),
          ]),
      ofDomain(records.domainExpiry, merged(scope, 'hosting_domain_expiry_timestamp_seconds')),
      ofDomain(records.domainRenews, figures.domainAutoRenew.expression(scope)),
      {
        record: records.backups,
        expr: listedBackups(builder),
        comment:
          'The number of listed backups. 0 if the API answers without the number of backups, but reported it within the last day.',
      },
      {
        record: records.backupTime,
        expr: newestBackup(builder),
        comment: 'The time of the newest backup. While the list of backups is empty, the last known time is kept.',
      },
    ]),
    {
      name: 'hosting-account-figures',
      rules: [
        figure(records.diskUsage, 'usage', figures.diskUsage.expression(scope)),
        {
          ...figure(records.diskLimit, 'limit', figures.diskLimit.expression(scope)),
          comment: 'Without a disk limit, an account has no series in this record and in the rules that use it.',
        },
        { record: records.diskUsed, expr: `${records.diskUsage} / (${records.diskLimit} > 0)` },
        { record: records.diskFree, expr: `${records.diskLimit} - ${records.diskUsage}` },
      ],
    },
    builder.detailGroup('hosting-detail-figures', [
      figure(records.blockTime, 'block', merged(scope, 'hosting_account_block_timestamp_seconds')),
      {
        record: records.paidDays,
        expr: `0 + ceil((${records.blockTime} - time()) / 86400)`,
        comment: 'Adding 0 turns -0 into 0, because texts would show -0.',
      },
      figure(records.planLimit, 'load', figures.planLoadLimit.expression(scope)),
      { record: records.domainDays, expr: `floor((${builder.slow(records.domainExpiry)} - time()) / 86400)` },
      {
        record: records.domainDaysToEnd,
        expr: `${records.domainDays} + 1 > -${builder.parameter('HostingDomainExpired', 'forget')}`,
        comment:
          "Whole days until the end of the domain's last day. The metric contains the start of this day. Excludes domains that\nexpired long ago, because providers list them for a long time.",
      },
      {
        record: records.manualDomainDays,
        expr: `${records.domainDays} >= -1 unless ${builder.slow(records.domainRenews)} == 1`,
      },
      {
        record: records.renewedDomainDays,
        expr: `${records.domainDays} >= -1 unless ${records.manualDomainDays}`,
      },
      {
        record: records.domainElsewhere,
        expr: `max ${without(scope)} (${latest(scope, 'hosting_domain_under_control')} == 0)`,
        comment: 'Domains that are registered elsewhere. The provider does not know whether they are renewed.',
      },
      {
        record: records.planLoad,
        expr: builder.remembered({
          record: records.planLoad,
          collector: 'site_load',
          current: figures.planLoad.expression(scope),
        }),
        comment: 'Counts only sites: the load of databases has another unit, and the plan does not limit it.',
      },
      { record: records.planLoadRatio, expr: `${records.planLoad} / (${records.planLimit} > 0)` },
      {
        record: records.siteHour,
        expr: `${figures.siteLoadHour.expression(scope)}\nand ${figures.siteLoadHourAge.expression(scope)} < ${builder.parameterSeconds('HostingSiteLoadUnusual', 'age')}`,
        comment: 'No series while the newest hour is old: the provider omits hours without load.',
      },
      { record: records.databaseSize, expr: figures.databaseSize.expression(scope) },
      ...kinds.map(([kind, current]) => ({
        record: records.inventory,
        expr: builder.remembered({
          record: records.inventory,
          kind,
          collector: kind,
          current: current.expression(scope),
        }),
        labels: { kind },
      })),
      {
        record: records.backupAge,
        expr: `(time() - ${builder.slow(records.backupTime)}) / 86400\nunless ${accountsWithoutDatabases(scope)}`,
      },
    ]),
  ];
}

function listedBackups(builder: RuleBuilder): string {
  const { backups } = records;
  const { scope } = builder;
  const current = builder.remembered({
    record: backups,
    collector: 'backups',
    current: figures.backups.expression(scope),
    detail: ['kind'],
  });
  const answers = `and ignoring (collector, kind) ${builder.collectorSuccess('backups')} == 1`;
  const before = builder.stateless
    ? `last_over_time((${figures.backups.expression(scope)})[${builder.duration('7d')}:1h])`
    : `last_over_time(${backups}[${builder.duration('1d')}])`;
  return `${current}\nor\n0 * ${before} ${answers}`;
}

function newestBackup(builder: RuleBuilder): string {
  const { backupTime, backups } = records;
  const current = builder.remembered({
    record: backupTime,
    collector: 'backups',
    current: merged(builder.scope, 'hosting_backup_last_timestamp_seconds'),
    detail: ['kind'],
  });
  return builder.stateless ? current : `${current}\nor\n${builder.recent(backupTime)} and ${backups} == 0`;
}
