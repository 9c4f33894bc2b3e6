import type { AlertThreshold } from '../../config/values/config.ts';
import { type ThresholdAlert, thresholds } from '../../rules/thresholds.ts';

export type AlertLevel = 'critical' | 'warning' | 'ok';

/** The most severe level that a value reaches. `effective`: the thresholds of the account. */
export function levelOf(alert: ThresholdAlert, value: number, effective: readonly AlertThreshold[]): AlertLevel {
  const isBelow = thresholds[alert].direction === 'below';
  const reached = (['critical', 'warning'] as const).find((severity) => {
    const threshold = effective.find((one) => one.alert === alert && one.severity === severity)?.value;
    return threshold !== undefined && (isBelow ? value < threshold : value >= threshold);
  });
  return reached ?? 'ok';
}
