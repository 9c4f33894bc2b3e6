import type { Family, Sample } from './family.ts';

/**
 * The lines of a family's samples, each with its line break, without HELP and TYPE; empty where there is no sample. Of
 * samples with the same labels the last one counts. Written by hand, since prom-client takes two series for one whose
 * labels only look alike when joined by commas.
 */
export function renderSamples({ name, labelNames, samples }: Family): string {
  const lines = new Map<string, number>();
  for (const sample of samples) lines.set(renderLabels(labelNames, sample), sample.value);
  let text = '';
  for (const [labels, value] of lines) text += `${name}${labels} ${value}\n`;
  return text;
}

function renderLabels(labelNames: readonly string[], { labels }: Sample): string {
  const pairs: string[] = [];
  for (const label of labelNames) {
    const value = labels[label];
    if (value !== undefined) pairs.push(`${label}="${escapeLabel(value)}"`);
  }
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;
}

/** The lines of prom-client's text that are no comment and not blank. */
export function samplesOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => `${line}\n`)
    .join('');
}
