import { collectors } from '../collectors/list.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { figures, type Scope, selector, without } from './figures.ts';
import type { RecordingRule, RuleBuilder, RuleGroup } from './rule.ts';
import { label, queryLabels, queryValue, type TemplatePart, value } from './template.ts';

const accountUp = 'account:hosting_up:max';
const rejections = 'account:hosting_exporter_api_auth_failures:increase';
const refused = 'account_collector:hosting_exporter_permission_refused:increase';
const freshSince = 'account_collector:hosting_exporter_fresh_timestamp_seconds:max';

function failures(scope: Scope, ...matchers: string[]): string {
  return selector(scope, 'hosting_exporter_api_request_failures_total', ...matchers);
}

function failureReasons(before: string, ...by: string[]): TemplatePart {
  const query = (scope: Scope) => `sort_desc(sum by (reason) (increase(${failures(scope)}[1h])) > 0)`;
  return queryLabels(before, query, 'reason', by);
}

/**
 * Two expressions for exporters that are down and leave accounts unmonitored: no other exporter is up, or no other
 * exporter reports an account that this one reported within `memory`.
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

/** The exporter: whether Prometheus can scrape it, and whether it runs as configured. */
export function exporterRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const up = selector(scope, 'up');
  const hostingUp = selector(scope, 'hosting_up');
  const known = `last_over_time(${hostingUp}[${builder.parameter('HostingAccountMissing', 'memory')}])`;
  const unmonitored = downWithoutReplacement(scope, builder.parameter('HostingExporterDown', 'memory'));

  return {
    name: 'hosting-exporter',
    rules: [
      ...builder.alert('HostingExporterAbsent', {
        summary: 'Prometheus has no target for the hosting exporter.',
        description: [
          'Prometheus has no target for job ',
          label('job'),
          ': it was removed from the configuration or is no longer discovered. No account is monitored.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `absent(${up})`,
      }),
      ...builder.alert('HostingExporterDown', {
        summary: 'Hosting exporter is down.',
        description: (severity) => [
          'Prometheus cannot scrape exporter ',
          label('instance'),
          ' of job ',
          label('job'),
          severity === 'critical'
            ? '. At least one of its accounts is not monitored.'
            : '. Unless the critical alert fires as well, another exporter still monitors its accounts.',
        ],
        dashboard: 'hosting-exporter',
        comment: 'critical: no other exporter is up, or no other exporter reports one of its accounts.',
        expr: (severity) => (severity === 'critical' ? unmonitored.join('\nor\n') : `${up} == 0`),
      }),
      ...builder.alert('HostingConfigReloadFailed', {
        summary: 'Hosting exporter failed to reload its configuration.',
        description: [
          'Exporter ',
          label('instance'),
          ' of job ',
          label('job'),
          ' keeps its previous configuration because the new one has an error. The log names the file, line and key. The exporter does not start with this configuration.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${selector(scope, 'hosting_exporter_config_last_reload_successful')} == 0`,
      }),
      ...builder.alert('HostingAccountMissing', {
        summary: 'Hosting account is no longer monitored.',
        description: [
          'Account ',
          label('account'),
          ' was configured within the last day, but is no longer reported although all exporters of job ',
          label('job'),
          ' are up. No alert about this account can fire.',
        ],
        dashboard: 'hosting-fleet',
        comment: 'Does not fire while an exporter is down, which explains missing accounts.',
        expr: () =>
          [
            `group ${without(scope)} (${known})`,
            'unless',
            `group ${without(scope)} (${hostingUp})`,
            'and ignoring (account)',
            `group ${without(scope)} (${up} == 1)`,
            'unless ignoring (account)',
            `group ${without(scope)} (${up} == 0)`,
          ].join('\n'),
      }),
    ],
  };
}

/** The connection to the provider: whether the API answers, accepts the credentials, and accepts enough calls. */
export function providerRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const authWindow = builder.parameter('HostingCredentialsRejected', 'window');
  const limitWindow = builder.parameter('HostingApiLimitHit', 'window');
  const queueWindow = builder.parameter('HostingApiBudgetExhausted', 'window');

  return {
    name: 'hosting-provider',
    rules: [
      { record: accountUp, expr: figures.accountUp.expression(scope) },
      {
        record: rejections,
        expr: `sum ${without(scope, 'method', 'reason')} (increase(${failures(scope, 'reason="auth"')}[${authWindow}]))`,
      },
      ...builder.alert('HostingProviderUnreachable', {
        summary: 'Hosting provider does not answer for most accounts.',
        description: [
          'The API does not answer for ',
          value('percent'),
          ' of the accounts of job ',
          label('job'),
          failureReasons('; failure reasons in the last hour: '),
          '. It is down, or the exporter cannot reach it. The data of these accounts becomes stale and then expires.',
        ],
        dashboard: 'hosting-exporter',
        comment: 'An account with rejected credentials did get an answer: it counts in the total only.',
        expr: (severity) =>
          [
            `count without (account) ((${accountUp} == 0) unless (${rejections} > 0))`,
            '/',
            `(count without (account) (${accountUp}) >= ${builder.parameter('HostingProviderUnreachable', 'accounts')})`,
            `>= ${builder.threshold('HostingProviderUnreachable', severity)}`,
          ].join('\n'),
      }),
      ...builder.alert('HostingCredentialsRejected', {
        summary: 'Hosting provider rejects the credentials of an account.',
        description: [
          'The API rejects the login or password of account ',
          label('account'),
          '. Its data is no longer updated. Retrying does not help: correct the credentials.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${accountUp} == 0\nand\n${rejections} > 0`,
      }),
      ...builder.alert('HostingApiLimitHit', {
        summary: 'Hosting provider refuses API calls because of its limit.',
        description: [
          'The API refused ',
          value('whole'),
          ' calls of account ',
          label('account'),
          ' because of its limit per minute',
          queryValue(
            ', although the exporter sends at most ',
            figures.requestBudget.expression,
            'whole',
            ' per minute',
          ),
          '. Another client probably uses the same login, such as a second exporter or a script.',
        ],
        dashboard: 'hosting-exporter',
        expr: () =>
          `sum ${without(scope, 'method', 'reason')} (increase(${failures(scope, 'reason="limit"')}[${limitWindow}])) > 0`,
      }),
      ...builder.alert('HostingApiBudgetExhausted', {
        summary: 'Hosting exporter needs more API calls than its budget allows.',
        description: [
          'At least ',
          value('whole'),
          ' calls of account ',
          label('account'),
          ' have been waiting in the queue continuously',
          queryValue('; the budget is ', figures.requestBudget.expression, 'whole', ' calls per minute'),
          '. Polls are late. Increase requests_per_minute, or poll the fan-out collectors less often.',
        ],
        dashboard: 'hosting-exporter',
        expr: () =>
          `max ${without(scope)} (min_over_time(${selector(scope, 'hosting_exporter_api_queue_length')}[${queueWindow}])) > 0`,
      }),
    ],
  };
}

/** Every collector of every account: whether its data is fresh and complete, and whether its calls are permitted. */
export function collectorRules(builder: RuleBuilder): RuleGroup {
  const { scope } = builder;
  const interval = figures.collectorInterval.expression(scope);
  const failed = `${figures.collectorSuccess.expression(scope)} == 0`;

  return {
    name: 'hosting-collectors',
    rules: [
      ...permissionRecords(builder),
      {
        record: freshSince,
        expr: [
          figures.lastSuccess.expression(scope),
          'or',
          `(last_over_time(${freshSince}[${builder.parameter('HostingPollFailing', 'memory')}]) and ${interval})`,
          'or',
          `time() + 0 * ${interval}`,
        ].join('\n'),
        stateless: [
          `max ${without(scope)} (max_over_time(${selector(scope, 'hosting_exporter_collector_last_success_timestamp_seconds')}[${builder.duration('1d')}]))`,
          'or',
          `min ${without(scope)} (min_over_time(timestamp(${selector(scope, 'hosting_exporter_collector_interval_seconds')})[${builder.duration('1d')}:${builder.duration('5m')}]))`,
        ].join('\n'),
        comment:
          'The newest successful poll. If the exporter lost it in a restart, the last recorded value.\nIf there never was one, the time at which the collector first appeared.',
      },
      ...builder.alert('HostingPollFailing', {
        summary: 'Data of a hosting account is stale.',
        description: [
          'Collector ',
          label('collector'),
          ' of account ',
          label('account'),
          ' has had no successful poll for ',
          value('duration'),
          queryValue('; its interval is ', figures.collectorInterval.expression, 'duration', '', [
            'account',
            'collector',
          ]),
          failureReasons('. Failure reasons of the account in the last hour: ', 'account'),
          '. By default, the data expires ten minutes after three intervals; alerts based on it then resolve although nothing was fixed.',
        ],
        dashboard: 'hosting-exporter',
        comment: 'HostingPermissionMissing covers refused methods.',
        expr: (severity) =>
          [
            '(',
            `    time() - ${freshSince}`,
            '  >=',
            `    ${interval}`,
            '  * ignoring (collector) group_left ()',
            indent(builder.accountThreshold('HostingPollFailing', severity, interval, 'collector'), 4),
            ')',
            'unless',
            `(${refused} and ${failed})`,
          ].join('\n'),
      }),
      ...builder.alert('HostingSeriesDropped', {
        summary: 'Hosting exporter drops series because of max_series.',
        description: [
          'Collector ',
          label('collector'),
          ' of account ',
          label('account'),
          ' dropped ',
          value('whole'),
          ' series because of max_series. Some sites, databases or domains are not monitored. Raise max_series, or disable the collector.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${figures.collectorDropped.expression(scope)} > 0`,
      }),
      ...builder.alert('HostingPermissionMissing', {
        summary: 'Hosting account does not permit an API method.',
        description: [
          'Collector ',
          label('collector'),
          ' of account ',
          label('account'),
          " fails because its API method is not permitted. Tick the section in the provider's control panel, or disable the collector.",
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${refused}\nand\n${failed}`,
      }),
    ],
  };
}

/** Seconds for which the exporter does not repeat a refused call. The next run follows at most one interval later. */
const pauseAfterRefusal = 3600;

/** One recording rule per collector, so that refused calls get the label `collector` of the other metrics. */
function permissionRecords(builder: RuleBuilder): RecordingRule[] {
  return collectors.map(({ name: collector, methods, schedule }, index) => {
    const interval = parseDuration(schedule);
    const window = builder.duration(formatDuration(Math.max(pauseAfterRefusal + 2 * interval, 3 * interval) + 600));
    const methodMatcher = methods.length === 1 ? `method="${methods[0]}"` : `method=~"${methods.join('|')}"`;
    const calls = failures(builder.scope, 'reason="permission"', methodMatcher);
    return {
      record: refused,
      expr: [
        `sum ${without(builder.scope, 'method', 'reason')} (`,
        `    increase(${calls}[${window}]) > 0`,
        '  or',
        `    (${calls} unless ${calls} offset ${window})`,
        ') > 0',
      ].join('\n'),
      labels: { collector },
      ...(index === 0 && {
        comment:
          'Refused calls of each collector, in a window in which it has tried again.\nThe first sample of a new counter may already include a refusal, which increase() does not count.',
      }),
    };
  });
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by));
}
