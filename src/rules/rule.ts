import { scaleDuration } from './duration.ts';
import { latest, type Scope, selector, without } from './figures.ts';
import { records } from './records.ts';
import { decimal, RuleSettings } from './rule-settings.ts';
import type { Settings } from './settings.ts';
import type { Template } from './template.ts';
import { texts } from './texts.ts';
import { type AlertName, type Detail, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The comment above the rule in the YAML files. */
  readonly comment?: string;
}

/** The dashboard that an alert links to. */
export type Dashboard = 'hosting-fleet' | 'hosting-account' | 'hosting-workload' | 'hosting-exporter';

/** One severity of one alert. */
export interface AlertingRule {
  readonly alert: AlertName;
  readonly severity: Severity;
  readonly expr: string;
  readonly for: string;
  readonly keepFiringFor: string | undefined;
  readonly summary: string;
  readonly description: Template;
  readonly dashboard: Dashboard;
  readonly comment: string | undefined;
}

export type Rule = RecordingRule | AlertingRule;

/** Prometheus evaluates the rules of a group in order at one timestamp. A rule can read the records of the rules above it. */
export interface RuleGroup {
  readonly name: string;
  /** The evaluation interval of the group; undefined for the default interval of Prometheus. */
  readonly interval?: string | undefined;
  readonly rules: readonly Rule[];
}

/** The parts that all severities of an alert share. */
export interface AlertDefinition {
  readonly dashboard: Dashboard;
  readonly comment?: string;
  readonly expr: (severity: Severity) => string;
  /** Recording rules for one severity. They are evaluated directly before the alert. */
  readonly before?: (severity: Severity) => readonly RecordingRule[];
}

/** An alert that compares a recorded series with the threshold of each account, or of each target. */
export interface ThresholdAlert {
  readonly dashboard: Dashboard;
  readonly comment?: string;
  /** The compared record, or an expression that keeps the labels of the record. */
  readonly subject: string;
  /** Further conditions, each beginning with a set operator. */
  readonly also?: (severity: Severity) => readonly string[];
}

/** The labels that identify each kind of detail. */
const detailLabels: Readonly<Record<Detail, string>> = {
  collector: 'collector',
  database: 'database',
  domain: 'domain',
  kind: 'kind',
  renewal: 'domain, status',
  site: 'site_id, site',
};

/** Maximum age of a sample that a rule reads. With a scrape interval of a minute, this age bridges nine failed scrapes in a row. */
const maximumAge = '10m';

/** The scope of all rules: the selector and the replica labels of the settings. */
export function scopeOf({ selector, replicaLabels, timeFactor }: Settings): Scope {
  const matchers = Object.entries(selector).map(([name, value]) => `${name}="${value}"`);
  return { matchers: matchers.join(','), replicaLabels, window: scaleDuration(maximumAge, timeFactor) };
}

/** The maximum age of the last known value of a figure. */
const memory = '1d';

/** The maximum age of the last known value of an account field while successful polls omit the field. */
export const omittedFieldMemory = '6h';

/** The metric with the thresholds that accounts override. */
const overrideMetric = 'hosting_account_alert_threshold';

/** Maximum age of a record that a rule reads. Bridges a downtime of Prometheus of up to an hour. */
const recordMemory = '1h';

/** For groups that read hours or days of data: their interval, and the maximum age at which other rules read their records. */
const slow = { interval: '15m', window: '1h' } as const;

/** The interval of groups about details of accounts. This interval is below the lookback delta of Prometheus (5 minutes). */
const detailInterval = '3m';

/** A figure whose last known value is used while its collector fails or its account is not reported. */
export interface RememberedFigure {
  readonly record: string;
  /** The value of the label `kind` of the record. */
  readonly kind?: string;
  readonly collector: string;
  /** The expression of the current value. */
  readonly current: string;
  /** Labels of the figure in addition to those of the account. */
  readonly detail?: readonly string[];
  /** A record. Each series that it contains keeps its last known value even if a successful poll omits the series. */
  readonly known?: string;
}

/** Builds rules with the thresholds, parameters and durations of the settings. */
export class RuleBuilder extends RuleSettings {
  readonly scope: Scope;
  /** True for Grafana-managed alerts: their rules can read neither `ALERTS` nor past values of recorded series. */
  readonly stateless: boolean;

  constructor(settings: Settings, { stateless = false } = {}) {
    super(settings);
    this.stateless = stateless;
    this.scope = scopeOf(settings);
  }

