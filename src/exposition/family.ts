/** One series' newest figure, in the unit that the metric's name ends in. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What is written above a metric's samples. */
export interface FamilyHead {
  /** Counters end in `_total`. */
  readonly name: string;
  /** Without quotes, backslashes and line breaks, which the two formats escape differently. */
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram' | 'summary' | 'unknown';
}

/** One metric with its samples: plain data, still free of any exposition format. */
export interface Family {
  readonly name: string;
  readonly labelNames: readonly string[];
  readonly samples: readonly Sample[];
  /** Set where the smallest figures matter most. */
  readonly smallestFirst?: true;
}
