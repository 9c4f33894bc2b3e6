import { figures, latest, type Scope, selector, without } from './figures.ts';
import { records } from './records.ts';
import type { RuleBuilder, RuleGroup } from './rule.ts';
import { severities } from './thresholds.ts';

const failing = 'hosting_exporter_collector_failing';
const lastSuccess = 'hosting_exporter_collector_last_success_timestamp_seconds';

/**
 * Two expressions that select exporters that are down and leave accounts unmonitored. The first one applies if no other
 * exporter is up, the second one if no other exporter reports an account that the exporter reported within `memory`. Both
 * read only the newest scrape of `hosting_up`: with a window, the accounts of an exporter that is down would still count as reported.
 */
export function downWithoutReplacement(scope: Scope, memory: string): readonly [onlyOne: string, lostAccounts: string] {
  const ignoringReplica = `ignoring (${scope.replicaLabels.join(', ')})`;
  const up = selector(scope, 'up');
  const hostingUp = selector(scope, 'hosting_up');
  return [
    `(${up} == 0 unless ${ignoringReplica} (${up} == 1))`,
    `(${up} == 0 and ignoring (account) (last_over_time(${hostingUp}[${memory}]) unless ${ignoringReplica} ${hostingUp}))`,
  ];
}

/** Rules about the exporter: whether Prometheus can scrape it, and whether it runs as configured. */
export function exporterRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const up = selector(scope, 'up');
  const newestUp = `max_over_time(${up}[${scope.window}])`;
  const reported = (window: string) => `group ${without(scope)} (${latest({ ...scope, window }, 'hosting_up')})`;
  const unmonitored = downWithoutReplacement(scope, builder.parameter('HostingExporterDown', 'memory'));
  const restartWindow = builder.parameter('HostingExporterRestarting', 'window');

  return {
    name: 'hosting-exporter',
    rules: [
      {
        record: records.unreported,
        expr: `${reported(builder.parameter('HostingAccountMissing', 'memory'))}\nunless\n${reported(builder.duration('5m'))}`,
        comment:
          'Accounts that were reported within the last day, but by no exporter within the last five minutes. Other rules read\nfigures that are up to ten minutes old, so an account is recorded here before its figures end.',
      },
      {
        record: records.alertThreshold,
        expr: builder.accountThresholds(),
        comment: 'Thresholds that the configuration of an account overrides.',
      },
      ...builder.accountLabels(),
      ...builder.alert('HostingExporterAbsent', { dashboard: 'hosting-exporter', expr: () => `absent(${up})` }),
      ...builder.alert('HostingExporterDown', {
        dashboard: 'hosting-exporter',
        comment: 'critical: no other exporter is up, or at least one account of this exporter is reported by no other.',
        expr: (severity) => (severity === 'critical' ? unmonitored.join('\nor\n') : `${up} == 0`),
      }),
      ...builder.alert('HostingExporterRestarting', {
        dashboard: 'hosting-exporter',
        expr: (severity) =>
          builder.beyondSetting(
            'HostingExporterRestarting',
            severity,
            `changes(${selector(scope, 'process_start_time_seconds')}[${restartWindow}])`,
          ),
      }),
      ...builder.alert('HostingConfigReloadFailed', {
        dashboard: 'hosting-exporter',
        expr: () =>
          ['config', 'web_config']
            .map((file) => `${latest(scope, `hosting_exporter_${file}_last_reload_successful`)} == 0`)
            .join('\nor\n'),
      }),
      ...builder.alert('HostingStateNotSaved', {
        dashboard: 'hosting-exporter',
        expr: () => `${latest(scope, 'hosting_exporter_state_save_success')} == 0`,
      }),
      ...builder.alert('HostingAccountMissing', {
        dashboard: 'hosting-fleet',
        comment: 'Does not fire while an exporter is down, because that explains missing accounts.',
        expr: () =>
          [
            records.unreported,
            'and ignoring (account)',
            `group ${without(scope)} (${newestUp} == 1)`,
            'unless ignoring (account)',
            `group ${without(scope)} (${newestUp} == 0)`,
          ].join('\n'),
      }),
    ],
  };
}

