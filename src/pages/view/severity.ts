import type { AlertThreshold } from '../../config/values/config.ts';
import { type AlertName, type Thresholds, thresholds } from '../../rules/thresholds.ts';

export type AlertLevel = 'critical' | 'warning' | 'ok';

/** The most severe level that a value reaches. The thresholds of the account override the default thresholds. */
export function levelOf(alert: AlertName, value: number, overrides: readonly AlertThreshold[]): AlertLevel {
  const { direction, levels }: Thresholds = thresholds[alert];
  const reached = (['critical', 'warning'] as const).find((severity) => {
    const override = overrides.find((candidate) => candidate.alert === alert && candidate.severity === severity);
    const threshold = override?.value ?? levels[severity]?.value;
    return threshold !== undefined && (direction === 'below' ? value < threshold : value >= threshold);
  });
  return reached ?? 'ok';
}

export function parameterOf(alert: AlertName, name: string): number {
  const { parameters }: Thresholds = thresholds[alert];
  return Number(parameters?.[name]?.value);
}
