import { type FieldConfig, MappingType, SpecialValueMatch, ThresholdsMode, type ValueMapping } from '@grafana/schema';
import { severities, type ThresholdAlert, type Thresholds, thresholds } from '../../src/rules/thresholds.ts';
import type { Unit } from './figures.ts';

/** The unit of a panel. A `duration` is in days. Panels show it in hours below two days, and in minutes below one hour. */
export type PanelUnit = Unit | 'duration';

/** Colours of states. Colour-blind readers can distinguish them in both themes (palette of Okabe and Ito). */
export const colours = {
  neutral: 'text',
  warning: '#E69F00',
  /** The warning colour of a background. Grafana chooses dark text, because this colour is light. */
  warningCell: '#FFB733',
  critical: '#D55E00',
  muted: '#8E8E8E',
} as const;

/** Colours of series by rank, from the palette of Okabe and Ito. Two colours of Paul Tol replace the state colours. */
export const rankColours = ['#56B4E9', '#999933', '#CC79A7', '#009E73', '#0072B2', '#AA4499'] as const;

/** A forecast beyond this many days is not useful. */
const farFutureDays = 366;

/** In a column of ages, this number means "no backup". It is higher than any real age. */
export const noBackupDays = 1_000_000;

/** Grafana's unit and decimals for each unit of a figure. */
export const units: Readonly<Record<PanelUnit, Pick<FieldConfig, 'unit' | 'decimals'>>> = {
  ratio: { unit: 'percentunit', decimals: 1 },
  bytes: { unit: 'decbytes', decimals: 1 },
  seconds: { unit: 'suffix: s', decimals: 1 },
  hours: { unit: 'suffix: h', decimals: 1 },
  days: { unit: 'suffix: d', decimals: 0 },
  duration: { unit: 'suffix: d', decimals: 1 },
  times: { unit: 'suffix: ×', decimals: 1 },
  intervals: { unit: 'suffix: intervals', decimals: 1 },
  count: { unit: 'none', decimals: 0 },
  accounts: { unit: 'none', decimals: 0 },
  load: { unit: 'none', decimals: 2 },
  money: { unit: 'locale', decimals: 2 },
};

/** Threshold steps with the default thresholds of an alert, for panels that cannot use the thresholds of each account. */
export function thresholdSteps(alert: ThresholdAlert): NonNullable<FieldConfig['thresholds']> {
  const { direction, levels }: Thresholds = thresholds[alert];
  const mostSevereFirst = severities.flatMap((severity) => {
    const value = levels[severity]?.value;
    return value === undefined || severity === 'info' ? [] : [{ severity, value }];
  });
  const colourOf = (severity: 'critical' | 'warning' | undefined): string =>
    severity === undefined ? colours.neutral : colours[severity];
  if (direction === 'below') {
    return {
      mode: ThresholdsMode.Absolute,
      steps: [
        { value: null, color: colourOf(mostSevereFirst[0]?.severity) },
        ...mostSevereFirst.map(({ value }, index) => ({
          value,
          color: colourOf(mostSevereFirst[index + 1]?.severity),
        })),
      ],
    };
  }
  return {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: null, color: colours.neutral },
      ...mostSevereFirst.toReversed().map(({ severity, value }) => ({ value, color: colourOf(severity) })),
    ],
  };
}

/** Threshold steps of a column of disk usage: the warning threshold, and the quota itself. */
export const diskSteps: NonNullable<FieldConfig['thresholds']> = {
  mode: ThresholdsMode.Absolute,
  steps: [
    { value: null, color: colours.neutral },
    { value: thresholds.HostingDiskAlmostFull.levels.warning.value, color: colours.warning },
    { value: 1, color: colours.critical },
  ],
};

/** A ratio in percent. */
export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)}%`;
}

/** One colour for all values. */
export function singleColour(color: string = colours.neutral): NonNullable<FieldConfig['thresholds']> {
  return { mode: ThresholdsMode.Absolute, steps: [{ value: null, color }] };
}

/** Neutral below `value`, and coloured from `value` up. For figures without an alert threshold. */
export function colourFrom(value: number, color: string = colours.warning): NonNullable<FieldConfig['thresholds']> {
  return {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: null, color: colours.neutral },
      { value, color },
    ],
  };
}

/** Coloured below `value`, and neutral from `value` up. */
export function colourBelow(value: number, color: string = colours.warning): NonNullable<FieldConfig['thresholds']> {
  return {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: null, color },
      { value, color: colours.neutral },
    ],
  };
}

/** Maps values to texts. */
export function valueTexts(
  options: Readonly<Record<string, string | { readonly text: string; readonly color: string }>>,
): ValueMapping {
  const results = Object.entries(options).map(([value, result], index) => [
    value,
    typeof result === 'string' ? { text: result, index } : { ...result, index },
  ]);
  return { type: MappingType.ValueToText, options: Object.fromEntries(results) };
}

/** The hours in the texts of durations. Steps above twelve hours are larger, because each mapping enlarges the dashboards. */
const namedHours = [42, 36, 30, 24, 21, 18, 15, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

/**
 * Texts for durations below two days, rounded down. From one hour on, the texts are in hours. From ten minutes on, they are in steps
 * of five minutes. They replace Grafana's units of time, which are English in every language and show long durations in weeks.
 */
export const durationMappings: readonly ValueMapping[] = [
  ...namedHours.map((hours, index) => range(hours / 24, (namedHours[index - 1] ?? 48) / 24, `${hours} h`)),
  ...[55, 50, 45, 40, 35, 30, 25, 20, 15, 10].map((minutes) =>
    range(minutes / 1440, (minutes + 5) / 1440, `${minutes} min`),
  ),
  ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((minutes) => range(minutes / 1440, (minutes + 1) / 1440, `${minutes} min`)),
  range(0, 1 / 1440, '< 1 min'),
];

/** A text for a range of values. A boundary belongs to the range above it, because the first matching range applies. */
function range(from: number, to: number, text: string): ValueMapping {
  return { type: MappingType.RangeToText, options: { from, to, result: { text, index: 80 } } };
}

/** The text of an empty cell, in a muted colour or on a background. */
export function emptyText(text: string, color: string = colours.muted): ValueMapping {
  return {
    type: MappingType.SpecialValue,
    options: { match: SpecialValueMatch.NullAndNan, result: { text, color, index: 90 } },
  };
}

/** The text of distant dates. */
const distant: ValueMapping = {
  type: MappingType.RangeToText,
  options: { from: farFutureDays, to: null, result: { text: 'over a year', color: colours.muted, index: 91 } },
};

/** Texts for a column of whole days. */
export const dayMappings: readonly ValueMapping[] = [valueTexts({ 0: 'today' }), distant];

/** Texts for a disk forecast, for which 0 means that the disk is full. */
export const forecastMappings: readonly ValueMapping[] = [valueTexts({ 0: 'full' }), distant];
