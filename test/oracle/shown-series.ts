import { nearlyKnown, type SeriesMap, seriesKey } from './true-series.ts';

const linePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPattern = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** The series of a page in the text format; fails where one is there twice, or a line is none. */
export function readPage(text: string): SeriesMap {
  const series: SeriesMap = new Map();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, labels = '', figure] = linePattern.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a line of the text format: ${line}`);
    const pairs = [...labels.matchAll(labelPattern)].map(([, label = '', value = '']) => [
      label,
      withoutEscapes(value),
    ]);
    const key = seriesKey(name, Object.fromEntries(pairs));
    if (series.has(key)) throw new Error(`twice on the page: ${key}`);
    series.set(key, figure === '+Inf' ? Number.POSITIVE_INFINITY : Number(figure));
  }
  return series;
}

function withoutEscapes(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
}

/** The series that are about accounts, and not about the exporter or its process. */
export function ofAccounts(series: SeriesMap): SeriesMap {
  return new Map([...series].filter(([key]) => /^hosting_(?!up\b|exporter_)/.test(key)));
}

/** Seconds by which a figure may be off that depends on the time of the poll. */
const tolerance = 300;

/** What is wrong with the series that are shown, one line each; empty where all are there and true, and none besides. */
export function compare(truth: SeriesMap, shown: SeriesMap): readonly string[] {
  const wrong: string[] = [];
  for (const [key, value] of truth) {
    const figure = shown.get(key);
    const name = key.slice(0, key.indexOf('{'));
    if (figure === undefined) wrong.push(`missing: ${key} ${value}`);
    else if (nearlyKnown.has(name) ? Math.abs(figure - value) > tolerance : figure !== value) {
      wrong.push(`wrong: ${key} is ${figure}, and should be ${value}`);
    }
  }
  for (const [key, figure] of shown) {
    if (!truth.has(key) && !isUnlinked(key)) wrong.push(`should not be there: ${key} ${figure}`);
  }
  return wrong;

  /** The sandbox tells the PHP version only of domains that are linked to a site. */
  function isUnlinked(key: string): boolean {
    const [name, domain] = partsOfPhpInfo(key);
    return name && ![...truth.keys()].some((other) => partsOfPhpInfo(other)[1] === domain);
  }
}

function partsOfPhpInfo(key: string): readonly [boolean, string | undefined] {
  const [, domain] = /^hosting_domain_php_info\{.*domain=("(?:[^"\\]|\\.)*")/.exec(key) ?? [];
  return [domain !== undefined, domain];
}
