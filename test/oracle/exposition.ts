/** One sample line of a page. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface ParsedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** Empty without a unit. */
  readonly unit: string;
  readonly samples: readonly ParsedSample[];
}

export type PageFormat = 'text' | 'openmetrics';

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const samplePattern = new RegExp(`^(${metricName})(?:\\{(.*)\\})? (\\S+)$`, 'su');
const labelPattern = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/suy;
const valuePattern = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]?Inf|NaN)$/iu;
const suffixes: Readonly<Record<string, readonly string[]>> = {
  gauge: [''],
  unknown: [''],
  untyped: [''],
  counter: ['_total'],
  histogram: ['_bucket', '_count', '_sum'],
  summary: ['', '_count', '_sum'],
};

/**
 * Parses a page of the text format 0.0.4 or OpenMetrics 1.0.0, more strictly than both: HELP and TYPE come before the
 * samples, families are contiguous, and no line is blank. Throws an Error with the line number. Shares no code with the
 * exporter.
 */
export function parsePage(page: string, format: PageFormat): readonly ParsedFamily[] {
  if (!page.endsWith('\n')) throw new Error('the last line has no line feed');
  if (page.includes('\r')) checkNoCarriageReturnOutsideLabels(page);
  const lines = page.slice(0, -1).split('\n');
  if (format === 'openmetrics' && lines.pop() !== '# EOF') throw new Error('the page does not end with # EOF');
  const families = new Map<string, { help: string; type: string; unit: string; samples: ParsedSample[] }>();
  const series = new Set<string>();
  let open = '';
  let help: { name: string; text: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const fail = (why: string): never => {
      throw new Error(`line ${index + 1}: ${why}: ${line}`);
    };
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE|UNIT) (\S+) (.*)$/su.exec(line) ?? [];
    if (keyword === 'UNIT') {
      if (format === 'text') fail('a unit in the text format');
      if (name !== open || families.get(name)?.unit !== '') fail('UNIT does not follow TYPE');
      if (families.get(name)?.samples.length !== 0) fail('UNIT after samples');
      if (rest === '' || !name.endsWith(`_${rest}`)) fail('the name does not end in the unit');
      families.set(name, { help: '', type: '', samples: [], ...families.get(name), unit: rest });
    } else if (keyword === 'HELP') {
      if (families.has(name)) fail('duplicate family');
      if (help !== undefined) fail('HELP without TYPE');
      help = { name, text: unescapeHelp(rest, format, fail) };
    } else if (keyword === 'TYPE') {
      if (help?.name !== name) fail('TYPE without HELP');
      if (!Object.hasOwn(suffixes, rest) || (format === 'openmetrics' && rest === 'untyped')) fail('unknown type');
      if (format === 'openmetrics' && rest === 'counter' && name.endsWith('_total'))
        fail('a counter family named _total');
      families.set(name, { help: help?.text ?? '', type: rest, unit: '', samples: [] });
      help = undefined;
      open = name;
    } else {
      if (line === '' || line.startsWith('#')) fail('not HELP, TYPE or a sample');
      if (help !== undefined) fail('HELP without TYPE');
      const sample = parseSample(line, fail);
      const family = families.get(open);
      if (family === undefined) return fail('a sample before the first TYPE');
      const allowed = suffixes[family.type] ?? [];
      const base = format === 'text' && family.type === 'counter' ? [''] : allowed;
      if (!base.some((suffix) => sample.name === `${open}${suffix}`))
        fail(`a sample outside its family, after the HELP of ${open}`);
      if (family.type === 'counter' && !(sample.value >= 0)) fail('a negative counter');
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (series.has(key)) fail('duplicate series');
      series.add(key);
      family.samples.push(sample);
    }
  }
  if (help !== undefined) throw new Error(`HELP without TYPE at the end: ${help.name}`);
  const parsed = [...families].map(([name, family]) => ({ name, ...family }));
  for (const family of parsed) {
    if (family.samples.length === 0) throw new Error(`${family.name} has no sample`);
    if (family.type === 'histogram') checkHistogram(family, format);
  }
  return parsed;
}

/** The value of the only series of a metric with these labels; undefined if there is no such series. */
export function seriesValue(
  families: readonly ParsedFamily[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samplesOf(families, name).filter((sample) =>
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  if (found.length > 1) throw new Error(`${found.length} series of ${name} have the labels ${JSON.stringify(labels)}`);
  return found[0]?.value;
}

export function samplesOf(families: readonly ParsedFamily[], name: string): readonly ParsedSample[] {
  return families.flatMap(({ samples }) => samples).filter((sample) => sample.name === name);
}

function parseSample(line: string, fail: (why: string) => never): ParsedSample {
  const [, name, labelText, valueText = ''] = samplePattern.exec(line) ?? fail('not a sample');
  if (name === undefined || !valuePattern.test(valueText)) return fail('not a value');
  const value = valueText.replace(/inf$/i, 'Infinity').replace(/^nan$/i, 'NaN');
  return { name, labels: labelText === undefined ? {} : parseLabels(labelText, fail), value: Number(value) };
}

function parseLabels(text: string, fail: (why: string) => never): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  labelPattern.lastIndex = 0;
  while (labelPattern.lastIndex < text.length) {
    const [, name = '', value = '', comma] = labelPattern.exec(text) ?? fail('malformed labels');
    if (Object.hasOwn(labels, name)) fail(`duplicate label ${name}`);
    if (comma === ',' && labelPattern.lastIndex === text.length) fail('a trailing comma');
    Object.defineProperty(labels, name, {
      value: value.replace(/\\(.)/gsu, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
      enumerable: true,
    });
  }
  return labels;
}

function unescapeHelp(text: string, format: PageFormat, fail: (why: string) => never): string {
  const valid = format === 'text' ? /^(?:[^\\]|\\[\\n])*$/su : /^(?:[^\\"]|\\[\\n"])*$/su;
  if (!valid.test(text)) fail('malformed escape in HELP');
  return text.replace(/\\(.)/gsu, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}

function checkHistogram({ name, samples }: ParsedFamily, format: PageFormat): void {
  const groups = new Map<string, { le: string; value: number }[]>();
  const keyOf = ({ le: _le, ...labels }: Readonly<Record<string, string>>) => JSON.stringify(labels);
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le } = sample.labels;
    if (le === undefined) throw new Error(`${name}: a bucket has no label le`);
    if (format === 'openmetrics' && !/^(?:\+Inf|[\d]+\.[\d]+(?:e[+-]?\d+)?)$/u.test(le)) {
      throw new Error(`${name}: the bucket ${le} is not a canonical OpenMetrics number`);
    }
    groups.set(keyOf(sample.labels), [...(groups.get(keyOf(sample.labels)) ?? []), { le, value: sample.value }]);
  }
  for (const [key, buckets] of groups) {
    const last = buckets.at(-1);
    if (last?.le !== '+Inf') throw new Error(`${name}: the last bucket is not +Inf`);
    if (buckets.some(({ value }, index) => value < (buckets[index - 1]?.value ?? 0))) {
      throw new Error(`${name}: bucket counts decrease`);
    }
    const count = samples.find((one) => one.name === `${name}_count` && keyOf(one.labels) === key);
    if (count?.value !== last.value) throw new Error(`${name}: the count differs from the last bucket`);
  }
}

/** Only label values may contain a carriage return. */
function checkNoCarriageReturnOutsideLabels(page: string): void {
  const bare = page.replace(/"(?:[^"\\]|\\.)*"/gsu, '""');
  if (bare.includes('\r')) throw new Error('a carriage return outside a label value');
}
