import * as z from 'zod';
import { type AlertThresholds, alertThresholds, severities } from '../../rules/thresholds.ts';
import type { AlertThreshold } from '../values/config.ts';
import { formatValue } from './document.ts';

const off = z.literal(['off', false]);

function threshold({ unit, maximum }: AlertThresholds) {
  const isRatio = unit === 'ratio';
  const writeRatio = `write a ratio from 0 to ${maximum}, such as 0.9 for 90 %, or off`;
  const atLeastZero = z.number().min(0, { error: `is negative; ${isRatio ? writeRatio : 'write 0 or more, or off'}` });
  const bounded = Number.isFinite(maximum)
    ? atLeastZero.max(maximum, { error: `is more than ${maximum}; ${writeRatio}` })
    : atLeastZero;
  const writeNumber = `write ${unit === 'count' || unit === 'currency' ? 'one' : `a number of ${unit}`}, or off`;
  return z.union([off, bounded], { error: `is not a number; ${isRatio ? writeRatio : writeNumber}` });
}

function alertSettings(alert: AlertThresholds) {
  const { description, unit, levels } = alert;
  const values = Object.fromEntries(Object.entries(levels).map(([severity, { value }]) => [severity, value]));
  const shape = Object.fromEntries(
    Object.entries(values).map(([severity, value]) => [severity, threshold(alert).meta({ default: value })]),
  );
  const error = `is neither off nor thresholds; write off, or thresholds such as ${formatValue(values)}`;
  return z
    .union([off, z.strictObject(shape).partial()], { error })
    .meta({ description: `${description} Unit: ${unit}.` });
}

/** The schema of the key `alerts`, which sets thresholds for all accounts or, in an account, for this account. */
export const alertsSettings = z.strictObject(
  Object.fromEntries(alertThresholds.map((one) => [one.alert, alertSettings(one).optional()])),
  { error: 'is not a mapping; write lines of "AlertName: off" below it' },
);

type Alerts = z.output<typeof alertsSettings> | null;

/** The effective thresholds of an account. Each is taken from the first element of `written` that sets it, or else from the defaults. */
export function effectiveThresholds(...written: readonly (Alerts | undefined)[]): readonly AlertThreshold[] {
  return alertThresholds.flatMap(({ alert, levels }) =>
    severities.flatMap((severity) => {
      const values = written.map((alerts) => {
        const settings = alerts?.[alert];
        return isOff(settings) ? settings : settings?.[severity];
      });
      const value = values.find((one) => one !== undefined) ?? levels[severity]?.value;
      return value === undefined || isOff(value) ? [] : [{ alert, severity, value }];
    }),
  );
}

/** The thresholds that differ from the defaults, structured as in the configuration file; undefined if there are none. */
export function changedThresholds(effective: readonly AlertThreshold[]): Readonly<Record<string, object>> | undefined {
  const changed = alertThresholds.flatMap(({ alert, levels }) => {
    const differing = Object.entries(levels).flatMap(([severity, { value: usual }]) => {
      const value = effective.find((one) => one.alert === alert && one.severity === severity)?.value ?? 'off';
      return value === usual ? [] : [[severity, value] as const];
    });
    return differing.length === 0 ? [] : [[alert, Object.fromEntries(differing)] as const];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** Whether a threshold is `off`. Programs that write YAML 1.1 turn `off` into false. */
function isOff(written: unknown): written is 'off' | false {
  return written === 'off' || written === false;
}
