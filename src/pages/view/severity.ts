import type { AlertThreshold } from '../../exposition/account-metrics.ts';
import { type AlertName, type Severity, type Thresholds, thresholds } from '../../rules/thresholds.ts';

export type AlertLevel = 'critical' | 'warning' | 'ok';

const notifying: readonly Exclude<Severity, 'info'>[] = ['critical', 'warning'];

/** The most severe level that a value reaches. The thresholds of the account override the default thresholds. */
export function levelOf(alert: AlertName, value: number, overrides: readonly AlertThreshold[]): AlertLevel {
  return notifying.find((severity) => reaches(alert, severity, value, overrides)) ?? 'ok';
}

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

export function parameterOf(alert: AlertName, name: string): number {
  const { parameters }: Thresholds = thresholds[alert];
  return Number(parameters?.[name]?.value);
}