  /**
   * The current value of a figure, or its last known value of at most a day ago. The last known value is used only while
   * another alert names the cause of failed polls, or while the record `known` contains the figure.
   */
  remembered({ record, kind, collector, current, detail = [], known }: RememberedFigure): string {
    const ignored = ['collector', ...detail, ...(kind === undefined ? [] : ['kind'])];
    const matching = `ignoring (${ignored.join(', ')})`;
    if (this.stateless) {
      // Limitation: if the collector fails, the result contains all series of the last six hours, even series that ended earlier.
      const failed = `${this.collectorSuccess(collector)} == 0`;
      const past = `last_over_time((${current})[${this.duration(omittedFieldMemory)}:5m])`;
      return known === undefined ? `${current}\nor\n${past} and ${matching} (${failed})` : `${current}\nor\n${past}`;
    }
    const kindMatcher = kind === undefined ? '' : `{kind="${kind}"}`;
    const last = this.recent(`${record}${kindMatcher}`);
    // Ignore `kind`: the recorded series has this label, but the current value does not.
    const or = kind === undefined ? 'or' : 'or ignoring (kind)';
    const held = `last_over_time(${records.held}{collector="${collector}"}[${this.scope.window}])`;
    const lines = [current, or, `${last} and ${matching} ${held}`];
    if (known !== undefined) lines.push(`or ${last} and ${known}`);
    return lines.join('\n');
  }

  /** The newest sample of a record, also after a restart of Prometheus. */
  recent(record: string): string {
    return this.stateless ? record : `last_over_time(${record}[${this.duration(recordMemory)}])`;
  }

  /** The newest sample of a record of a slow group, also after a restart of Prometheus. */
  slow(record: string): string {
    return this.stateless ? record : `last_over_time(${record}[${this.duration(slow.window)}])`;
  }

  /** A range of a record. In Grafana-managed alerts, which have no records: a subquery with this step. */
  range(record: string, range: string, step: string): string {
    return `${record}[${this.duration(range)}${this.stateless ? `:${this.duration(step)}` : ''}]`;
  }

  /** A group whose rules read hours or days of data. */
  slowGroup(name: string, rules: readonly Rule[]): RuleGroup {
    return { name, interval: this.duration(slow.interval), rules };
  }

  /** A group about details of accounts, such as sites. Evaluated less often, because accounts have many details. */
  detailGroup(name: string, rules: readonly Rule[]): RuleGroup {
    return { name, interval: this.duration(detailInterval), rules };
  }

  /** 1 if the newest poll of the collector succeeded completely, otherwise 0. Without `collector`: all collectors. */
  collectorSuccess(collector?: string): string {
    const matchers = collector === undefined ? [] : [`collector="${collector}"`];
    return `max ${without(this.scope)} (${latest(this.scope, 'hosting_exporter_collector_success', ...matchers)})`;
  }

  /** The rules if any severity of the alert is on, otherwise none. */
  ifOn(alert: AlertName, ...rules: readonly RecordingRule[]): readonly RecordingRule[] {
    return this.settings.alerts[alert] === undefined ? [] : rules;
  }

  /** Records the thresholds that accounts override. An account that is not reported keeps its last recorded thresholds. */
  overrides(): RecordingRule {
    const newest = `max ${without(this.scope)} (${latest(this.scope, overrideMetric)})`;
    const last = `${this.recent(records.overrides)} and ignoring (alert, severity) ${records.unreported}`;
    return { record: records.overrides, expr: `${newest}\nor\n${last}` };
  }

  /** The thresholds of the accounts that override the threshold of an alert. */
  override(alert: AlertName, severity: Severity): string {
    const matchers = [`alert="${alert}"`, `severity="${severity}"`];
    if (!this.stateless) return `max without (alert, severity) (${records.overrides}{${matchers.join(',')}})`;
    const within = (window: string) =>
      `max ${without(this.scope, 'alert', 'severity')} (${latest({ ...this.scope, window }, overrideMetric, ...matchers)})`;
    return `${within(this.duration(maximumAge))}\nor\n${within(this.duration(memory))} and ${records.unreported}`;
  }

  /** The series of alerts that fired in the last hour, with the same labels as their thresholds. */
  firingAlerts(): string {
    const { labels, accountLabels, severityNames } = this.settings;
    const added = ['alertname', 'alertstate', ...Object.keys(labels), ...accountLabels];
    const series = selector(this.scope, 'ALERTS', 'alertname=~"Hosting.+"', 'alertstate="firing"');
    const renamed = severities
      .filter((severity) => severityNames[severity] !== severity)
      .reduce(
        (inner, severity) =>
          `label_replace(${inner}, "severity", "${severity}", "severity", "${severityNames[severity]}")`,
        this.recent(series),
      );
    return `max without (${added.join(', ')}) (label_replace(${renamed}, "alert", "$1", "alertname", "(.+)"))`;
  }

  /** Records the labels of accounts that alerts copy. An account that is not reported keeps its last recorded labels. */
  accountLabels(): readonly RecordingRule[] {
    const { selector, accountLabels } = this.settings;
    if (accountLabels.length === 0) return [];
    const { scope } = this;
    const { window: _, ...unbridged } = scope;
    const metric = 'hosting_account_labels';
    const identity = [...Object.keys(selector), 'account'];
    const by = [...identity, ...accountLabels.map((name) => `label_${name}`)].join(', ');
    const current = `group by (${by}) (${latest(unbridged, metric)})`;
    const expr = [
      current,
      'or',
      `group by (${by}) (${latest(scope, metric)})`,
      `  unless on (${identity.join(', ')}) ${latest(unbridged, metric)}`,
      'or',
      this.recent(records.accountLabels),
      `  and on (${identity.join(', ')}) ${records.unreported}`,
    ].join('\n');
    const comment =
      'Alerts copy the labels of their account from this record. A changed label takes effect at once. While scrapes fail, the last label stays.';
    return [{ record: records.accountLabels, expr, comment }];
  }

