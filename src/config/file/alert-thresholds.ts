import * as z from 'zod';
import { type OverridableAlert, overridableAlerts, severities } from '../../rules/thresholds.ts';
import type { AccountConfig, AlertThreshold, AlertThresholds } from '../values/config.ts';
import { formatValue } from './document.ts';

const off = z.literal(['off', false]);

function threshold({ unit, maximum }: OverridableAlert) {
  const isRatio = unit === 'ratio';
  const writeRatio = `write a ratio from 0 to ${maximum}, such as 0.9 for 90 %, or off`;
  const atLeastZero = z.number().min(0, { error: `is negative; ${isRatio ? writeRatio : 'write 0 or more, or off'}` });
  const bounded = Number.isFinite(maximum)
    ? atLeastZero.max(maximum, { error: `is more than ${maximum}; ${writeRatio}` })
    : atLeastZero;
  const writeNumber = `write ${unit === 'count' ? 'one' : `a number of ${unit}`}, or off`;
  return z.union([off, bounded], { error: `is not a number; ${isRatio ? writeRatio : writeNumber}` });
}

function alertSettings(alert: OverridableAlert) {
  const { description, unit, defaults: values } = alert;
  const shape = Object.fromEntries(
    Object.entries(values).map(([severity, value]) => [severity, threshold(alert).meta({ default: value })]),
  );
  const error = `is neither off nor thresholds; write off, or thresholds such as ${formatValue(values)}`;
  return z
    .union([off, z.strictObject(shape).partial()], { error })
    .meta({ description: `${description} Unit: ${unit}.` });
}

export const alertsSettings = z.strictObject(
  Object.fromEntries(overridableAlerts.map((one) => [one.alert, alertSettings(one).optional()])),
  { error: 'is not a mapping; write lines of "AlertName: off" below it' },
);

export function resolveAlerts(alerts: z.output<typeof alertsSettings>): AccountConfig['alerts'] {
  return Object.fromEntries(
    overridableAlerts.flatMap(({ alert, defaults: values }) => {
      const settings = alerts[alert];
      if (settings === undefined) return [];
      const thresholds = severities.flatMap((severity) => {
        const written = isOff(settings) ? 'off' : settings[severity];
        if (values[severity] === undefined || written === undefined) return [];
        return [[severity, isOff(written) ? 'off' : written] as const];
      });
      return [[alert, Object.fromEntries(thresholds)] as const];
    }),
  );
}

/** Whether a threshold is `off`. Programs that write YAML 1.1 turn `off` into false. */
function isOff(written: unknown): written is 'off' | false {
  return written === 'off' || written === false;
}

/** The thresholds of one account as numbers. `off` becomes an infinite threshold, which no value reaches. */
export function listAlertThresholds(alerts: Readonly<Record<string, AlertThresholds>>): readonly AlertThreshold[] {
  return overridableAlerts.flatMap(({ alert, direction }) =>
    severities.flatMap((severity) => {
      const threshold = alerts[alert]?.[severity];
      const unreachable = direction === 'below' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      const value = threshold === 'off' ? unreachable : threshold;
      return value === undefined ? [] : [{ alert, severity, value }];
    }),
  );
}
