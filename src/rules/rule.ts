import { parseDuration, scaleDuration } from './duration.ts';
import { type Scope, without } from './figures.ts';
import type { Settings } from './settings.ts';
import type { Template } from './template.ts';
import { type AlertName, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** A recording rule. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Written above the rule in the YAML files: what a reader cannot see from the expression. */
  readonly comment?: string;
  /** An equivalent expression that does not read its own recorded history, for Grafana, where nothing is recorded. */
  readonly stateless?: string;
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

/** Prometheus evaluates the rules of a group in order at one timestamp, so an alert sees what was recorded above it. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** The parts that all severities of an alert share. */
export interface AlertDefinition {
  readonly summary: string;
  /** One description, or one per severity if they differ. */
  readonly description: Template | ((severity: Severity) => Template);
  readonly dashboard: Dashboard;
  readonly comment?: string;
  readonly expr: (severity: Severity) => string;
}

/** The scope of all rules: the selector and the replica labels of the settings. */
export function scopeOf({ selector, replicaLabels }: Settings): Scope {
  const matchers = Object.entries(selector).map(([name, value]) => `${name}="${value}"`);
  return { matchers: matchers.join(','), replicaLabels };
}

/** Builds rules with the thresholds, parameters and durations of the settings. */
export class RuleBuilder {
  readonly scope: Scope;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.scope = scopeOf(settings);
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

  /** A duration, multiplied by the time factor of the settings. */
  duration(text: string): string {
    return scaleDuration(text, this.#settings.timeFactor);
  }

  /** The threshold in the settings, the same for all accounts. */
  threshold(alert: AlertName, severity: Severity): string {
    return decimal(this.#settings.alerts[alert]?.levels[severity]?.value ?? 0);
  }

  /**
   * An expression with one threshold per account of the vector `subject`: the override from the account's configuration,
   * else the default. `detail` names the labels of `subject` that an account's threshold lacks, such as `database`.
   */
  accountThreshold(alert: AlertName, severity: Severity, subject: string, ...detail: string[]): string {
    const { direction }: Thresholds = thresholds[alert];
    const { matchers } = this.scope;
    const override = `hosting_account_alert_threshold{${matchers},alert="${alert}",severity="${severity}"}`;
    // The exporters of an HA pair may differ for a moment after a reload: the more tolerant value wins.
    const aggregation = direction === 'below' ? 'min' : 'max';
    return [
      '(',
      `  ${aggregation} ${without(this.scope, 'alert', 'severity')} (${override})`,
      '  or',
      `  ${this.threshold(alert, severity)} * group without (${detail.join(', ')}) (${subject})`,
      ')',
    ].join('\n');
  }

  /** `subject` where it is beyond the threshold of its account; `accounts` is a vector with all accounts. */
  beyondThreshold(
    alert: AlertName,
    severity: Severity,
    subject: string,
    accounts: string,
    ...detail: string[]
  ): string {
    const { direction }: Thresholds = thresholds[alert];
    const matching = detail.length === 0 ? '' : ` ignoring (${detail.join(', ')}) group_left ()`;
    return [
      subject,
      `${direction === 'below' ? '<' : '>='}${matching}`,
      this.accountThreshold(alert, severity, accounts, ...detail),
    ].join('\n');
  }

  /** One rule per enabled severity of the alert, the most severe first. */
  alert(alert: AlertName, definition: AlertDefinition): AlertingRule[] {
    const settings = this.#settings.alerts[alert];
    const { summary, description, dashboard, comment } = definition;
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

/** The shortest decimal notation, without binary rounding noise. */
export function decimal(value: number): string {
  return Number(value.toPrecision(12)).toString();
}
