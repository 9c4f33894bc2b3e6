import { parseDuration, scaleDuration } from './duration.ts';
import { latest, type Scope, without } from './figures.ts';
import { records } from './records.ts';
import type { Settings } from './settings.ts';
import type { Template } from './template.ts';
import { texts } from './texts.ts';
import { type AlertName, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** A recording rule. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The comment above the rule in the YAML files. It explains what the expression does not show. */
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

/** Prometheus evaluates the rules of a group in order at one timestamp, so a rule reads what the rules above it recorded. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** The parts that all severities of an alert share. */
export interface AlertDefinition {
  readonly dashboard: Dashboard;
  readonly comment?: string;
  readonly expr: (severity: Severity) => string;
}

/** The maximum age of a sample that a rule reads. With a scrape interval of a minute, it bridges nine failed scrapes in a row. */
const maximumAge = '10m';

/** The scope of all rules: the selector and the replica labels of the settings. */
export function scopeOf({ selector, replicaLabels, timeFactor }: Settings): Scope {
  const matchers = Object.entries(selector).map(([name, value]) => `${name}="${value}"`);
  return { matchers: matchers.join(','), replicaLabels, window: scaleDuration(maximumAge, timeFactor) };
}

/** The maximum age of the last known value of a figure. */
const memory = '1d';

/** The maximum age of the last known value of an account field while successful polls omit the field. */
const omittedFieldMemory = '6h';

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
  /** Name of the figure's metric. Set only if providers sometimes omit the account field that the metric shows. */
  readonly field?: string;
}

/** Builds rules with the thresholds, parameters and durations of the settings. */
export class RuleBuilder {
  readonly scope: Scope;
  /** True if the rules cannot read `ALERTS` and past values of recorded series. Grafana-managed alerts have neither. */
  readonly stateless: boolean;
  readonly #settings: Settings;

  constructor(settings: Settings, { stateless = false } = {}) {
    this.#settings = settings;
    this.stateless = stateless;
    this.scope = scopeOf(settings);
  }

  /**
   * The current value of a figure, or its last known value, at most a day old. The last known value is used only while
   * another alert names the cause. If a successful poll omits the value, the last known value is not used. Only the last
   * known value of a `field` is then used for six hours.
   */
  remembered({ record, kind, collector, current, detail = [], field }: RememberedFigure): string {
    const { scope } = this;
    const ignored = ['collector', ...detail, ...(kind === undefined ? [] : ['kind'])];
    const matching = `ignoring (${ignored.join(', ')})`;
    if (this.stateless) {
      // Limitation: when the collector fails, this also returns series of the last six hours that had ended before.
      const failed = `${this.collectorSuccess(collector)} == 0`;
      const past = `last_over_time((${current})[${this.duration(omittedFieldMemory)}:5m])`;
      return field === undefined ? `${current}\nor\n${past} and ${matching} (${failed})` : `${current}\nor\n${past}`;
    }
    const kindMatcher = kind === undefined ? '' : `{kind="${kind}"}`;
    const last = `last_over_time(${record}${kindMatcher}[${scope.window}])`;
    // The record has the label `kind`. The current value gets this label only when it is recorded.
    const or = kind === undefined ? 'or' : 'or ignoring (kind)';
    const lines = [current, or, `${last} and ${matching} ${records.held}{collector="${collector}"}`];
    if (field !== undefined) {
      const seen = latest({ ...scope, window: this.duration(omittedFieldMemory) }, field);
      lines.push('or', `${last} and group ${without(scope)} (${seen})`);
    }
    return lines.join('\n');
  }

  /** 1 if the newest poll of the collector succeeded completely, else 0. Without `collector`, one series per collector. */
  collectorSuccess(collector?: string): string {
    const matchers = collector === undefined ? [] : [`collector="${collector}"`];
    return `max ${without(this.scope)} (${latest(this.scope, 'hosting_exporter_collector_success', ...matchers)})`;
  }

  /** `ignoring (...)` and the series of the firing alert. Ignores the labels that rules add to alerts, and the labels `more`. */
  firing(alert: AlertName, severity: Severity, ...more: string[]): string {
    const { labels, accountLabels } = this.#settings;
    const ignored = ['alertname', 'alertstate', 'severity', ...Object.keys(labels), ...accountLabels, ...more];
    return `ignoring (${ignored.join(', ')}) ${this.firingSeries(alert, severity)}`;
  }

  /** The series of a firing alert. */
  firingSeries(alert: AlertName, severity: Severity): string {
    const name = this.#settings.severityNames[severity];
    const matchers = [`alertname="${alert}"`, 'alertstate="firing"', `severity="${name}"`];
    return latest(this.scope, 'ALERTS', ...matchers);
  }

  /** A parameter of the alert as PromQL text: a number or a duration. */
  parameter(alert: AlertName, name: string): string {
    const defaults: Thresholds = thresholds[alert];
    const value = this.#settings.alerts[alert]?.parameters[name] ?? defaults.parameters?.[name]?.value;
    if (value === undefined) {
      throw new Error(`${alert} has no parameter ${name}`);
    }
    return typeof value === 'number' ? decimal(value) : this.duration(value);
  }

  /** A duration parameter in seconds. */
  parameterSeconds(alert: AlertName, name: string): number {
    return parseDuration(this.parameter(alert, name));
  }

  /** A duration in seconds, multiplied by the time factor of the settings. */
  seconds(text: string): number {
    return parseDuration(this.duration(text));
  }

  /** Whether the alert is enabled with this severity. */
  has(alert: AlertName, severity: Severity): boolean {
    return this.#settings.alerts[alert]?.levels[severity] !== undefined;
  }

