import { type FieldConfig, MappingType, SpecialValueMatch, ThresholdsMode, type ValueMapping } from '@grafana/schema';
import { type AlertName, severities, type Thresholds, thresholds, type Unit } from '../../src/rules/thresholds.ts';

/** Colours of states, from the palette of Okabe and Ito: distinguishable for colour-blind readers in both themes. */
export const colours = {
  neutral: 'text',
  warning: '#E69F00',
  /** As a background: light enough for Grafana to choose dark text. */
  warningCell: '#FFB733',
  critical: '#D55E00',
  muted: '#8E8E8E',
} as const;

/** Colours of series by rank: the rest of Okabe and Ito's palette, with two of Paul Tol's in place of the state colours. */
export const rankColours = ['#56B4E9', '#999933', '#CC79A7', '#009E73', '#0072B2', '#AA4499'] as const;

/** A forecast beyond this many days is not useful. */
const farFutureDays = 366;

/** Stands for "not growing" in a column of days; sorts after every forecast. */
export const notGrowingDays = 1_000_000;

/** Stands for "no backup" in a column of ages; sorts before every age. */
export const noBackupDays = 1_000_000;

/** Grafana's unit and decimals for each unit of a figure. */
export const units: Readonly<Record<Unit, Pick<FieldConfig, 'unit' | 'decimals'>>> = {
  ratio: { unit: 'percentunit', decimals: 1 },
  bytes: { unit: 'decbytes', decimals: 1 },
  seconds: { unit: 's', decimals: 1 },
  hours: { unit: 'h', decimals: 1 },
  days: { unit: 'suffix: d', decimals: 1 },
  times: { unit: 'suffix: ×', decimals: 1 },
  intervals: { unit: 'suffix: intervals', decimals: 1 },
  count: { unit: 'none', decimals: 0 },
  accounts: { unit: 'none', decimals: 0 },
  load: { unit: 'none', decimals: 2 },
  money: { unit: 'locale', decimals: 2 },
};

/** Threshold steps with the default thresholds of an alert, for panels that cannot use those of each account. */
export function thresholdSteps(alert: AlertName): NonNullable<FieldConfig['thresholds']> {
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

/** A ratio in percent. */
export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)}%`;
}

/** One colour for all values. */
export function singleColour(color: string = colours.neutral): NonNullable<FieldConfig['thresholds']> {
  return { mode: ThresholdsMode.Absolute, steps: [{ value: null, color }] };
}

/** Neutral below `value`, coloured from `value` up: for figures without an alert threshold. */
export function colourFrom(value: number, color: string = colours.warning): NonNullable<FieldConfig['thresholds']> {
  return {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: null, color: colours.neutral },
      { value, color },
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

/** The text of an empty cell, in a muted colour. */
export function emptyText(text: string): ValueMapping {
  return {
    type: MappingType.SpecialValue,
    options: { match: SpecialValueMatch.NullAndNan, result: { text, color: colours.muted, index: 90 } },
  };
}

/** Texts for special values and for distant dates in a column of days. */
export const dayMappings: readonly ValueMapping[] = [
  { type: MappingType.ValueToText, options: { 0: { text: 'now', index: 89 } } },
  {
    type: MappingType.RangeToText,
    options: {
      from: farFutureDays,
      to: notGrowingDays - 1,
      result: { text: 'over a year', color: colours.muted, index: 91 },
    },
  },
  {
    type: MappingType.RangeToText,
    options: { from: notGrowingDays, to: null, result: { text: 'not growing', color: colours.muted, index: 92 } },
  },
];
