import { type FieldConfig, MappingType, ThresholdsMode, type ValueMapping } from '@grafana/schema';

/** Colours of states. Colour-blind readers can distinguish them in both themes (palette of Okabe and Ito). */
export const colours = {
  neutral: 'text',
  warning: '#E69F00',
  /** The warning colour of a background. Grafana chooses dark text, because this colour is light. */
  warningCell: '#FFB733',
  critical: '#D55E00',
  muted: '#8E8E8E',
} as const;

/** Colours of lines without a state, from the palette of Okabe and Ito. */
export const lineColours = {
  first: '#56B4E9',
  second: '#CC79A7',
  third: '#009E73',
} as const;

/**
 * For each unit of the figures: Grafana's unit, and the number of decimals. A `duration` is in seconds. `days` (whole numbers) and `age`
 * have a fixed suffix, because Grafana would convert 12 days to 1.7 weeks.
 */
export const units = {
  ratio: { unit: 'percentunit', decimals: 1 },
  bytes: { unit: 'decbytes', decimals: 1 },
  duration: { unit: 's', decimals: 1 },
  days: { unit: 'suffix: d', decimals: 0 },
  age: { unit: 'suffix: d', decimals: 1 },
  times: { unit: 'suffix: ×', decimals: 1 },
  intervals: { unit: 'suffix: intervals', decimals: 1 },
  count: { unit: 'none', decimals: 0 },
  load: { unit: 'none' },
  money: { unit: 'locale', decimals: 2 },
} as const satisfies Readonly<Record<string, Pick<FieldConfig, 'unit' | 'decimals'>>>;

export type Unit = keyof typeof units;

export type Thresholds = NonNullable<FieldConfig['thresholds']>;

/** `color` for all values, or `other.color` for values from `other.from` on. */
export function coloured(color: string, other?: { readonly from: number; readonly color: string }): Thresholds {
  return {
    mode: ThresholdsMode.Absolute,
    steps: [{ value: null, color }, ...(other === undefined ? [] : [{ value: other.from, color: other.color }])],
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

/** Maps texts that match a regular expression. `$1` stands for its first group. */
export function matchingText(pattern: string, text: string, color?: string): ValueMapping {
  return {
    type: MappingType.RegexToText,
    options: { pattern, result: { text, index: 0, ...(color !== undefined && { color }) } },
  };
}

/** Maps all values from `from` to `to`. */
export function textInRange(from: number | null, to: number | null, text: string, color: string): ValueMapping {
  return { type: MappingType.RangeToText, options: { from, to, result: { text, color, index: 0 } } };
}
