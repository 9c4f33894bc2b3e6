import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelled word most likely means; undefined if none is similar enough. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  const ranked = [...candidates]
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.ceil(Math.min(word.length, candidate.length) / 3))
    .sort((one, other) => one.edits - other.edits);
  return ranked[0]?.candidate ?? containing(lower, candidates);
}

/** The only candidate that contains the word, as `warning` contains `warn`. */
function containing(word: string, candidates: Iterable<string>): string | undefined {
  const found = [...candidates].filter((candidate) => word.length > 2 && candidate.toLowerCase().includes(word));
  return found.length === 1 ? found[0] : undefined;
}
