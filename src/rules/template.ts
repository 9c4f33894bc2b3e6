import type { Scope } from './figures.ts';
import type { Language } from './language.ts';

/** A PromQL expression on the series in scope. */
export type Query = (scope: Scope) => string;

/** How a number is written in a description. */
export type Format = 'percent' | 'bytes' | 'whole' | 'tenths' | 'duration' | 'number';

/** A piece of a description: fixed text, a label or the value of the alert, or the result of a further query. */
export type TemplatePart =
  | string
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'value'; readonly format: Format }
  | { readonly kind: 'when'; readonly limit: number; readonly below: Template; readonly otherwise: Template }
  | {
      readonly kind: 'queryValue';
      readonly before: string;
      readonly query: Query;
      /** Without it, the text only says that the query returns something. */
      readonly format: Format | undefined;
      readonly after: string;
      readonly by: readonly string[];
    }
  | {
      readonly kind: 'queryLabels';
      readonly before: string;
      readonly query: Query;
      readonly label: string;
      readonly by: readonly string[];
    };

/** A description as data: written as a Prometheus or Grafana template for rules, and rendered for promtool tests. */
export type Template = readonly TemplatePart[];

/** A label of the alert. */
export function label(name: string): TemplatePart {
  return { kind: 'label', name };
}

/** The value of the alert. */
export function value(format: Format): TemplatePart {
  return { kind: 'value', format };
}

/** One of two texts, by the value of the alert. */
export function when(limit: number, below: Template, otherwise: Template): TemplatePart {
  return { kind: 'when', limit, below, otherwise };
}

/** The value of a query with the alert's labels `by`; omitted together with its text if the query returns nothing. */
export function queryValue(
  before: string,
  query: Query,
  format: Format | undefined,
  after = '',
  by: readonly string[] = ['account'],
): TemplatePart {
  return { kind: 'queryValue', before, query, format, after, by };
}

/** The values of one label over the results of a query, separated by commas; omitted if the query returns nothing. */
export function queryLabels(before: string, query: Query, name: string, by: readonly string[]): TemplatePart {
  return { kind: 'queryLabels', before, query, label: name, by };
}

const pipelines: Readonly<Record<Format, string>> = {
  percent: 'humanizePercentage',
  bytes: 'humanize',
  whole: 'printf "%.0f"',
  tenths: 'printf "%.1f"',
  duration: 'humanizeDuration',
  number: 'printf "%.2f"',
};

/** Replacements after a pipeline, as regular expressions of Go and JavaScript without groups: Grafana expands `$1`. */
const replacements: Readonly<Record<Language, Readonly<Record<Format, readonly (readonly [string, string])[]>>>> = {
  en: {
    percent: [],
    bytes: [],
    whole: [],
    tenths: [],
    duration: [
      [' [0-9]+s$', ''],
      [' 0[hm]', ''],
    ],
    number: [],
  },
  ru: {
    percent: [
      ['[.]', ','],
      ['%', ' %'],
    ],
    bytes: [],
    whole: [],
    tenths: [['[.]', ',']],
    duration: [
      [' [0-9]+s$', ''],
      [' 0[hm]', ''],
      ['d', ' сут'],
      ['h', ' ч'],
      ['m', ' мин'],
      ['s', ' с'],
    ],
    number: [['[.]', ',']],
  },
};

/** The prefixes of `humanize` with a space, and the unit that follows. */
const byteUnits: Readonly<
  Record<Language, { readonly prefixes: Readonly<Record<string, string>>; readonly unit: string }>
> = {
  en: { prefixes: { k: ' k', M: ' M', G: ' G', T: ' T', P: ' P' }, unit: 'B' },
  ru: { prefixes: { k: ' К', M: ' М', G: ' Г', T: ' Т', P: ' П' }, unit: 'Б' },
};

function replacementsOf(format: Format, language: Language): readonly (readonly [string, string])[] {
  if (format !== 'bytes') return replacements[language][format];
  const decimal = language === 'ru' ? [['[.]', ','] as const] : [];
  return [...decimal, ...Object.entries(byteUnits[language].prefixes)];
}

function formatAction(operand: string, format: Format, language: Language): string {
  const pipeline = replacementsOf(format, language).reduce(
    (inner, [pattern, text]) => `${inner} | reReplaceAll "${pattern}" "${text}"`,
    `${operand} | ${pipelines[format]}`,
  );
  return `{{ ${pipeline} }}${format === 'bytes' ? byteUnits[language].unit : ''}`;
}

/** The description as a Prometheus template. */
export function prometheusTemplate(template: Template, scope: Scope, language: Language): string {
  return template.map((part) => prometheusPart(part, scope, language)).join('');
}