  /** Selects the current threshold. While an alert fires, this is the value beyond which the alert ends. */
  threshold(alert: AlertName, severity: Severity): string {
    return `${this.#thresholdRecord(alert, severity)}{alert="${alert}",severity="${severity}"}`;
  }

  /** Selects the value beyond which a firing alert of an account ends. */
  endThreshold(alert: AlertName, severity: Severity): string {
    const record = this.stateless || this.margin(alert, severity) === 0 ? records.fire : records.end;
    return this.recent(`${record}{alert="${alert}",severity="${severity}"}`);
  }

  /** The kind of detail with separate thresholds; undefined if each account has one threshold. */
  thresholdDetail(alert: AlertName, severity: Severity): Detail | undefined {
    const { detail }: Thresholds = thresholds[alert];
    return this.stateless || this.margin(alert, severity) === 0 ? undefined : detail;
  }

  #thresholdRecord(alert: AlertName, severity: Severity): string {
    if (!thresholds[alert].perAccount) return records.currentOfTarget;
    const detail = this.thresholdDetail(alert, severity);
    if (this.stateless) return records.fire;
    return detail === undefined ? records.currentThreshold : `account_${detail}:hosting_alert_threshold:current`;
  }

  /** The values of the subject beyond its threshold. */
  beyond(alert: AlertName, severity: Severity, subject: string, threshold = this.threshold(alert, severity)): string {
    const { detail, perAccount }: Thresholds = thresholds[alert];
    const isShared = perAccount && detail !== undefined && this.thresholdDetail(alert, severity) === undefined;
    const matching = isShared
      ? `ignoring (alert, severity, ${detailLabels[detail]}) group_left ()`
      : 'ignoring (alert, severity)';
    return `${subject} ${this.isBelow(alert) ? '<' : '>='} ${matching} ${threshold}`;
  }

  /** Records the current threshold of a target or a detail. The thresholds of accounts are in one record for all alerts. */
  #currentThreshold(alert: AlertName, severity: Severity, subject: string): readonly RecordingRule[] {
    const record = this.#thresholdRecord(alert, severity);
    if (record === records.currentThreshold || record === records.fire) return [];
    const names = `{alert="${alert}",severity="${severity}"}`;
    const detail = this.thresholdDetail(alert, severity);
    const labels = detail === undefined ? '' : detailLabels[detail];
    const margin = this.isBelow(alert) ? this.margin(alert, severity) : -this.margin(alert, severity);
    const [end, fire] =
      detail === undefined
        ? [decimal(this.setting(alert, severity) + margin), decimal(this.setting(alert, severity))]
        : [this.recent(records.end + names), this.recent(records.fire + names)];
    const whileFiring = `${end} * ${detail === undefined ? '' : `ignoring (${labels}) group_right () `}${records.firing}${names}`;
    const others = `${fire} * ${detail === undefined ? '' : `ignoring (alert, severity, ${labels}) group_right () `}group without () (${subject})`;
    const expr = this.stateless ? others : `${whileFiring}\nor ignoring (alert, severity)\n${others}`;
    return [{ record, expr, labels: { alert, severity } }];
  }

  /** An alert that compares a record with a threshold, with one rule per enabled severity. */
  thresholdAlert(alert: AlertName, { subject, also = () => [], ...rest }: ThresholdAlert): readonly Rule[] {
    return this.alert(alert, {
      ...rest,
      before: (severity) => this.#currentThreshold(alert, severity, subject),
      expr: (severity) => [this.beyond(alert, severity, subject), ...also(severity)].join('\n'),
    });
  }

  /** One rule per enabled severity of the alert, the most severe first. */
  alert(alert: AlertName, definition: AlertDefinition): readonly Rule[] {
    const settings = this.settings.alerts[alert];
    const { dashboard, comment, before = () => [] } = definition;
    const { summary, description } = texts[this.settings.language][alert];
    return severities.flatMap((severity) => {
      const level = settings?.levels[severity];
      if (settings === undefined || level === undefined) {
        return [];
      }
      const { keepFiringFor } = settings;
      return [
        ...before(severity),
        {
          alert,
          severity,
          expr: definition.expr(severity),
          for: this.duration(level.for),
          keepFiringFor: keepFiringFor === undefined ? undefined : this.duration(keepFiringFor),
          summary,
          description: typeof description === 'function' ? description(severity) : description,
          dashboard,
          comment,
        },
      ];
    });
  }
}
