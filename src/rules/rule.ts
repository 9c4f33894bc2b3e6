import { duration, seconds } from './duration.ts';
import { type Scope, without } from './figures.ts';
import type { Settings } from './settings.ts';
import type { Text } from './text.ts';
import { type AlertName, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** A series that Prometheus writes for the rules below it. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** What a reader cannot see from the expression. */
  readonly comment?: string;
  /** The same without memory of its own, for Grafana, which asks raw series only. */
  readonly stateless?: string;
}

/** Which dashboard shows the alert's figure. */
export type Dashboard = 'hosting-fleet' | 'hosting-account' | 'hosting-workload' | 'hosting-exporter';

/** One severity of one alert. */
export interface AlertingRule {
  readonly alert: AlertName;
  readonly severity: Severity;
  readonly expr: string;
  readonly for: string;
  readonly keepFiringFor: string | undefined;
  readonly summary: string;
  readonly description: Text;
  readonly dashboard: Dashboard;
  readonly comment: string | undefined;
}

export type Rule = RecordingRule | AlertingRule;

/** Rules that Prometheus evaluates one after the other at one timestamp, so that an alert sees what was recorded above it. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly Rule[];
}

/** What is the same for all severities of an alert; the expression differs by its threshold. */
export interface AlertDefinition {
  readonly summary: string;
  /** One text, or one for each severity where they mean different things. */
  readonly description: Text | ((severity: Severity) => Text);
  readonly dashboard: Dashboard;
  readonly comment?: string;
  readonly expr: (severity: Severity) => string;
}

/** Builds rules from settings: the only place where thresholds and durations turn into text. */
export class RuleWriter {
  readonly scope: Scope;
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.scope = {
      matchers: Object.entries(settings.selector)
        .map(([name, value]) => `${name}="${value}"`)
        .join(','),
      replicaLabels: settings.replicaLabels,
    };
  }

  /** A figure inside the alert's condition, as PromQL wants it: a number or a duration. */
  knob(alert: AlertName, name: string): string {
    const defaults: Thresholds = thresholds[alert];
    const value = this.#settings.alerts[alert]?.knobs[name] ?? defaults.knobs?.[name]?.value;
    if (value === undefined) {
      throw new Error(`${alert} has no ${name}`);
    }
    return typeof value === 'number' ? decimal(value) : this.time(value);
  }

  /** The same duration where PromQL wants a number. */
  seconds(alert: AlertName, name: string): number {
    return seconds(this.knob(alert, name));
  }

  /** A duration, shortened with all others where the settings say so. */
  time(text: string): string {
    return this.#settings.timeFactor === 1 ? text : duration(seconds(text) * this.#settings.timeFactor);
  }

  /** The threshold of an alert that no account overrides. */
  threshold(alert: AlertName, severity: Severity): string {
    return decimal(this.#settings.alerts[alert]?.levels[severity]?.value ?? 0);
  }

  /**
   * The threshold of every account of `subject`: its own where its configuration overrides the default.
   * `subject` is a vector; `detail` are its labels below the account, such as `database`.
   */
  limit(alert: AlertName, severity: Severity, subject: string, ...detail: string[]): string {
    const { direction }: Thresholds = thresholds[alert];
    const { matchers } = this.scope;
    const own = `hosting_account_alert_threshold{${matchers},alert="${alert}",severity="${severity}"}`;
    const calmer = direction === 'below' ? 'min' : 'max';
    return [
      '(',
      `  ${calmer} ${without(this.scope, 'alert', 'severity')} (${own})`,
      '  or',
      `  ${this.threshold(alert, severity)} * group without (${detail.join(', ')}) (${subject})`,
      ')',
    ].join('\n');
  }

  /** `subject` where it has passed its account's threshold. */
  passed(alert: AlertName, severity: Severity, subject: string, anchor: string, ...detail: string[]): string {
    const { direction }: Thresholds = thresholds[alert];
    const matching = detail.length === 0 ? '' : ` ignoring (${detail.join(', ')}) group_left ()`;
    return [
      subject,
      `${direction === 'below' ? '<' : '>='}${matching}`,
      this.limit(alert, severity, anchor, ...detail),
    ].join('\n');
  }

  /** The alert in each severity that is on, the loudest first. */
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
          for: this.time(level.for),
          keepFiringFor: keepFiringFor === undefined ? undefined : this.time(keepFiringFor),
          summary,
          description: typeof description === 'function' ? description(severity) : description,
          dashboard,
          comment,
        },
      ];
    });
  }
}

/** A number without the noise of binary fractions. */
export function decimal(value: number): string {
  return Number(value.toPrecision(12)).toString();
}
