import { figures, latest, type Scope, selector, without } from './figures.ts';
import { records } from './records.ts';
import type { RecordingRule, RuleBuilder, RuleGroup } from './rule.ts';
import type { Severity } from './thresholds.ts';

const failing = 'hosting_exporter_collector_failing';

/**
 * Two expressions on raw series. Both select exporters that are down and have no replacement. `onlyOne`: no other exporter is up.
 * `lostAccounts`: no other exporter reports an account that the exporter reported within `memory`.
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

/** Rules that record the accounts which an exporter reports, and those which no exporter reports. */
export function accountRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const { seen, unreported, away, exportersUp } = records;
  const reported = `timestamp(${selector(scope, 'hosting_up')})`;
  const remembered = builder.parameter('HostingAccountMissing', 'memory');
  const allUp = `on (${builder.target}) (${exportersUp} == 1)`;
  const sinceOutage = `${seen} > time() - ${builder.parameterSeconds('HostingExporterDown', 'memory')} unless ${allUp}`;

  return {
    name: 'hosting-accounts',
    rules: [
      {
        record: seen,
        expr: builder.stateless
          ? `max ${without(scope)} (max_over_time(${reported}[${remembered}:${builder.duration('5m')}]))`
          : `max ${without(scope)} (${reported})\nor\n${builder.recent(seen)} > time() - ${builder.parameterSeconds('HostingAccountMissing', 'memory')}`,
        comment: 'The last time at which an exporter reported the account. Kept for a day.',
      },
      {
        record: unreported,
        expr: `group without () (${seen} <= time() - ${builder.seconds('5m')})`,
        comment:
          'Accounts that no exporter has reported for five minutes. Other rules read a figure for ten minutes, so an account appears\nhere before its figures end.',
      },
      {
        record: exportersUp,
        expr: `min by (${builder.target}) (max_over_time(${selector(scope, 'up')}[${scope.window}]))`,
        comment: '1 if all exporters answer, 0 if at least one exporter does not answer.',
      },
      {
        record: away,
        expr: [
          unreported,
          'and',
          '(',
          `  ${seen} > time() - ${builder.seconds('1h')}`,
          '  or',
          builder.stateless ? `  ${sinceOutage}` : `  ${builder.recent(away)} and ${sinceOutage}`,
          ')',
        ].join('\n'),
        comment:
          'Unreported accounts that probably still exist. Either an exporter reported the account within the last hour, or an exporter\nwent down when the account disappeared. Rules use the last known figures of these accounts.',
      },
      ...(builder.stateless
        ? []
        : [{ ...builder.overrides(), comment: 'Thresholds that the configuration of an account overrides.' }]),
      ...builder.accountLabels(),
    ],
  };
}

