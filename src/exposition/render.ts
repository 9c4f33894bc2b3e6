import type { Family, FamilyHead } from './family.ts';
import type { Representation } from './negotiation.ts';

/** Series and their values as lines of the text format, without HELP and TYPE. */
export interface RenderedSamples {
  /** One line per series, each with its line break; empty without samples. */
  readonly text: string;
  readonly series: number;
}

/** Renders the samples of a family. The last of several samples with the same labels wins. */
export function renderSamples({ name, labelNames, samples }: Family): RenderedSamples {
  const values = new Map<string, number>();
  for (const sample of samples) {
    values.set(renderSeries(sample.name ?? name, labelNames, sample.labels), sample.value);
  }
  const pieces: string[] = [];
  for (const [series, value] of values) pieces.push(series, ' ', renderValue(value), '\n');
  // Joined instead of concatenated: V8 keeps a concatenation as a tree that takes ten times the memory.
  return { text: pieces.join(''), series: values.size };
}

/** A series up to its value. prom-client's own rendering confuses series whose label values contain commas. */
export function renderSeries(
  name: string,
  labelNames: readonly string[],
  labels: Readonly<Record<string, string>>,
): string {
  let pairs = '';
  for (const label of labelNames) {
    const value = labels[label];
    if (value !== undefined) pairs += `${pairs === '' ? '{' : ','}${label}="${escapeLabel(value)}"`;
  }
  return pairs === '' ? name : `${name}${pairs}}`;
}

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}

/** A value in the notation of both formats. */
export function renderValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

/** HELP and TYPE. OpenMetrics names a counter without `_total`, and has a line for the unit, which Prometheus keeps as metadata. */
export function renderHead(format: Representation['format'], { name, help, type }: FamilyHead): string {
  if (format === 'text') return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  const family = type === 'counter' ? name.replace(/_total$/, '') : name;
  const [, unit] = /_(seconds|bytes)$/.exec(family) ?? [];
  const unitLine = unit === undefined ? '' : `# UNIT ${family} ${unit}\n`;
  return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n${unitLine}`;
}

/** The last line of a page in OpenMetrics. */
export const openMetricsEnd = '# EOF\n';
