import { collectors } from '../collectors/list.ts';
import { duration, seconds } from './duration.ts';
import { figures, type Scope, selector, without } from './figures.ts';
import type { RecordingRule, RuleGroup, RuleWriter } from './rule.ts';
import { ask, label, list, type Part, value } from './text.ts';

const answers = 'account:hosting_up:max';
const rejections = 'account:hosting_exporter_api_auth_failures:increase';
const refused = 'account_collector:hosting_exporter_permission_refused:increase';
const freshSince = 'account_collector:hosting_exporter_fresh_timestamp_seconds:max';

function failures(scope: Scope, ...matchers: string[]): string {
  return selector(scope, 'hosting_exporter_api_request_failures_total', ...matchers);
}

function reasons(before: string, ...by: string[]): Part {
  const query = (scope: Scope) => `sort_desc(sum by (reason) (increase(${failures(scope)}[1h])) > 0)`;
  return list(before, query, 'reason', by);
}

/**
 * Exporters that do not answer and that leave accounts to nobody: no other one is up, or some account that this one
 * reported within `memory` is reported by no other.
 */
export function watchedByNobody(scope: Scope, memory: string): readonly [alone: string, orphans: string] {
  const copies = `ignoring (${scope.replicaLabels.join(', ')})`;
  const up = selector(scope, 'up');
  const hostingUp = selector(scope, 'hosting_up');
  return [
    `(${up} == 0 unless ${copies} (${up} == 1))`,
    `(${up} == 0 and ignoring (account) (last_over_time(${hostingUp}[${memory}]) unless ${copies} ${hostingUp}))`,
  ];
}

