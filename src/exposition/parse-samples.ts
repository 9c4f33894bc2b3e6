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
