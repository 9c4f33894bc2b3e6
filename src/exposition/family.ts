/** One series' newest figure, in the unit that the metric's name ends in. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric with all its samples: plain data, still free of any exposition format. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly samples: readonly Sample[];
}
