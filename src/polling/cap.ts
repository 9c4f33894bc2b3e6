import { createHash } from 'node:crypto';
import type { Family, Sample } from '../exposition/family.ts';

/** Characters of a label's value; what is longer is cut, and told apart by a hash of the whole. */
const maxLabelLength = 256;
const hashLength = 8;

/** Families that are no more than what is allowed, and how many series had to go for that. */
export interface Capped {
  readonly families: readonly Family[];
  readonly dropped: number;
}

/**
 * Families of at most `maxSeries` series in all. Small families stay whole; of the others each keeps the same number,
 * the biggest figures first, so that whoever eats most is still seen, or the smallest where those matter most.
 */
export function capSeries(families: readonly Family[], maxSeries: number): Capped {
  const capped = families.map(shortenLabels);
  const total = countSeries(capped);
  if (total <= maxSeries) return { families: capped, dropped: 0 };
  const most = largestShare(
    capped.map(({ samples }) => samples.length),
    maxSeries,
  );
  const kept = capped.map((family) => ({ ...family, samples: foremost(family, most) }));
  return { families: kept, dropped: total - countSeries(kept) };
}

/** The most samples that each family may have so that all together are no more than `maxSeries`. */
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

function foremost({ samples, smallestFirst }: Family, most: number): readonly Sample[] {
  const sign = smallestFirst === true ? 1 : -1;
  return samples.length <= most ? samples : [...samples].sort((a, b) => sign * (a.value - b.value)).slice(0, most);
}

function countSeries(families: readonly Family[]): number {
  return families.reduce((sum, { samples }) => sum + samples.length, 0);
}

function shortenLabels(family: Family): Family {
  const tooLong = (value: string) => value.length > maxLabelLength;
  if (!family.samples.some(({ labels }) => Object.values(labels).some(tooLong))) return family;
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