/** Rules about the exporter: whether Prometheus can scrape it, and whether it runs as configured. */
export function exporterRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const up = selector(scope, 'up');
  const shards = latest(scope, 'hosting_exporter_shards');
  const restartWindow = builder.parameter('HostingExporterRestarting', 'window');
  const restarts = `changes(${selector(scope, 'process_start_time_seconds')}[${restartWindow}])`;

  return {
    name: 'hosting-exporter',
    rules: [
      ...builder.alert('HostingExporterAbsent', { dashboard: 'hosting-exporter', expr: () => `absent(${up})` }),
      {
        record: records.exporterUp,
        expr: `${up} or ${up} offset 30s`,
        comment:
          'With a scrape interval of five minutes, a slow scrape causes a gap without samples. The offset bridges this gap, but not the\nremoval of a target.',
      },
      ...builder.alert('HostingExporterDown', {
        dashboard: 'hosting-exporter',
        comment: 'critical: no exporter is up, or at least one account has no exporter that reports it.',
        expr: (severity) =>
          severity === 'critical'
            ? `${records.exporterUp} == 0\nand on (${builder.target}) (${records.away} or max by (${builder.target}) (${records.exporterUp}) == 0)`
            : `${records.exporterUp} == 0`,
      }),
      { record: records.restarts, expr: restarts },
      ...builder.thresholdAlert('HostingExporterRestarting', {
        dashboard: 'hosting-exporter',
        subject: records.restarts,
      }),
      ...builder.alert('HostingScrapedTooRarely', {
        dashboard: 'hosting-exporter',
        expr: () =>
          `count_over_time(${up}[${builder.duration('1h')}]) < ${builder.parameter('HostingScrapedTooRarely', 'samples')}`,
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
        expr: () =>
          `avg_over_time(${selector(scope, 'hosting_exporter_state_save_success')}[${builder.parameter('HostingStateNotSaved', 'window')}]) < ${builder.parameter('HostingStateNotSaved', 'share')}`,
      }),
      ...builder.alert('HostingShardsDisagree', {
        dashboard: 'hosting-exporter',
        expr: () => `max ${without(scope)} (${shards}) > min ${without(scope)} (${shards})`,
      }),
      ...builder.alert('HostingAccountMissing', {
        dashboard: 'hosting-fleet',
        comment: 'Does not fire while an exporter is down, because the accounts are then missing for this reason.',
        expr: () => `${records.unreported} and on (${builder.target}) (${records.exportersUp} == 1)`,
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
    `count without (account) (${accounts})\n/\n(count without (account) (${records.accountUp}) >= ${minimum})`;
  const unlessMost = (alert: 'HostingProviderUnreachable' | 'HostingMostLoginsRejected', of: string) =>
    builder.has(alert, 'critical') ? `\nunless ignoring (account) (${builder.beyond(alert, 'critical', of)})` : '';

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
        comment: 'Excludes accounts with rejected credentials, because the API answers for these accounts.',
      },
      {
        record: records.unreachableShare,
        expr: share(records.unreachable, builder.parameter('HostingProviderUnreachable', 'accounts')),
      },
      {
        record: records.rejectedShare,
        expr: share(records.rejected, builder.parameter('HostingMostLoginsRejected', 'accounts')),
      },
      ...builder.thresholdAlert('HostingProviderUnreachable', {
        dashboard: 'hosting-exporter',
        subject: records.unreachableShare,
      }),
      ...builder.alert('HostingExporterCannotPoll', {
        dashboard: 'hosting-exporter',
        comment: 'critical: no other exporter polls these accounts. warning: another exporter polls them.',
        before: (severity) => [exporterShare(builder, severity)],
        expr: (severity) => {
          const share = `${records.exporterShare}{severity="${severity}"} >= ${builder.parameter('HostingExporterCannotPoll', 'share')}`;
          const explained = severity === 'critical' && builder.has('HostingProviderUnreachable', 'critical');
          return explained
            ? `${share}\nunless on (${builder.target}) ${builder.beyond('HostingProviderUnreachable', 'critical', records.unreachableShare)}`
            : share;
        },
      }),
      ...builder.alert('HostingAccountUnreachable', {
        dashboard: 'hosting-exporter',
        expr: () => `${records.unreachable}${unlessMost('HostingProviderUnreachable', records.unreachableShare)}`,
      }),
      ...builder.thresholdAlert('HostingMostLoginsRejected', {
        dashboard: 'hosting-exporter',
        subject: records.rejectedShare,
      }),
      ...builder.alert('HostingCredentialsRejected', {
        dashboard: 'hosting-exporter',
        expr: () => `${records.rejected}${unlessMost('HostingMostLoginsRejected', records.rejectedShare)}`,
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

/** Records the share of its accounts that each exporter cannot poll. critical: counts only accounts that no other exporter can poll. */
function exporterShare(builder: RuleBuilder, severity: Severity): RecordingRule {
  const up = latest(builder.scope, 'hosting_up');
  const [counted, least] =
    severity === 'critical'
      ? [records.unreachable, builder.parameter('HostingExporterCannotPoll', 'accounts')]
      : [`${records.accountUp} == 1`, 1];
  const failed = `${up} == 0 and on (${builder.target}, account) ${counted}`;
  const expr = `count without (account) (${failed})\n/\n(count without (account) (${up}) >= ${least})`;
  return { record: records.exporterShare, expr, labels: { severity } };
}