/** Rules about the provider: whether the API answers, accepts the credentials, and accepts enough calls. */
export function providerRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const limitWindow = builder.parameter('HostingApiLimitHit', 'window');
  const queueWindow = builder.parameter('HostingApiBudgetExhausted', 'window');
  const refusedCalls = selector(scope, 'hosting_exporter_api_request_failures_total', 'reason="limit"');
  const share = (accounts: string, minimum: string) =>
    [
      `count without (account) (${accounts})`,
      '/',
      `(count without (account) (${records.accountUp}) >= ${minimum})`,
    ].join('\n');
  const mostUnreachable = (severity: 'critical') =>
    builder.beyondSetting('HostingProviderUnreachable', severity, records.unreachableShare);
  const mostRejected = (severity: 'critical') =>
    builder.beyondSetting('HostingMostLoginsRejected', severity, records.rejectedShare);

  return {
    name: 'hosting-provider',
    rules: [
      { record: records.accountUp, expr: figures.accountUp.expression(scope) },
      {
        record: records.rejected,
        expr: `group ${without(scope, 'collector', 'reason')} (${latest(scope, failing, 'reason="auth"')})\nand\n${records.accountUp} == 0`,
      },
      {
        record: records.unreachable,
        expr: `${records.accountUp} == 0\nunless\n${records.rejected}`,
        comment:
          'Excludes accounts with rejected credentials, because the API answers for them. The next record counts these accounts only in its denominator.',
      },
      {
        record: records.unreachableShare,
        expr: share(records.unreachable, builder.parameter('HostingProviderUnreachable', 'accounts')),
      },
      {
        record: records.rejectedShare,
        expr: share(records.rejected, builder.parameter('HostingMostLoginsRejected', 'accounts')),
      },
      ...builder.alert('HostingProviderUnreachable', {
        dashboard: 'hosting-exporter',
        expr: (severity) => builder.beyondSetting('HostingProviderUnreachable', severity, records.unreachableShare),
      }),
      ...builder.alert('HostingAccountUnreachable', {
        dashboard: 'hosting-exporter',
        expr: () => `${records.unreachable}\nunless ignoring (account)\n${mostUnreachable('critical')}`,
      }),
      ...builder.alert('HostingMostLoginsRejected', {
        dashboard: 'hosting-exporter',
        expr: (severity) => builder.beyondSetting('HostingMostLoginsRejected', severity, records.rejectedShare),
      }),
      ...builder.alert('HostingCredentialsRejected', {
        dashboard: 'hosting-exporter',
        expr: () => `${records.rejected}\nunless ignoring (account)\n${mostRejected('critical')}`,
      }),
      ...builder.alert('HostingApiLimitHit', {
        dashboard: 'hosting-exporter',
        expr: () => `sum ${without(scope, 'reason')} (increase(${refusedCalls}[${limitWindow}])) > 0`,
      }),
      ...builder.alert('HostingApiBudgetExhausted', {
        dashboard: 'hosting-exporter',
        expr: () =>
          `max ${without(scope)} (min_over_time(${selector(scope, 'hosting_exporter_api_queue_length')}[${queueWindow}])) > 0`,
      }),
    ],
  };
}

