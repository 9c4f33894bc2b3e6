import { figures, latest, selector, without } from './figures.ts';
import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';
import { severities } from './thresholds.ts';

const failing = 'hosting_exporter_collector_failing';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';

/** Rules about the collectors of each account: whether data is fresh and complete, and whether calls are permitted. */
export function collectorRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const { freshSince, lateSince, pollInterval, pollSuccess, coveredUntil, refused } = records;
  const permitted = latest(scope, failing, 'reason="permission"');
  const age = builder.range(records.newestPollAge, '1h', '3m');
  // If an outage ended after the newest successful poll, the age of the data counts from the end of the outage.
  const since = `0 * ${lateSince} + ignoring (collector) group_left () ${coveredUntil} > ${lateSince}`;

  return builder.detailGroup('hosting-collectors', [
    { record: pollInterval, expr: figures.collectorInterval.expression(scope) },
    { record: pollSuccess, expr: builder.collectorSuccess() },
    {
      record: freshSince,
      expr: newestSuccess(builder),
      comment:
        'The time of the newest successful poll. After a restart without saved state, the last recorded time is kept. If no\nexporter reports the collector, the last recorded time is kept until it is a day old. If no poll has ever succeeded, the\nrecord contains the time at which the collector first appeared.',
    },
    {
      record: records.held,
      expr: [
        `(${pollSuccess} == 0 or ${freshSince} and ignoring (collector) ${records.away})`,
        `unless ${freshSince} <= time() - ${builder.seconds('1d')}`,
      ].join('\n'),
      comment:
        'Collectors whose newest poll failed, and collectors of accounts that no exporter reports. Rules use their last known\nfigures for at most a day. Another alert names the cause.',
    },
    {
      record: refused,
      expr: `max ${without(scope, 'reason')} (${permitted})\nand ${pollSuccess} == 0`,
    },
    {
      record: records.permissionLost,
      expr: `${refused} and on (${builder.target}, account, collector) ${latest(scope, lastSuccess)}\nor\n${refused} and max ${without(scope, 'reason')} (${latest(scope, failing, 'reason="permission"', 'collector="account"')})`,
      comment:
        'Refused collectors that succeeded earlier. Also the refused collector account, because it is necessary to\nmonitor the account.',
    },
    {
      record: coveredUntil,
      expr: outageEnd(builder),
      comment: 'The last time at which an alert named the cause of failed polls of the account.',
    },
    {
      record: lateSince,
      expr: `${freshSince} < time() - (${pollInterval} > 0)\nunless ${refused}`,
      comment:
        'The time of the newest successful poll, if it is more than an interval ago. Excludes refused collectors, which\nHostingPermissionMissing reports.',
    },
    {
      record: records.pollAge,
      expr: `(time() - (${since} or ${lateSince}))\n/ (${pollInterval} > 0)`,
      comment:
        'For late collectors: the age of the newest successful poll, in intervals. If another alert reported an outage, the age\ncounts from the end of the outage.',
    },
    ...builder.thresholdAlert('HostingPollFailing', { dashboard: 'hosting-exporter', subject: records.pollAge }),
    {
      record: records.newestPollAge,
      expr: `time() - max without (account, collector) (${latest(scope, lastSuccess)})`,
      comment:
        'Seconds since the newest successful poll of an exporter. If the clocks agree, each poll resets the value to nearly zero.',
    },
    {
      record: records.clockLag,
      expr: [
        `(time() - max without (account, kind) (${latest(scope, 'hosting_backup_last_timestamp_seconds')})) / 60 < 0`,
        `${records.newestPollAge} / 60 < 0`,
        `min_over_time(${age}) / 60 and resets(${age}) > 0`,
      ].join('\nor\n'),
      comment: 'Minutes by which an exporter is behind Prometheus. Negative for polls or backups in the future.',
    },
    ...builder.alert('HostingClocksDisagree', {
      dashboard: 'hosting-exporter',
      expr: () => `abs(${records.clockLag}) >= ${builder.parameter('HostingClocksDisagree', 'minutes')}`,
    }),
    ...builder.alert('HostingSeriesDropped', {
      dashboard: 'hosting-exporter',
      expr: () => `${figures.collectorDropped.expression(scope)} > 0`,
    }),
    ...builder.alert('HostingPermissionMissing', {
      dashboard: 'hosting-exporter',
      comment:
        'warning: collectors that were permitted before, and the collector account, which reads disk space and money. info: collectors\nthat were never permitted.',
      expr: (severity) =>
        severity === 'info' ? `${refused} unless ${records.permissionLost}` : records.permissionLost,
    }),
  ]);
}

function newestSuccess(builder: RuleBuilder): string {
  const { scope } = builder;
  const { freshSince, pollInterval } = records;
  const newest = `max ${without(scope)}`;
  if (builder.stateless) {
    return [
      `${newest} (max_over_time(${selector(scope, lastSuccess)}[${builder.duration('1d')}]))`,
      'or',
      `min ${without(scope)} (min_over_time(timestamp(${selector(scope, 'hosting_exporter_collector_interval_seconds')})[${builder.duration('1d')}:${builder.duration('5m')}]))`,
    ].join('\n');
  }
  const last = `last_over_time(${freshSince}[${builder.parameter('HostingPollFailing', 'memory')}])`;
  return [
    `${newest} (${latest(scope, lastSuccess)})`,
    'or',
    // Keep the last recorded time. The comparison reads only the current value, because reading the range again would cost more.
    `${last} unless (${freshSince} <= time() - ${builder.seconds('1d')} unless ${pollInterval})`,
    'or',
    `time() + 0 * ${pollInterval}`,
  ].join('\n');
}

/** The end of the newest outage whose cause an alert reported. During such an outage: the current time. */
function outageEnd(builder: RuleBuilder): string {
  const { scope } = builder;
  if (builder.stateless) {
    const down = `timestamp(${selector(scope, 'hosting_up')} == 0)`;
    return `max ${without(scope)} (max_over_time((${down})[${builder.duration('1d')}:${builder.duration('5m')}]))`;
  }
  const firing = (
    ...alerts: readonly (
      | 'HostingProviderUnreachable'
      | 'HostingMostLoginsRejected'
      | 'HostingAccountUnreachable'
      | 'HostingCredentialsRejected'
    )[]
  ) => {
    const enabled = alerts.filter((alert) => severities.some((severity) => builder.has(alert, severity)));
    const series = selector(scope, 'ALERTS', `alertname=~"${enabled.join('|')}"`, 'alertstate="firing"');
    return `last_over_time(${series}[${scope.window}])`;
  };
  const now = `time() + 0 * ${records.accountUp}`;
  const last = `last_over_time(${records.coveredUntil}[${builder.parameter('HostingPollFailing', 'memory')}])`;
  return [
    `${now} and on (${builder.target}) ${firing('HostingProviderUnreachable', 'HostingMostLoginsRejected')}`,
    `${now} and on (${builder.target}, account) ${firing('HostingAccountUnreachable', 'HostingCredentialsRejected')}`,
    last,
  ].join('\nor\n');
}
