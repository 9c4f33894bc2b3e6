import { accountThresholds } from './thresholds/accounts.ts';
import { monitoringThresholds } from './thresholds/monitoring.ts';

/** From the most to the least severe. critical pages someone. warning can wait until the next morning. info notifies no one. */
export const severities = ['critical', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

/** The unit of a threshold, a parameter or a figure. `intervals` are multiples of a collector's poll interval. */
export type Unit =
  | 'ratio'
  | 'bytes'
  | 'seconds'
  | 'hours'
  | 'days'
  | 'times'
  | 'intervals'
  | 'count'
  | 'accounts'
  | 'load'
  | 'money';

/** One severity of an alert. */
export interface Level {
  /** The threshold in the alert's unit; absent if the alert has no threshold. */
  readonly value?: number;
  /** A firing alert ends only beyond this value. This prevents repeated firing while a figure is near the threshold. */
  readonly until?: number;
  /** Prometheus duration for which the condition must hold. */
  readonly for: string;
  readonly why: string;
}

/** A further number or duration in the condition of an alert. A string is a Prometheus duration. */
export interface Parameter {
  readonly value: number | string;
  readonly unit: Unit;
  readonly why: string;
}

/** The kinds of details that an alert can be about. The alert has the labels that identify the detail. */
export type Detail = 'collector' | 'database' | 'domain' | 'kind' | 'renewal' | 'site';

/** The parts of an alert that users can change, each with its default and the reason for the default. */
export interface Thresholds {
  /** The quantity that the alert compares with its threshold. For an alert without a threshold: its condition. */
  readonly description: string;
  readonly unit?: Unit;
  /** `above`: the alert fires at the threshold and above it. `below`: the alert fires below it. Panels change colour at the same values. */
  readonly direction?: 'above' | 'below';
  /** The largest valid threshold. Default: 1 for a ratio, unlimited for other units. */
  readonly maximum?: number;
  /** Whether the configuration of an account can override the threshold. */
  readonly perAccount: boolean;
  readonly detail?: Detail;
  readonly levels: Readonly<Partial<Record<Severity, Level>>>;
  readonly keepFiringFor?: string;
  readonly parameters?: Readonly<Record<string, Parameter>>;
}

/** The defaults of every alert, in the order of triage: exporter, provider, collectors, then the accounts. */
export const thresholds = { ...monitoringThresholds, ...accountThresholds };

export type AlertName = keyof typeof thresholds;

/** All alerts, in the order of triage. */
export const alertNames = Object.keys(thresholds) as AlertName[];

/** An alert whose threshold an account can override. Overrides are exported as `hosting_account_alert_threshold`. */
export interface OverridableAlert {
  readonly alert: AlertName;
  readonly description: string;
  readonly unit: Unit;
  /** If an account sets its threshold to `off`, the exporter reports +Inf for `above` and -Inf for `below`. */
  readonly direction: 'above' | 'below';
  /** The largest valid threshold; infinite if any number is valid. */
  readonly maximum: number;
  readonly defaults: Readonly<Partial<Record<Severity, number>>>;
}

/** The alerts that the configuration of an account accepts under `alerts`. */
export const overridableAlerts: readonly OverridableAlert[] = alertNames.flatMap((alert) => {
  const { description, unit, direction, maximum, perAccount, levels }: Thresholds = thresholds[alert];
  if (!perAccount || unit === undefined || direction === undefined) {
    return [];
  }
  const defaults: Partial<Record<Severity, number>> = {};
  for (const severity of severities) {
    const value = levels[severity]?.value;
    if (value !== undefined) {
      defaults[severity] = value;
    }
  }
  const defaultMaximum = unit === 'ratio' ? 1 : Number.POSITIVE_INFINITY;
  return [{ alert, description, unit, direction, maximum: maximum ?? defaultMaximum, defaults }];
});
