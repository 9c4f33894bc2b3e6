import { distance } from 'fastest-levenshtein';

/** Formats a number with a noun, such as `1 account` or `2 accounts`. */
export function countOf(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Makes text safe for a message: quoted, on one line, shortened, with invisible characters escaped. */
export function quote(text: string): string {
  const short = JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
  return short.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Escapes characters that could control a terminal or disguise a text. */
export function escapeControls(text: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/[^\P{Cc}\t\n]|[\p{Bidi_Control}\u2028\u2029]/gu, escaped);
}

/** Replaces or escapes characters that could forge a line of a report, or disguise a text. */
export function oneLine(text: string): string {
  return escapeControls(text).replace(/[\t\n]/g, ' ');
}

/** The candidate that a misspelled word most likely means; undefined if none is similar enough. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  const ranked = [...candidates]
    .map((candidate) => ({ candidate, edits: distance(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= Math.ceil(Math.min(word.length, candidate.length) / 3))
    .sort((one, other) => one.edits - other.edits);
  if (ranked[0] !== undefined) return ranked[0].candidate;
  // Otherwise, return the only candidate that contains the word, as `warning` contains `warn`.
  const containing = [...candidates].filter((one) => word.length > 2 && one.toLowerCase().includes(lower));
  return containing.length === 1 ? containing[0] : undefined;
}
