import { overridableAlerts, type Severity, severities } from '../rules/thresholds.ts';
import type { AlertThresholds } from './config.ts';

/** One threshold that an account has in place of an alert's own. */
export interface AlertThreshold {
  readonly alert: string;
  readonly severity: Severity;
  /** In the alert's unit. Infinite for `off`: it is never passed. */
  readonly value: number;
}

const neverPassed: ReadonlyMap<string, number> = new Map(
  overridableAlerts.map(({ alert, direction }) => [
    alert,
    direction === 'below' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  ]),
);

/** The thresholds of one account as figures. An alert that is not overridable has none. */
export function listAlertThresholds(alerts: Readonly<Record<string, AlertThresholds>>): readonly AlertThreshold[] {
  return Object.entries(alerts).flatMap(([alert, thresholds]) =>
    severities.flatMap((severity) => {
      const threshold = thresholds[severity];
      const value = threshold === 'off' ? neverPassed.get(alert) : threshold;
      return value === undefined ? [] : [{ alert, severity, value }];
    }),
  );
}
