import { type SeriesMap, seriesKey } from './expected-series.ts';

const linePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The series of a page in the text format. Throws if a series is duplicated or a line is not in the format. */
export function readPage(text: string): SeriesMap {
  const series: SeriesMap = new Map();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels = '', value] = linePattern.exec(line) ?? [];
    if (name === undefined) throw new Error(`the line is not in the text format: ${line}`);
    const pairs = [...labels.matchAll(labelPattern)].map(([, label = '', text = '']) => [label, unescapeLabel(text)]);
    const key = seriesKey(name, Object.fromEntries(pairs));
    if (series.has(key)) throw new Error(`duplicate series on the page: ${key}`);
    series.set(key, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  return series;
}

function unescapeLabel(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

/** The series about accounts, without those about the exporter, its process and its thresholds. */
export function ofAccounts(series: SeriesMap): SeriesMap {
  return new Map([...series].filter(([key]) => /^hosting_(?!up\b|exporter_|account_alert_threshold\b)/.test(key)));
}

/** One line for each missing, wrong or unexpected series; empty if the exported series are exactly the expected ones. */
export function compare(expected: SeriesMap, exported: SeriesMap): readonly string[] {
  const differences: string[] = [];
  for (const [key, value] of expected) {
    const actual = exported.get(key);
    if (actual === undefined) differences.push(`missing: ${key} ${value}`);
    else if (actual !== value) differences.push(`wrong: ${key} is ${actual}, expected ${value}`);
  }
  for (const [key, value] of exported) if (!expected.has(key)) differences.push(`unexpected: ${key} ${value}`);
  return differences;
}
