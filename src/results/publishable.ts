import { createHash } from 'node:crypto';
import type { Collector, Item } from '../collectors/collector.ts';
import type { Family, Sample } from '../collectors/family.ts';
import type { TimeSlice } from '../runtime/time-slice.ts';
import type { Arrival } from './kept-payload.ts';

/**
 * Reads at most `maxSeries` values of a payload, and omits impossible values. `issues`: one sentence for each impossible value. Rejects
 * with a TypeError or RangeError for a payload of another version.
 */
export async function readPublishable(
  collector: Pick<Collector, 'metrics' | 'read'>,
  item: Item,
  payload: unknown,
  { providerTime: now, complete }: Arrival,
  { account, settlingTime, maxSeries }: { account: string; settlingTime: number; maxSeries: number },
  slice: TimeSlice,
) {
  const plausible: Family[] = [];
  const issues: string[] = [];
  let series = 0;
  for (const family of collector.read(payload, account, item, { now, settled: now - settlingTime }, complete)) {
    await slice.pause();
    const samples = readPlausible(collector, family, issues);
    plausible.push({ ...family, samples });
    series += samples.length;
    await slice.pause();
  }
  if (series <= maxSeries) return { families: plausible, issues, dropped: 0 };
  return { ...(await limitSeries(plausible, series, maxSeries, slice)), issues };
}

/** The samples with possible values. Adds an issue for each other value. Throws a TypeError for a value that is no number. */
export function readPlausible({ metrics }: Pick<Collector, 'metrics'>, family: Family, issues: string[]) {
  const [, unit = ''] = /_(timestamp_seconds|seconds|bytes)$/.exec(family.name) ?? [];
  const { from, to, expected } = ranges[unit] ?? amounts;
  const samples: Sample[] = [];
  for (const sample of family.samples) {
    const { value } = sample;
    if (typeof value !== 'number') throw new TypeError(`${family.name} is no number`);
    if (value < from || value >= to || Number.isNaN(value)) {
      const field = metrics.find(({ name }) => name === family.name)?.field.replaceAll('|', ' or ');
      issues.push(`${family.name} (${field}) is ${value}, not ${expected}`);
      continue;
    }
    let shown = sample;
    for (const name in sample.labels) {
      const text = sample.labels[name];
      if (typeof text !== 'string') throw new TypeError(`the label ${name} is no text`);
      if (text.length > maxLabelLength) shown = { ...shown, labels: { ...shown.labels, [name]: shorten(text) } };
    }
    samples.push(shown);
  }
  return samples;
}

/** Unix seconds of the start of the year 10000. */
const endOfTime = 253_402_300_800;

/** The possible values of a metric, by the unit at the end of its name; `to` is exclusive. */
const ranges: Readonly<Record<string, { readonly from: number; readonly to: number; readonly expected: string }>> = {
  timestamp_seconds: { from: 0, to: endOfTime, expected: 'a time from 1970 to 9999' },
  seconds: { from: 0, to: endOfTime, expected: 'a time in seconds' },
  bytes: { from: 0, to: 2 ** 63, expected: 'a size in bytes' },
};

/** The possible values of all other metrics. The balance of an account in debt is negative. */
const amounts = { from: -(2 ** 53), to: 2 ** 53, expected: 'an amount' };

/** Small families keep all series. Other families keep an equal number: the largest values or, with `smallestFirst`, the smallest. */
async function limitSeries(families: readonly Family[], series: number, maxSeries: number, slice: TimeSlice) {
  const sizes = families.map(({ samples }) => samples.length);
  const share = Math.floor(fairShare(sizes, maxSeries));
  const kept: Family[] = [];
  for (const family of families) {
    kept.push({ ...family, samples: mostImportant(family, share) });
    await slice.pause();
  }
  return { families: kept, dropped: kept.reduce((dropped, { samples }) => dropped - samples.length, series) };
}

/** The largest share that each need may have of `total`; infinite if `total` covers all needs. A smaller need leaves the rest to others. */
export function fairShare(needs: readonly number[], total: number): number {
  let left = total;
  for (const [index, need] of needs.toSorted((a, b) => a - b).entries()) {
    const share = left / (needs.length - index);
    if (need > share) return share;
    left -= need;
  }
  return Number.POSITIVE_INFINITY;
}

/** Of equal values, keeps the first. Sorts only the values, which takes half as long as sorting the samples. */
function mostImportant({ samples, smallestFirst }: Family, count: number): readonly Sample[] {
  if (samples.length <= count) return samples;
  const sign = smallestFirst === true ? 1 : -1;
  const sorted = Float64Array.from(samples, ({ value }) => sign * value).sort();
  const last = sorted[count - 1] ?? Number.NEGATIVE_INFINITY;
  let equal = count - sorted.indexOf(last);
  return samples.filter(({ value }) => {
    if (sign * value === last) equal -= 1;
    return sign * value < last || (sign * value === last && equal >= 0);
  });
}

/** Maximum number of characters of a label value. A longer value is cut and ends in a hash of the full value, to stay distinct. */
const maxLabelLength = 256;
const hashLength = 8;

function shorten(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, hashLength);
  return `${text.slice(0, maxLabelLength - hashLength - 1).toWellFormed()}…${hash}`;
}
