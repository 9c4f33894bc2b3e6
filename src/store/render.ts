import type { Family, FamilyHead } from '../collectors/family.ts';
import type { Representation } from './negotiation.ts';

/** The lines of each metric that has series, as UTF-8. */
export type RenderedFamilies = ReadonlyMap<string, Uint8Array>;

const encoder = new TextEncoder();

export function renderFamilies(families: readonly Family[]): RenderedFamilies {
  const withSeries = families.filter(({ samples }) => samples.length > 0);
  return new Map(withSeries.map((family) => [family.name, encoder.encode(renderSamples(family))]));
}

/** Renders the samples without HELP and TYPE, one line per series. Of several samples with equal labels, the last one wins. */
export function renderSamples({ name, labelNames, samples }: Family): string {
  const values = new Map<string, number>();
  for (const sample of samples) values.set(renderSeries(sample.name ?? name, labelNames, sample.labels), sample.value);
  let text = '';
  for (const [series, value] of values) text += `${series} ${renderValue(value)}\n`;
  return text;
}

/** The text of a series before its value. Does not use prom-client, because it can confuse two series whose label values contain commas. */
export function renderSeries(name: string, labelNames: readonly string[], labels: Readonly<Record<string, string>>) {
  let pairs = '';
  for (const label of labelNames) {
    const value = labels[label];
    if (value === undefined) continue;
    const escaped = value.replace(/[\\"\n]/g, escapeCharacter);
    pairs += `${pairs === '' ? '{' : ','}${label}="${escaped}"`;
  }
  return pairs === '' ? name : `${name}${pairs}}`;
}

function escapeCharacter(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}

export function renderValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

/** Renders HELP and TYPE. OpenMetrics omits `_total` in the name of a counter, and requires a line for the unit. */
export function renderHead(format: Representation['format'], { name, help, type }: FamilyHead): string {
  if (format === 'text') return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  const family = type === 'counter' ? name.replace(/_total$/, '') : name;
  const [, unit] = /_(seconds|bytes)$/.exec(family) ?? [];
  const unitLine = unit === undefined ? '' : `# UNIT ${family} ${unit}\n`;
  return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n${unitLine}`;
}

export const openMetricsEnd = '# EOF\n';
