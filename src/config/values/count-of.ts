/** Formats a number with a noun, such as `1 account` or `2 accounts`. */
export function countOf(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
