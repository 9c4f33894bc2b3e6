import type { Family, FamilyHead } from '../collectors/family.ts';
import type { Representation } from './negotiation.ts';
import type { ProcessMetric } from './process-metrics.ts';

/** The lines of each metric in UTF-8, by the metric's name. Omits metrics without series. */
export type RenderedFamilies = ReadonlyMap<string, Uint8Array>;

const encoder = new TextEncoder();

/** Renders the series of each metric. If samples of a family have equal labels, the last one wins. */
export function renderFamilies(families: readonly Family[]): RenderedFamilies {
  const rendered = new Map<string, Uint8Array>();
  for (const { name, labelNames, samples } of families) {
    const values = new Map<string, number>();
    for (const { labels, value } of samples) values.set(renderSeries(name, labelNames, labels), value);
    let text = '';
    for (const [series, value] of values) text += renderLine(series, value);
    if (text !== '') rendered.set(name, encoder.encode(text));
  }
  return rendered;
}

/** Renders metrics of the process with HELP and TYPE. Omits metrics without series. */
export function renderProcessMetrics(format: Representation['format'], metrics: readonly ProcessMetric[]): string {
  let text = '';
  for (const metric of metrics) {
    if (metric.values.length > 0) text += renderHead(format, metric);
    for (const { labels, value, metricName = metric.name } of metric.values) {
      text += renderLine(renderSeries(metricName, Object.keys(labels), labels), value);
    }
  }
  return text;
}

function renderLine(series: string, value: number): string {
  return `${series} ${value === Number.POSITIVE_INFINITY ? '+Inf' : value}\n`;
}

type Labels = Readonly<Partial<Record<string, string | number>>>;

/** The text of a series before its value. Does not use prom-client, because it can confuse two series whose label values contain commas. */
export function renderSeries(name: string, labelNames: readonly string[], labels: Labels): string {
  let pairs = '';
  for (const label of labelNames) {
    if (labels[label] === undefined) continue;
    const value = String(labels[label]);
    const escaped = /[\\"\n]/.test(value) ? value.replace(/[\\"\n]/g, escapeCharacter) : value;
    pairs += `${pairs === '' ? '{' : ','}${label}="${escaped}"`;
  }
  return pairs === '' ? name : `${name}${pairs}}`;
}

function escapeCharacter(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`;
}

/** Renders HELP and TYPE. OpenMetrics requires counter names without `_total` here, and a line with the unit. */
export function renderHead(format: Representation['format'], { name, help, type }: FamilyHead): string {
  if (format === 'text') return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  const family = type === 'counter' ? name.replace(/_total$/, '') : name;
  const [, unit] = /_(seconds|bytes)$/.exec(family) ?? [];
  const unitLine = unit === undefined ? '' : `# UNIT ${family} ${unit}\n`;
  return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n${unitLine}`;
}

export const openMetricsEnd = '# EOF\n';
