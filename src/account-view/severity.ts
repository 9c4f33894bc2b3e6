import type { AlertThreshold } from '../exposition/account-metrics.ts';
import { type AlertName, type Severity, type Thresholds, thresholds } from '../rules/thresholds.ts';

/** How urgent a figure is, by the thresholds of its alert. */
export type Level = 'critical' | 'warning' | 'ok';

const notifying: readonly Exclude<Severity, 'info'>[] = ['critical', 'warning'];

/** The most severe level that a value reaches, by the thresholds of the account or else the default ones. */
export function levelOf(alert: AlertName, value: number, overrides: readonly AlertThreshold[]): Level {
  return notifying.find((severity) => reaches(alert, severity, value, overrides)) ?? 'ok';
}

/** Whether a value reaches the threshold of one severity. */
export function reaches(
  alert: AlertName,
  severity: Severity,
  value: number,
  overrides: readonly AlertThreshold[],
): boolean {
  const { direction, levels }: Thresholds = thresholds[alert];
  const override = overrides.find((candidate) => candidate.alert === alert && candidate.severity === severity);
  const threshold = override?.value ?? levels[severity]?.value;
  if (threshold === undefined) return false;
  return direction === 'below' ? value < threshold : value >= threshold;
}

/** A parameter of an alert that is a number. */
export function parameterOf(alert: AlertName, name: string): number {
  const { parameters }: Thresholds = thresholds[alert];
  return Number(parameters?.[name]?.value);
}
