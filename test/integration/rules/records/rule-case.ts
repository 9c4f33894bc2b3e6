/** Values by series. Every series has the label `job="hosting"` in addition. */
export type Series = Readonly<Record<string, string>>;
/** Values by labels. Every result has the label `job="hosting"` in addition. */
export type Results = Readonly<Record<string, number>>;

/** The result of one rule, with literal input. */
export interface RuleCase {
  readonly rule: string;
  readonly promise: string;
  /** The interval of the samples: one minute, if not given. */
  readonly interval?: string;
  /** Decimal places of the results of functions that fit a line. */
  readonly digits?: number;
  /** In promtool's notation. */
  readonly given: Series;
  /** By time since the first sample. */
  readonly results: Readonly<Record<string, Results>>;
}

const held = 'account_collector:hosting_exporter_held:group';
const none = {};

/**
 * The rule reads the newest sample of each replica, of at most ten minutes ago. The newest samples of the replicas are 4
 * and 6.
 */
export function newest(
  rule: string,
  metric: string,
  options: { readonly labels?: string; readonly result?: string; readonly value?: number; readonly also?: Series } = {},
): readonly RuleCase[] {
  const { labels = 'account="a"', result = labels, value = 6, also = {} } = options;
  return [
    {
      rule,
      promise: 'the newest sample of each replica, for ten minutes',
      given: {
        [`${metric}{${labels},instance="a",pod="p"}`]: '9 1 4',
        [`${metric}{${labels},instance="b",pod="q"}`]: '2 8 6',
        ...also,
      },
      results: { '2m': { [result]: value }, '11m': { [result]: value }, '13m': none },
    },
  ];
}

/** The rule keeps the newest value of its record for an hour while its collector is held, or while the figure is known. */
export function remembered(
  rule: string,
  {
    record = rule,
    labels = 'account="a"',
    collector,
    current,
    result = labels,
    known,
  }: {
    readonly record?: string;
    readonly labels?: string;
    readonly collector: string;
    /** A series whose value replaces the remembered one. */
    readonly current: string;
    /** The labels of the current value. */
    readonly result?: string;
    /** A series, and the minutes for which it counts. */
    readonly known?: { readonly series: string; readonly minutes: number };
  },
): readonly RuleCase[] {
  const series = `${record.replace(/\{.*/, '')}{${labels}}`;
  const holds = `${held}{account="a",collector="${collector}"}`;
  return [
    {
      rule,
      promise: 'the newest value of the record, for an hour, while the collector is held',
      given: { [series]: '9 1 4', [holds]: '1x70' },
      results: { '2m': { [labels]: 4 }, '61m': { [labels]: 4 }, '63m': none },
    },
    {
      rule,
      promise: 'a collector counts as held for ten minutes',
      given: { [series]: '4x20', [holds]: '1' },
      results: { '9m': { [labels]: 4 }, '11m': none },
    },
    {
      rule,
      promise: 'another collector of the account, and the same collector of another account, keep nothing',
      given: {
        [series]: '4x5',
        [`${held}{account="a",collector="other"}`]: '1x5',
        [`${held}{account="b",collector="${collector}"}`]: '1x5',
      },
      results: { '5m': none },
    },
    {
      rule,
      promise: 'the current value replaces the remembered one',
      given: { [series]: '4x5', [holds]: '1x5', [current]: '7x5' },
      results: { '5m': { [result]: 7 } },
    },
    ...(known === undefined
      ? []
      : [
          {
            rule,
            promise: 'the newest value of the record, for an hour, while the figure is known',
            given: { [series]: '9 1 4', [known.series]: '1x70' },
            results: { '2m': { [labels]: 4 }, '61m': { [labels]: 4 }, '63m': none },
          },
          {
            rule,
            promise: `a figure counts as known for ${known.minutes} minutes`,
            given: { [series]: '4x70', [known.series]: '1' },
            results: { [`${known.minutes - 1}m`]: { [labels]: 4 }, [`${known.minutes + 1}m`]: none },
          },
        ]),
  ];
}
