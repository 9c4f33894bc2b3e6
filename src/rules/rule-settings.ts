import { parseDuration, scaleDuration } from './duration.ts';
import type { Settings } from './settings.ts';
import { type AlertName, alertNames, type Severity, severities, type Thresholds, thresholds } from './thresholds.ts';

/** Provides the settings of alerts to rules: in PromQL, with durations multiplied by the time factor. */
export class RuleSettings {
  protected readonly settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  /** The labels that select the exporter, as a list for `by` and `on`. */
  get target(): string {
    return Object.keys(this.settings.selector).join(', ');
  }

  /** A parameter of the alert as PromQL text: a number or a duration. */
  parameter(alert: AlertName, name: string): string {
    const defaults: Thresholds = thresholds[alert];
    const value = this.settings.alerts[alert]?.parameters[name] ?? defaults.parameters?.[name]?.value;
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
    return this.settings.alerts[alert]?.levels[severity] !== undefined;
  }

  /** The value of the label `severity` of alerts. */
  severityName(severity: Severity): string {
    return this.settings.severityNames[severity];
  }

  /** A duration, multiplied by the time factor of the settings. */
  duration(text: string): string {
    return scaleDuration(text, this.settings.timeFactor);
  }

  /** The distance between the threshold and `until`, the value beyond which a firing alert ends. */
  margin(alert: AlertName, severity: Severity): number {
    const { value = 0, until = value } = this.settings.alerts[alert]?.levels[severity] ?? {};
    return round(Math.abs(until - value));
  }

  /** All enabled severities of the alerts whose thresholds an account can override. */
  overridable(): readonly { readonly alert: AlertName; readonly severity: Severity }[] {
    return alertNames.flatMap((alert) =>
      thresholds[alert].perAccount
        ? severities.filter((severity) => this.has(alert, severity)).map((severity) => ({ alert, severity }))
        : [],
    );
  }

  isBelow(alert: AlertName): boolean {
    const { direction }: Thresholds = thresholds[alert];
    return direction === 'below';
  }

  /** The threshold of a severity in the settings. */
  setting(alert: AlertName, severity: Severity): number {
    return this.settings.alerts[alert]?.levels[severity]?.value ?? 0;
  }
}

/** Rounds so that 0.1 + 0.2 becomes 0.3. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** The shortest decimal notation, rounded so that 0.1 + 0.2 becomes 0.3. */
export function decimal(value: number): string {
  return round(value).toString();
}
