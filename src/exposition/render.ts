import type { Family } from './family.ts';

/**
 * The lines of a family's samples, each with its line break, without HELP and TYPE; empty where there is no sample. Of
 * samples with the same labels the last one counts.
 */
export function renderSamples({ name, labelNames, samples }: Family): string {
  const values = new Map<string, number>();
  for (const { labels, value } of samples) values.set(renderSeries(name, labelNames, labels), value);
  return renderValues(values);
}

/** The lines of series that `renderSeries` wrote. */
export function renderValues(values: ReadonlyMap<string, number>): string {
  const lines: string[] = [];
  for (const [series, value] of values) lines.push(series, ' ', renderValue(value), '\n');
  // Joined and not added up: a sum is kept as a tree of its summands, which takes ten times the memory.
  return lines.join('');
}

/**
 * A series as it stands before its value. Written by hand, since prom-client takes two series for one whose labels only
 * look alike when joined by commas.
 */
export function renderSeries(
  name: string,
  labelNames: readonly string[],
  labels: Readonly<Record<string, string | number | undefined>>,
): string {
  let pairs = '';
  for (const label of labelNames) {
    const value = labels[label];
    if (value !== undefined) pairs += `${pairs === '' ? '{' : ','}${label}="${escapeLabel(String(value))}"`;
  }
  return pairs === '' ? name : `${name}${pairs}}`;
}

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}

function renderValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