/** The exporter itself: does Prometheus reach it, and does it run as configured? */
export function exporterRules(writer: RuleWriter): RuleGroup {
  const { scope } = writer;
  const up = selector(scope, 'up');
  const hostingUp = selector(scope, 'hosting_up');
  const known = `last_over_time(${hostingUp}[${writer.knob('HostingAccountMissing', 'memory')}])`;
  const deserted = watchedByNobody(scope, writer.knob('HostingExporterDown', 'memory'));

  return {
    name: 'hosting-exporter',
    rules: [
      ...writer.alert('HostingExporterAbsent', {
        summary: 'Hosting exporter is not among the targets of Prometheus.',
        description: [
          'Prometheus has no target for job ',
          label('job'),
          ': removed from its configuration, or no longer discovered. No account is watched.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `absent(${up})`,
      }),
      ...writer.alert('HostingExporterDown', {
        summary: 'Hosting exporter does not answer Prometheus.',
        description: (severity) => [
          'Prometheus cannot scrape the exporter ',
          label('instance'),
          ' of job ',
          label('job'),
          severity === 'critical'
            ? '. Its accounts are watched by nobody.'
            : '. Its accounts are watched by another exporter; there is no spare.',
        ],
        dashboard: 'hosting-exporter',
        comment: 'critical: no other exporter is up, or some account of this one is reported by no other.',
        expr: (severity) => (severity === 'critical' ? deserted.join('\nor\n') : `${up} == 0`),
      }),
      ...writer.alert('HostingConfigReloadFailed', {
        summary: 'Hosting exporter could not load its changed configuration.',
        description: [
          'The exporter ',
          label('instance'),
          ' of job ',
          label('job'),
          ' runs with its old configuration because the new one has an error; its log says where.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${selector(scope, 'hosting_exporter_config_last_reload_successful')} == 0`,
      }),
      ...writer.alert('HostingAccountMissing', {
        summary: 'Hosting account is no longer watched.',
        description: [
          'Account ',
          label('account'),
          ' was configured within the last day and is gone, though every exporter of job ',
          label('job'),
          ' answers. No alert about it can fire any more.',
        ],
        dashboard: 'hosting-fleet',
        comment: 'Not while an exporter is down: then its accounts are gone for a known reason.',
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

/** The way to the provider: does the API answer, does it let us in, does it let us ask often enough? */
export function providerRules(writer: RuleWriter): RuleGroup {
  const { scope } = writer;
  const authWindow = writer.knob('HostingCredentialsRejected', 'window');
  const limitWindow = writer.knob('HostingApiLimitHit', 'window');
  const queueWindow = writer.knob('HostingApiBudgetExhausted', 'window');

  return {
    name: 'hosting-provider',
    rules: [
      { record: answers, expr: figures.accountUp.expression(scope) },
      {
        record: rejections,
        expr: `sum ${without(scope, 'method', 'reason')} (increase(${failures(scope, 'reason="auth"')}[${authWindow}]))`,
      },
      ...writer.alert('HostingProviderUnreachable', {
        summary: 'Most hosting accounts get no answer from the provider.',
        description: [
          'No answer for ',
          value('percent'),
          ' of the accounts of job ',
          label('job'),
          reasons('; reasons in the last hour: '),
          ". The provider's API is down, or this network's way to it. Figures of these accounts are dropped as they get old.",
        ],
        dashboard: 'hosting-exporter',
        comment:
          'An account with rejected credentials did get an answer: it counts among all accounts, not among these.',
        expr: (severity) =>
          [
            `count without (account) ((${answers} == 0) unless (${rejections} > 0))`,
            '/',
            `(count without (account) (${answers}) >= ${writer.knob('HostingProviderUnreachable', 'accounts')})`,
            `>= ${writer.threshold('HostingProviderUnreachable', severity)}`,
          ].join('\n'),
      }),
      ...writer.alert('HostingCredentialsRejected', {
        summary: 'Hosting provider rejects the credentials of an account.',
        description: [
          'The provider rejects the API login or password of account ',
          label('account'),
          '; its figures are no longer updated. Trying again does not help: somebody must correct them.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${answers} == 0\nand\n${rejections} > 0`,
      }),
      ...writer.alert('HostingApiLimitHit', {
        summary: 'Hosting provider refuses calls because its limit is used up.',
        description: [
          'The provider refused ',
          value('whole'),
          ' calls for account ',
          label('account'),
          ask(' though the exporter keeps to ', figures.requestBudget.expression, 'whole', ' calls a minute'),
          '. Something else uses the same login: a second exporter, a script, a panel.',
        ],
        dashboard: 'hosting-exporter',
        expr: () =>
          `sum ${without(scope, 'method', 'reason')} (increase(${failures(scope, 'reason="limit"')}[${limitWindow}])) > 0`,
      }),
      ...writer.alert('HostingApiBudgetExhausted', {
        summary: 'Hosting exporter has more calls to make than its budget allows.',
        description: [
          'At least ',
          value('whole'),
          ' calls of account ',
          label('account'),
          ' have been waiting all the time',
          ask('; the budget is ', figures.requestBudget.expression, 'whole', ' calls a minute'),
          '. Polls come late. Raise requests_per_minute, or poll the details less often.',
        ],
        dashboard: 'hosting-exporter',
        expr: () =>
          `max ${without(scope)} (min_over_time(${selector(scope, 'hosting_exporter_api_queue_length')}[${queueWindow}])) > 0`,
      }),
    ],
  };
}

/** Every collector of every account: are its figures fresh, complete, and may it ask for them? */
export function collectorRules(writer: RuleWriter): RuleGroup {
  const { scope } = writer;
  const interval = figures.collectorInterval.expression(scope);
  const failed = `${figures.collectorSuccess.expression(scope)} == 0`;

  return {
    name: 'hosting-collectors',
    rules: [
      ...permissionRecords(writer),
      {
        record: freshSince,
        expr: [
          figures.lastSuccess.expression(scope),
          'or',
          `(last_over_time(${freshSince}[${writer.knob('HostingPollFailing', 'memory')}]) and ${interval})`,
          'or',
          `time() + 0 * ${interval}`,
        ].join('\n'),
        stateless: [
          `max ${without(scope)} (max_over_time(${selector(scope, 'hosting_exporter_collector_last_success_timestamp_seconds')}[${writer.time('1d')}]))`,
          'or',
          `min ${without(scope)} (min_over_time(timestamp(${selector(scope, 'hosting_exporter_collector_interval_seconds')})[${writer.time('1d')}:${writer.time('5m')}]))`,
        ].join('\n'),
        comment:
          'The newest good poll; where the exporter has forgotten it in a restart, what stood here before;\nwhere there never was one, the moment at which the collector was first seen.',
      },
      ...writer.alert('HostingPollFailing', {
        summary: 'Hosting account is not polled with success, its figures get stale.',
        description: [
          'Collector ',
          label('collector'),
          ' of account ',
          label('account'),
          ' has had no good poll for ',
          value('duration'),
          ask('; one is due every ', figures.collectorInterval.expression, 'duration', '', ['account', 'collector']),
          reasons('. Failures of the account in the last hour: ', 'account'),
          '. Ten minutes after three turns these figures are dropped, and their alerts end without being solved.',
        ],
        dashboard: 'hosting-exporter',
        comment: 'A missing permission has an alert of its own.',
        expr: (severity) =>
          [
            '(',
            `    time() - ${freshSince}`,
            '  >=',
            `    ${interval}`,
            '  * ignoring (collector) group_left ()',
            indent(writer.limit('HostingPollFailing', severity, interval, 'collector'), 4),
            ')',
            'unless',
            `(${refused} and ${failed})`,
          ].join('\n'),
      }),
      ...writer.alert('HostingSeriesDropped', {
        summary: 'Hosting exporter drops series because of its cap.',
        description: [
          'Collector ',
          label('collector'),
          ' of account ',
          label('account'),
          ' has left out ',
          value('whole'),
          ' series that go beyond max_series. Some sites or databases are not watched: raise it, or switch the collector off.',
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${figures.collectorDropped.expression(scope)} > 0`,
      }),
      ...writer.alert('HostingPermissionMissing', {
        summary: 'Hosting provider does not permit the API user to call a method.',
        description: [
          'Collector ',
          label('collector'),
          ' of account ',
          label('account'),
          " may not call its method. Permit the section in the provider's panel, or switch the collector off.",
        ],
        dashboard: 'hosting-exporter',
        expr: () => `${refused}\nand\n${failed}`,
      }),
    ],
  };
}

/** Seconds for which the exporter does not repeat a refused call; a turn comes at most one interval later. */
const pauseAfterRefusal = 3600;

/** One record a collector, so that a refused method and its stale figures carry the same labels. */
function permissionRecords(writer: RuleWriter): RecordingRule[] {
  return collectors.map(({ name: collector, methods, schedule }, index) => {
    const turn = seconds(schedule);
    const window = writer.time(duration(Math.max(pauseAfterRefusal + 2 * turn, 3 * turn) + 600));
    const methodMatcher = methods.length === 1 ? `method="${methods[0]}"` : `method=~"${methods.join('|')}"`;
    const calls = failures(writer.scope, 'reason="permission"', methodMatcher);
    return {
      record: refused,
      expr: [
        `sum ${without(writer.scope, 'method', 'reason')} (`,
        `    increase(${calls}[${window}]) > 0`,
        '  or',
        `    (${calls} unless ${calls} offset ${window})`,
        ') > 0',
      ].join('\n'),
      labels: { collector },
      ...(index === 0 && {
        comment:
          'Refused calls of each collector, in a time in which it must have tried again.\nA counter that is new may have been seen for the first time after its first refusal, which is no increase.',
      }),
    };
  });
}

function indent(text: string, by: number): string {
  return text.replaceAll(/^/gm, ' '.repeat(by));
}
