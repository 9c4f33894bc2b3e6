import { overridableAlerts } from '../rules/thresholds.ts';
import type { AlertThresholds } from './config.ts';

/** One threshold that an account has in place of an alert's own. */
export interface AlertThreshold {
  readonly alert: string;
  readonly severity: 'warning' | 'critical';
  /** In the alert's unit. Infinite for `off`: it is never reached. */
  readonly value: number;
}

/** The thresholds of one account as figures. */
export function listAlertThresholds(alerts: Readonly<Record<string, AlertThresholds>>): readonly AlertThreshold[] {
  return Object.entries(alerts).flatMap(([alert, thresholds]) =>
    (['warning', 'critical'] as const).flatMap((severity) => {
      const threshold = thresholds[severity];
      if (threshold === undefined) return [];
      return [{ alert, severity, value: threshold === 'off' ? neverReached(alert) : threshold }];
    }),
  );
}

function neverReached(alert: string): number {
  const direction = overridableAlerts.find((one) => one.alert === alert)?.direction;
  return direction === 'below' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
