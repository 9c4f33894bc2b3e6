import type { AlertThreshold } from '../exposition/account-metrics.ts';
import { type AlertName, type Severity, type Thresholds, thresholds } from '../rules/thresholds.ts';

/** How urgent a figure is, by the thresholds of its alert. */
export type Level = 'critical' | 'warning' | 'ok';

const notifying: readonly Exclude<Severity, 'info'>[] = ['critical', 'warning'];

/** The most severe level that a value reaches, by the thresholds of the account or else the default ones. */
export function levelOf(alert: AlertName, value: number, overrides: readonly AlertThreshold[]): Level {
  const { direction, levels }: Thresholds = thresholds[alert];
  for (const severity of notifying) {
    const override = overrides.find((candidate) => candidate.alert === alert && candidate.severity === severity);
    const threshold = override?.value ?? levels[severity]?.value;
    if (threshold === undefined) continue;
    if (direction === 'below' ? value < threshold : value >= threshold) return severity;
  }
  return 'ok';
}

/** A parameter of an alert that is a number. */
export function parameterOf(alert: AlertName, name: string): number {
  const { parameters }: Thresholds = thresholds[alert];
  return Number(parameters?.[name]?.value);
}
