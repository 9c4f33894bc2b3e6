import { overridableAlerts, type Severity, severities } from '../rules/thresholds.ts';
import type { AlertThresholds } from './config.ts';

/** A threshold of one account that replaces the default of an alert. */
export interface AlertThreshold {
  readonly alert: string;
  readonly severity: Severity;
  /** In the alert's unit. Infinite for `off`, so that the alert never fires. */
  readonly value: number;
}

const unreachable: ReadonlyMap<string, number> = new Map(
  overridableAlerts.map(({ alert, direction }) => [
    alert,
    direction === 'below' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY,
  ]),
);

/** The thresholds of one account as numbers. Skips alerts that cannot be overridden. */
export function listAlertThresholds(alerts: Readonly<Record<string, AlertThresholds>>): readonly AlertThreshold[] {
  return Object.entries(alerts).flatMap(([alert, thresholds]) =>
    severities.flatMap((severity) => {
      const threshold = thresholds[severity];
      const value = threshold === 'off' ? unreachable.get(alert) : threshold;
      return value === undefined ? [] : [{ alert, severity, value }];
    }),
  );
}
