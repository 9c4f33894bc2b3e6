/** One series with its value. If the value has a unit, the metric's name ends in the unit. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface FamilyHead {
  /** The names of counters end in `_total`. */
  readonly name: string;
  /** Contains no quotes, backslashes or line breaks, because the two exposition formats escape these characters differently. */
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram' | 'summary' | 'unknown';
}

/** One metric with its samples: plain data, independent of any exposition format. */
export interface Family {
  readonly name: string;
  readonly labelNames: readonly string[];
  readonly samples: readonly Sample[];
  readonly smallestFirst?: true | undefined;
}
