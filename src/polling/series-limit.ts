import { createHash } from 'node:crypto';
import type { Family, Sample } from '../exposition/family.ts';

/** Characters of a label value. Longer values are cut and end in a hash of the full value, so that they stay distinct. */
const maxLabelLength = 256;
const hashLength = 8;

/** Families within the limit, and the number of series dropped for it. */
export interface LimitedFamilies {
  readonly families: readonly Family[];
  readonly dropped: number;
}

/**
 * Limits families to `maxSeries` series in total. Small families stay complete. The others keep the same number each: the
 * largest values, so that the heaviest users stay visible, or the smallest if the family says so.
 */
export function limitSeries(families: readonly Family[], maxSeries: number): LimitedFamilies {
  const shortened = families.map(shortenLabels);
  const total = countSamples(shortened);
  if (total <= maxSeries) return { families: shortened, dropped: 0 };
  const share = largestShare(
    shortened.map(({ samples }) => samples.length),
    maxSeries,
  );
  const kept = shortened.map((family) => ({ ...family, samples: mostImportant(family, share) }));
  return { families: kept, dropped: total - countSamples(kept) };
}

/** Samples of all families; duplicates count separately. */
function countSamples(families: readonly Family[]): number {
  return families.reduce((sum, { samples }) => sum + samples.length, 0);
}

/** The largest number of samples per family with which all families together have at most `maxSeries`. */
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

function shortenLabels(family: Family): Family {
  const isTooLong = (value: string) => value.length > maxLabelLength;
  if (!family.samples.some(({ labels }) => Object.values(labels).some(isTooLong))) return family;
  const samples = family.samples.map(({ labels, value }) => ({
    labels: Object.fromEntries(Object.entries(labels).map(([name, text]) => [name, shorten(text)])),
    value,
  }));
  return { ...family, samples };
}

function shorten(text: string): string {
  if (text.length <= maxLabelLength) return text;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, hashLength);
  return `${text.slice(0, maxLabelLength - hashLength - 1).toWellFormed()}…${hash}`;
}
