import type { Sample } from './family.ts';

/** The value of each line that `renderSamples` has written. */
export function parseValues(lines: string): readonly number[] {
  const values: number[] = [];
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf('\n', start);
    values.push(parseValue(lines.slice(lines.lastIndexOf(' ', end) + 1, end)));
    start = end + 1;
  }
  return values;
}

/**
 * One label and the value of each line that `renderSamples` has written; any label but the first one. Reads nothing else,
 * because an overview reads the lines of a thousand accounts.
 */
export function parseLabel(label: string, lines: string): readonly (readonly [text: string, value: number])[] {
  const pairs: [string, number][] = [];
  // Quotes in values are escaped, so that this is found only where a label begins.
  const start = `,${label}="`;
  for (let line = 0; line < lines.length; ) {
    const end = lines.indexOf('\n', line);
    const found = lines.indexOf(start, line);
    if (found >= 0 && found < end) {
      const from = found + start.length;
      let to = lines.indexOf('"', from);
      while (isEscaped(lines, to)) to = lines.indexOf('"', to + 1);
      const value = parseValue(lines.slice(lines.lastIndexOf(' ', end) + 1, end));
      pairs.push([unescapeLabel(lines.slice(from, to)), value]);
    }
    line = end + 1;
  }
  return pairs;
}

/** Whether an odd number of backslashes stands before a character. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === '\\') start -= 1;
  return (index - start) % 2 === 1;
}

/** The samples in lines that `renderSamples` has written. */
export function parseSamples(lines: string): readonly Sample[] {
  const samples: Sample[] = [];
  // Label values contain no line break, because it is escaped.
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const labels: Record<string, string> = {};
    for (const [, name = '', value = ''] of line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      labels[name] = unescapeLabel(value);
    samples.push({ labels, value: parseValue(line.slice(line.lastIndexOf(' ') + 1)) });
  }
  return samples;
}

function unescapeLabel(value: string): string {
  return value.includes('\\') ? value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char)) : value;
}

function parseValue(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
}
