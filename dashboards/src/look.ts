import { type FieldConfig, MappingType, SpecialValueMatch, ThresholdsMode, type ValueMapping } from '@grafana/schema';
import { type AlertName, severities, type Thresholds, thresholds, type Unit } from '../../src/rules/thresholds.ts';

/** States. Okabe and Ito's colours: people who see red and green alike can tell them apart, on white and on black. */
export const colours = {
  neutral: 'text',
  warning: '#E69F00',
  /** Behind words: so light that Grafana writes dark on it. */
  warningCell: '#FFB733',
  critical: '#D55E00',
  quiet: '#8E8E8E',
} as const;

/** Series that mean no state, in the order of their rank: the rest of Okabe and Ito's, and two of Paul Tol's in place of those of states. */
export const rankColours = ['#56B4E9', '#999933', '#CC79A7', '#009E73', '#0072B2', '#AA4499'] as const;

/** A number from which on the forecast says nothing a reader could use. */
const farDays = 366;

/** What stands for "has a quota, and does not grow" in a column of days, so that it sorts behind every date. */
export const notGrowing = 1_000_000;

/** What stands for "there is no backup" in a column of their ages, so that it sorts before every date. */
export const noBackup = 1_000_000;

/** How Grafana writes a figure of this unit. */
export const units: Readonly<Record<Unit, Pick<FieldConfig, 'unit' | 'decimals'>>> = {
  ratio: { unit: 'percentunit', decimals: 1 },
  bytes: { unit: 'decbytes', decimals: 1 },
  seconds: { unit: 's', decimals: 1 },
  hours: { unit: 'h', decimals: 1 },
  days: { unit: 'suffix: d', decimals: 1 },
  times: { unit: 'suffix: ×', decimals: 1 },
  intervals: { unit: 'suffix: turns', decimals: 1 },
  count: { unit: 'none', decimals: 0 },
  accounts: { unit: 'none', decimals: 0 },
  load: { unit: 'none', decimals: 2 },
  money: { unit: 'locale', decimals: 2 },
};

/** The steps of a panel that cannot ask for thresholds of single accounts: exactly the alert's defaults. */
export function steps(alert: AlertName): NonNullable<FieldConfig['thresholds']> {
  const { direction, levels }: Thresholds = thresholds[alert];
  const loudestFirst = severities.flatMap((severity) => {
    const value = levels[severity]?.value;
    return value === undefined || severity === 'info' ? [] : [{ severity, value }];
  });
  const colourOf = (severity: 'critical' | 'warning' | undefined): string =>
    severity === undefined ? colours.neutral : colours[severity];
  if (direction === 'below') {
    return {
      mode: ThresholdsMode.Absolute,
      steps: [
        { value: null, color: colourOf(loudestFirst[0]?.severity) },
        ...loudestFirst.map(({ value }, index) => ({ value, color: colourOf(loudestFirst[index + 1]?.severity) })),
      ],
    };
  }
  return {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: null, color: colours.neutral },
      ...loudestFirst.toReversed().map(({ severity, value }) => ({ value, color: colourOf(severity) })),
    ],
  };
}

/** A ratio as a reader says it. */
export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}

/** One colour whatever the value. */
export function plain(color: string = colours.neutral): NonNullable<FieldConfig['thresholds']> {
  return { mode: ThresholdsMode.Absolute, steps: [{ value: null, color }] };
}

/** Coloured from the value on, for what only those who look already should know. */
export function noticeable(value: number): NonNullable<FieldConfig['thresholds']> {
  return {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: null, color: colours.neutral },
      { value, color: colours.warning },
    ],
  };
}

/** Neutral at nothing, the colour from one on: for counts of what should not be. */
export function fromOne(color: string): NonNullable<FieldConfig['thresholds']> {
  return {
    mode: ThresholdsMode.Absolute,
    steps: [
      { value: null, color: colours.neutral },
      { value: 1, color },
    ],
  };
}

/** Values that are words. */
export function words(
  options: Readonly<Record<string, string | { readonly text: string; readonly color: string }>>,
): ValueMapping {
  const results = Object.entries(options).map(([value, result], index) => [
    value,
    typeof result === 'string' ? { text: result, index } : { ...result, index },
  ]);
  return { type: MappingType.ValueToText, options: Object.fromEntries(results) };
}

/** What an empty cell says, in a colour that claims nothing. */
export function empty(text: string): ValueMapping {
  return {
    type: MappingType.SpecialValue,
    options: { match: SpecialValueMatch.NullAndNan, result: { text, color: colours.quiet, index: 90 } },
  };
}

/** No one plans for a day in a hundred years. */
export const farAway: readonly ValueMapping[] = [
  { type: MappingType.ValueToText, options: { 0: { text: 'now', index: 89 } } },
  {
    type: MappingType.RangeToText,
    options: {
      from: farDays,
      to: notGrowing - 1,
      result: { text: 'over a year', color: colours.quiet, index: 91 },
    },
  },
  {
    type: MappingType.RangeToText,
    options: { from: notGrowing, to: null, result: { text: 'not growing', color: colours.quiet, index: 92 } },
  },
];