function prometheusPart(part: TemplatePart, scope: Scope, language: Language): string {
  if (typeof part === 'string') {
    return part;
  }
  switch (part.kind) {
    case 'label':
      return `{{ $labels.${part.name} }}`;
    case 'value':
      return formatAction('$value', part.format, language);
    case 'when': {
      const below = prometheusTemplate(part.below, scope, language);
      const otherwise = prometheusTemplate(part.otherwise, scope, language);
      return condition('$value', part.limit, below, otherwise);
    }
    case 'queryValue': {
      const number = part.format === undefined ? '' : formatAction('. | first | value', part.format, language);
      return `{{ with ${queryPipeline(part, scope)} }}${part.before}${number}${part.after}{{ end }}`;
    }
    case 'queryLabels':
      return `{{ range $index, $one := (${queryPipeline(part, scope)}) }}{{ if $index }}, {{ else }}${part.before}{{ end }}{{ $one.Labels.${part.label} }}{{ end }}`;
  }
}

function condition(operand: string, limit: number, below: string, otherwise: string): string {
  const constant = Number.isInteger(limit) ? limit.toFixed(1) : String(limit);
  return `{{ if lt ${operand} ${constant} }}${below}{{ else }}${otherwise}{{ end }}`;
}

interface LabelledQuery {
  readonly query: Query;
  readonly by: readonly string[];
}

// %[1]q quotes the first argument as a PromQL string, in every place where it appears.
function queryPipeline({ query, by }: LabelledQuery, scope: Scope): string {
  const matchers = by.map((name, index) => `,${name}=%[${index + 1}]q`).join('');
  const text = `\`${query({ ...scope, matchers: scope.matchers + matchers })}\``;
  return by.length === 0 ? `query ${text}` : `printf ${text} ${by.map((name) => `$labels.${name}`).join(' ')} | query`;
}

/** The description as a Grafana template. Grafana templates cannot run queries, so query parts are omitted. */
export function grafanaTemplate(template: Template, language: Language): string {
  return template
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      switch (part.kind) {
        case 'label':
          return `{{ $labels.${part.name} }}`;
        case 'value':
          return formatAction('$values.A.Value', part.format, language);
        case 'when': {
          const below = grafanaTemplate(part.below, language);
          return condition('$values.A.Value', part.limit, below, grafanaTemplate(part.otherwise, language));
        }
        default:
          return '';
      }
    })
    .join('');
}

/** The value of the first series, or the label of each series. */
export type QueryResult = number | readonly string[];

/** The data of one alert from which a description is rendered. */
export interface TemplateData {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** What each query returns; queries that return nothing are missing. */
  readonly queryResults?: ReadonlyMap<Query, QueryResult>;
}

/** The description as Prometheus renders it. */
export function render(template: Template, data: TemplateData, language: Language = 'en'): string {
  const results = data.queryResults;
  const renderPart = (part: TemplatePart): string => {
    if (typeof part === 'string') {
      return part;
    }
    switch (part.kind) {
      case 'label':
        return data.labels[part.name] ?? '';
      case 'value':
        return formatNumber(data.value, part.format, language);
      case 'when':
        return (data.value < part.limit ? part.below : part.otherwise).map(renderPart).join('');
      case 'queryValue': {
        const result = results?.get(part.query);
        if (typeof result !== 'number') return '';
        const number = part.format === undefined ? '' : formatNumber(result, part.format, language);
        return `${part.before}${number}${part.after}`;
      }
      case 'queryLabels': {
        const result = results?.get(part.query);
        return typeof result === 'object' && result.length > 0 ? `${part.before}${result.join(', ')}` : '';
      }
    }
  };
  return template.map(renderPart).join('');
}

/** The number as the template functions of Prometheus write it. */
function formatNumber(number: number, format: Format, language: Language): string {
  const text = replacementsOf(format, language).reduce(
    (before, [pattern, replacement]) => before.replaceAll(new RegExp(pattern, 'g'), replacement),
    plainNumber(number, format),
  );
  return format === 'bytes' ? text + byteUnits[language].unit : text;
}

function plainNumber(number: number, format: Format): string {
  switch (format) {
    case 'percent':
      return `${significant(number * 100)}%`;
    case 'bytes':
      return humanize(number);
    case 'whole':
      return number.toFixed(0);
    case 'tenths':
      return number.toFixed(1);
    case 'number':
      return number.toFixed(2);
    case 'duration':
      return humanizeDuration(number);
  }
}

function significant(number: number): string {
  return Number(number.toPrecision(4)).toString();
}

function humanize(number: number): string {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  const power = number < 1000 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(number) / 3));
  return `${significant(number / 1000 ** power)}${prefixes[power]}`;
}

function humanizeDuration(total: number): string {
  const whole = Math.trunc(total);
  const parts = [
    [Math.trunc(whole / 86_400), 'd'],
    [Math.trunc(whole / 3600) % 24, 'h'],
    [Math.trunc(whole / 60) % 60, 'm'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return first === -1
    ? '0s'
    : parts
        .slice(first)
        .map(([count, unit]) => `${count}${unit}`)
        .join(' ');
}
