import type { Collector, Item } from '../collectors/collector.ts';
import type { Family, Sample } from '../collectors/family.ts';
import type { Answer, Result } from './result.ts';

interface Target {
  readonly account: string;
  /** Milliseconds from the end of an hour or day until its values count as complete. */
  readonly settlingTime: number;
  readonly maxSeries: number;
  /** Time at which the result expires, by the exporter's clock. */
  readonly expires: number;
}

/**
 * Reads at most `maxSeries` values of a payload, and omits impossible values. `shown`: the part of the payload that is not excluded.
 * `issues`: one sentence for each impossible value. May throw TypeError or RangeError if another version saved the payload.
 */
export function readResult(
  collector: Pick<Collector, 'metrics' | 'read'>,
  item: Item,
  { payload, answered, providerTime, complete }: Answer,
  { account, settlingTime, maxSeries, expires }: Target,
  shown: unknown = payload,
): { readonly result: Result; readonly issues: readonly string[] } {
  const issues: string[] = [];
  const time = { now: providerTime, settled: providerTime - settlingTime };
  const plausible: Family[] = [];
  for (const family of collector.read(shown, account, item, time, complete)) {
    plausible.push({ ...family, samples: readPlausible(collector, family, issues) });
  }
  const found = countSeries(plausible);
  const families = found > maxSeries ? limitSeries(plausible, maxSeries) : plausible;
  const answer = { payload: JSON.stringify(payload), answered, providerTime, complete };
  return { result: { ...answer, families, dropped: found - countSeries(families), expires }, issues };
}

export function countSeries(families: readonly Family[]): number {
  return families.reduce((sum, { samples }) => sum + samples.length, 0);
}

/** Returns the samples with possible values. Adds an issue for each impossible value. Throws TypeError for a value that is no number. */
export function readPlausible({ metrics }: Pick<Collector, 'metrics'>, family: Family, issues: string[]) {
  const [, unit = ''] = /_(timestamp_seconds|seconds|bytes)$/.exec(family.name) ?? [];
  const { from, to, expected } = ranges[unit] ?? amounts;
  const samples: Sample[] = [];
  for (const sample of family.samples) {
    const { value } = sample;
    if (typeof value !== 'number') throw new TypeError(`${family.name} is no number`);
    if (value >= from && value < to) {
      samples.push({ ...sample, labels: shortened(sample.labels) });
      continue;
    }
    const field = metrics.find(({ name }) => name === family.name)?.field.replaceAll('|', ' or ');
    issues.push(`${family.name} (${field}) is ${value}, not ${expected}`);
  }
  return samples;
}

/** Unix seconds of the start of the year 10000. */
const endOfTime = 253_402_300_800;

/** The possible values of a metric, by the unit at the end of the metric's name; `to` is exclusive. */
const ranges: Readonly<Record<string, { readonly from: number; readonly to: number; readonly expected: string }>> = {
  timestamp_seconds: { from: 0, to: endOfTime, expected: 'a time from 1970 to 9999' },
  seconds: { from: 0, to: endOfTime, expected: 'a time in seconds' },
  bytes: { from: 0, to: 2 ** 63, expected: 'a size in bytes' },
};

/** The possible values of metrics without such a unit. The values can be negative, such as the balance of an account in debt. */
const amounts = { from: -(2 ** 53), to: 2 ** 53, expected: 'an amount' };

/** Small families keep all series. The others share the rest equally and keep the largest or, with `smallestFirst`, the smallest values. */
function limitSeries(families: readonly Family[], maxSeries: number): readonly Family[] {
  const sizes = families.map(({ samples }) => samples.length).sort((a, b) => a - b);
  let left = maxSeries;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return families.map((family) => ({ ...family, samples: mostImportant(family, share) }));
    left -= size;
  }
  return families;
}

/** Returns the `count` most important samples in their original order. Of samples with equal values, keeps the first. */
function mostImportant({ samples, smallestFirst }: Family, count: number): readonly Sample[] {
  if (samples.length <= count) return samples;
  const sign = smallestFirst === true ? 1 : -1;
  const kept = new Set(samples.toSorted((a, b) => sign * (a.value - b.value)).slice(0, count));
  return samples.filter((sample) => kept.has(sample));
}

/** Maximum number of characters of a label value. No name of a site, domain or database is longer. */
const maxLabelLength = 256;

function shortened(labels: Sample['labels']): Sample['labels'] {
  let result = labels;
  for (const [name, text] of Object.entries(labels)) {
    if (typeof text !== 'string') throw new TypeError(`the label ${name} is no text`);
    if (text.length <= maxLabelLength) continue;
    result = { ...result, [name]: `${text.slice(0, maxLabelLength - 1).toWellFormed()}…` };
  }
  return result;
}