  /** A duration, multiplied by the time factor of the settings. */
  duration(text: string): string {
    return scaleDuration(text, this.#settings.timeFactor);
  }

  /** The condition beyond the threshold. While the alert fires, the condition with the margin up to `until` is sufficient. */
  withHysteresis(alert: AlertName, severity: Severity, condition: (margin: number) => string): string {
    const margin = this.margin(alert, severity);
    if (this.stateless || margin === 0) return condition(0);
    return ['(', condition(0), 'or', '(', condition(margin), `) and ${this.firing(alert, severity)}`, ')'].join('\n');
  }

  /** The distance between the threshold and `until`, beyond which a firing alert ends. */
  margin(alert: AlertName, severity: Severity): number {
    const { value = 0, until = value } = this.#settings.alerts[alert]?.levels[severity] ?? {};
    return Math.abs(until - value);
  }

  /** The values of `subject` that are beyond the threshold in the settings, which is the same for all accounts. */
  beyondSetting(alert: AlertName, severity: Severity, subject: string): string {
    return this.withHysteresis(
      alert,
      severity,
      (margin) => `${subject} ${this.#comparison(alert)} ${decimal(this.#threshold(alert, severity, margin))}`,
    );
  }

  /** The thresholds that accounts override. An account that is not reported keeps its last recorded thresholds. */
  accountThresholds(): string {
    const { scope } = this;
    const metric = 'hosting_account_alert_threshold';
    const last = `last_over_time(${records.alertThreshold}[${scope.window}])`;
    return [
      `max ${without(scope)} (${latest(scope, metric)})`,
      'or',
      `${last} and ignoring (alert, severity) ${records.unreported}`,
    ].join('\n');
  }

  /** Records the labels of accounts that alerts copy. An account that is not reported keeps its last recorded labels. */
  accountLabels(): readonly RecordingRule[] {
    const { selector, accountLabels } = this.#settings;
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
      `last_over_time(${records.accountLabels}[${scope.window}])`,
      `  and on (${identity.join(', ')}) ${records.unreported}`,
    ].join('\n');
    const comment =
      'Alerts copy their labels from here. A changed label takes effect at once. While scrapes fail, the last label stays.';
    return [{ record: records.accountLabels, expr, comment }];
  }

  /**
   * An expression with one threshold per account of the vector `subject`: the override from the account's configuration,
   * else the default. `detail` names the labels of `subject` that an account's threshold lacks, such as `database`.
   */
  accountThreshold(alert: AlertName, severity: Severity, margin: number, subject: string, ...detail: string[]): string {
    const { direction }: Thresholds = thresholds[alert];
    const shift = margin === 0 ? '' : direction === 'below' ? ` + ${decimal(margin)}` : ` - ${decimal(margin)}`;
    return [
      '(',
      ...this.#overrides(alert, severity).flatMap((override) => [`  ${override}${shift}`, '  or']),
      `  ${decimal(this.#threshold(alert, severity, margin))} * group without (${detail.join(', ')}) (${subject})`,
      ')',
    ].join('\n');
  }

  #overrides(alert: AlertName, severity: Severity): readonly string[] {
    const { scope } = this;
    const matchers = [`alert="${alert}"`, `severity="${severity}"`];
    if (!this.stateless) return [`max without (alert, severity) (${records.alertThreshold}{${matchers.join(',')}})`];
    const overrides = (window: string): string =>
      `max ${without(scope, 'alert', 'severity')} (${latest({ ...scope, window }, 'hosting_account_alert_threshold', ...matchers)})`;
    return [overrides(this.duration(maximumAge)), `(${overrides(this.duration(memory))} and ${records.unreported})`];
  }

  /** The values of `subject` beyond the threshold of their account; `accounts` is a vector with all accounts. */
  beyondThreshold(
    alert: AlertName,
    severity: Severity,
    subject: string,
    accounts: string,
    ...detail: string[]
  ): string {
    return this.withHysteresis(alert, severity, (margin) =>
      this.beyondAccountThreshold(alert, severity, margin, subject, accounts, ...detail),
    );
  }

  /** Like `beyondThreshold`, but always shifts the threshold by `margin`, also while the alert does not fire. */
  beyondAccountThreshold(
    alert: AlertName,
    severity: Severity,
    margin: number,
    subject: string,
    accounts: string,
    ...detail: string[]
  ): string {
    const matching = detail.length === 0 ? '' : ` ignoring (${detail.join(', ')}) group_left ()`;
    return [
      subject,
      `${this.#comparison(alert)}${matching}`,
      this.accountThreshold(alert, severity, margin, accounts, ...detail),
    ].join('\n');
  }

  #comparison(alert: AlertName): string {
    const { direction }: Thresholds = thresholds[alert];
    return direction === 'below' ? '<' : '>=';
  }

  #threshold(alert: AlertName, severity: Severity, margin: number): number {
    const { direction }: Thresholds = thresholds[alert];
    const value = this.#settings.alerts[alert]?.levels[severity]?.value ?? 0;
    return direction === 'below' ? value + margin : value - margin;
  }

  /** One rule per enabled severity of the alert, the most severe first. */
  alert(alert: AlertName, definition: AlertDefinition): AlertingRule[] {
    const settings = this.#settings.alerts[alert];
    const { dashboard, comment } = definition;
    const { summary, description } = texts[this.#settings.language][alert];
    return severities.flatMap((severity) => {
      const level = settings?.levels[severity];
      if (settings === undefined || level === undefined) {
        return [];
      }
      const { keepFiringFor } = settings;
      return [
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

/** The shortest decimal notation, rounded so that 0.1 + 0.2 becomes 0.3. */
export function decimal(value: number): string {
  return Number(value.toPrecision(12)).toString();
}
