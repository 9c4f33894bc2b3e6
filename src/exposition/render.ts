import { Gauge, Registry } from 'prom-client';
import type { Family } from './family.ts';

/** The lines of a family's samples, each with its line break, without HELP and TYPE; empty where there is no sample. */
export async function renderSamples(family: Family): Promise<string> {
  const registry = new Registry();
  const { name, help, labelNames } = family;
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  for (const { labels, value } of family.samples) gauge.set(labels, value);
  return samplesOf(await registry.getSingleMetricAsString(name));
}

/** The lines of prom-client's text that are no comment and not blank. */
export function samplesOf(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => `${line}\n`)
    .join('');
}