/** Rules about each collector of each account: whether its data is fresh and complete, and its calls are permitted. */
export function collectorRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const interval = figures.collectorInterval.expression(scope);
  const refused = (...matchers: string[]) =>
    `max ${without(scope, 'reason')} (${latest(scope, failing, 'reason="permission"', ...matchers)})\nand\n${builder.collectorSuccess()} == 0`;

  return {
    name: 'hosting-collectors',
    rules: [
      {
        record: records.freshSince,
        expr: freshSince(builder),
        comment:
          'The time of the newest successful poll. After a restart without saved state, the last recorded time is kept. If no\nexporter reports the collector, the last recorded time is kept until it is a day old. If no poll has ever succeeded, the\nrecord is the time at which the collector first appeared.',
      },
      {
        record: records.held,
        expr: [
          `${records.freshSince} > time() - ${builder.seconds('1d')}`,
          'and',
          '(',
          `    ${builder.collectorSuccess()} == 0`,
          '  or',
          `    ${records.freshSince} and ignoring (collector) ${records.unreported}`,
          ')',
        ].join('\n'),
        comment:
          'Selects collectors whose last known figures are used for at most a day, because their newest poll failed or no exporter\nreports the account. Another alert names the cause.',
      },
      {
        record: records.coveredUntil,
        expr: outageEnd(builder),
        comment: 'The last time at which another alert fired that explains why the account could not be polled.',
      },
      ...builder.alert('HostingPollFailing', {
        dashboard: 'hosting-exporter',
        comment:
          'Ignores refused methods, which HostingPermissionMissing reports. After an outage that another alert reported, each collector again has\nthe allowed number of intervals for its first successful poll.',
        expr: (severity) => {
          const allowed = (margin: number) =>
            [
              `${interval}`,
              '* ignoring (collector) group_left ()',
              builder.accountThreshold('HostingPollFailing', severity, margin, interval, 'collector'),
            ].join('\n');
          return [
            builder.withHysteresis('HostingPollFailing', severity, (margin) =>
              [`time() - ${records.freshSince}`, '>=', '(', allowed(margin), ')'].join('\n'),
            ),
            'unless',
            `(${refused()})`,
            'unless',
            '(',
            allowed(0),
            '> ignoring (collector) group_left ()',
            `(time() - ${records.coveredUntil})`,
            ')',
          ].join('\n');
        },
      }),
      ...builder.alert('HostingSeriesDropped', {
        dashboard: 'hosting-exporter',
        expr: () => `${figures.collectorDropped.expression(scope)} > 0`,
      }),
      ...builder.alert('HostingPermissionMissing', {
        dashboard: 'hosting-exporter',
        comment: 'warning: the collector account, which reads disk space and money. info: all other collectors.',
        expr: (severity) => refused(severity === 'info' ? 'collector!="account"' : 'collector="account"'),
      }),
    ],
  };
}

function freshSince(builder: RuleBuilder): string {
  const { scope } = builder;
  const interval = figures.collectorInterval.expression(scope);
  if (builder.stateless) {
    return [
      `max ${without(scope)} (max_over_time(${selector(scope, lastSuccess)}[${builder.duration('1d')}]))`,
      'or',
      `min ${without(scope)} (min_over_time(timestamp(${selector(scope, 'hosting_exporter_collector_interval_seconds')})[${builder.duration('1d')}:${builder.duration('5m')}]))`,
    ].join('\n');
  }
  const last = `last_over_time(${records.freshSince}[${builder.parameter('HostingPollFailing', 'memory')}])`;
  return [
    figures.lastSuccess.expression(scope),
    'or',
    // Keeps the last recorded time. The current value of the record shows whether this time is too old, without a second range.
    `(${last} unless (${records.freshSince} <= time() - ${builder.seconds('1d')} unless ${interval}))`,
    'or',
    `time() + 0 * ${interval}`,
  ].join('\n');
}

/** The time at which the newest outage ended that another alert than HostingPollFailing reported; now while the outage lasts. */
function outageEnd(builder: RuleBuilder): string {
  const { scope } = builder;
  const now = `time() + 0 * ${records.accountUp}`;
  if (builder.stateless) {
    const down = `timestamp(${selector(scope, 'hosting_up')} == 0)`;
    return `max ${without(scope)} (max_over_time((${down})[${builder.duration('1d')}:${builder.duration('5m')}]))`;
  }
  const ofAllAccounts = ['HostingProviderUnreachable', 'HostingMostLoginsRejected'] as const;
  const ofOneAccount = ['HostingAccountUnreachable', 'HostingCredentialsRejected'] as const;
  const firing = [...ofAllAccounts, ...ofOneAccount].flatMap((alert) =>
    severities
      .filter((severity) => builder.has(alert, severity))
      .map((severity) => {
        const more = (ofAllAccounts as readonly string[]).includes(alert) ? ['account'] : [];
        return `${now} and ${builder.firing(alert, severity, ...more)}`;
      }),
  );
  const last = `last_over_time(${records.coveredUntil}[${builder.parameter('HostingPollFailing', 'memory')}])`;
  return [...firing, last].join('\nor\n');
}
