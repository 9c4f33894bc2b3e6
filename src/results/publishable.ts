import { createHash } from 'node:crypto';
import type { Collector, Item } from '../collectors/collector.ts';
import type { Family, Sample } from '../collectors/family.ts';
import type { Arrival } from './kept-payload.ts';

export interface Publishable {
  readonly families: readonly Family[];
  /** One sentence for each impossible value. */
  readonly issues: readonly string[];
  readonly dropped: number;
}

/** Reads up to `maxSeries` possible values of a payload. Throws a TypeError or RangeError for a payload of another version. */
export function readPublishable(
  collector: Pick<Collector, 'metrics' | 'read'>,
  item: Item,
  payload: unknown,
  { providerTime: now, complete }: Arrival,
  {
    account,
    settlingTime,
    maxSeries,
  }: { readonly account: string; readonly settlingTime: number; readonly maxSeries: number },
): Publishable {
  const families = collector.read(payload, account, item, { now, settled: now - settlingTime }, complete);
  const issues: string[] = [];
  const plausible: Family[] = [];
  let series = 0;
  for (const family of families) {
    const { from, to, name: expected } = rangeOf(family.name);
    const samples: Sample[] = [];
    for (const { labels, value } of family.samples) {
      if (typeof value !== 'number') throw new TypeError(`${family.name} is no number`);
      if (value >= from && value < to) {
        samples.push({ labels: withShortValues(labels), value });
      } else {
        const field = collector.metrics.find(({ name }) => name === family.name)?.field.replaceAll('|', ' or ');
        issues.push(`${family.name} (${field}) is ${value}, not ${expected}`);
      }
    }
    plausible.push({ ...family, samples });
    series += samples.length;
  }
  if (series <= maxSeries) return { families: plausible, issues, dropped: 0 };
  return { ...limitSeries(plausible, series, maxSeries), issues };
}

/** Unix seconds of the start of the year 10000. */
const endOfTime = 253_402_300_800;

/** The range of possible values of a metric, in the unit at the end of the metric's name; `to` is exclusive. */
function rangeOf(metric: string) {
  if (metric.endsWith('_timestamp_seconds')) return { from: 0, to: endOfTime, name: 'a time from 1970 to 9999' };
  if (metric.endsWith('_seconds')) return { from: 0, to: endOfTime, name: 'a time in seconds' };
  if (metric.endsWith('_bytes')) return { from: 0, to: 2 ** 63, name: 'a size in bytes' };
  // The balance of an account in debt is negative.
  return { from: -(2 ** 53), to: 2 ** 53, name: 'an amount' };
}

/** Small families keep all series. Other families keep an equal number: the largest values or, with `smallestFirst`, the smallest. */
function limitSeries(families: readonly Family[], series: number, maxSeries: number) {
  const sizes = families.map(({ samples }) => samples.length);
  const share = largestShare(sizes, maxSeries);
  const kept = families.map((family) => ({ ...family, samples: mostImportant(family, share) }));
  return { families: kept, dropped: kept.reduce((dropped, { samples }) => dropped - samples.length, series) };
}

/** The maximum number of samples per family that keeps all families together within `maxSeries`. */
function largestShare(sizes: readonly number[], maxSeries: number): number {
  let left = maxSeries;
  let share = 0;
  for (const [index, size] of [...sizes].sort((a, b) => a - b).entries()) {
    share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return share;
}

function mostImportant({ samples, smallestFirst }: Family, count: number): readonly Sample[] {
  const sign = smallestFirst === true ? 1 : -1;
  return samples.length <= count ? samples : [...samples].sort((a, b) => sign * (a.value - b.value)).slice(0, count);
}

/** Maximum number of characters of a label value. A longer value is cut and ends in a hash of the full value, to stay distinct. */
const maxLabelLength = 256;
const hashLength = 8;

function withShortValues(labels: Sample['labels']): Sample['labels'] {
  let shortened = labels;
  for (const name in labels) {
    const value = labels[name];
    if (typeof value !== 'string') throw new TypeError(`the label ${name} is no text`);
    if (value.length > maxLabelLength) shortened = { ...shortened, [name]: shorten(value) };
  }
  return shortened;
}

function shorten(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, hashLength);
  return `${text.slice(0, maxLabelLength - hashLength - 1).toWellFormed()}…${hash}`;
}
