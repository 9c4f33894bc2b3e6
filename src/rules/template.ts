import type { Scope } from './figures.ts';

/** How a number is written in a description. */
export type Format = 'percent' | 'bytes' | 'whole' | 'tenths' | 'duration' | 'number';

/** A piece of a description: fixed text, a label or the value of the alert, or the result of a further query. */
export type TemplatePart =
  | string
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'value'; readonly format: Format }
  | {
      readonly kind: 'queryValue';
      readonly before: string;
      readonly query: (scope: Scope) => string;
      readonly format: Format;
      readonly after: string;
      readonly by: readonly string[];
    }
  | {
      readonly kind: 'queryLabels';
      readonly before: string;
      readonly query: (scope: Scope) => string;
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

/** The value of a query with the alert's labels `by`; omitted together with its text if the query returns nothing. */
export function queryValue(
  before: string,
  query: (scope: Scope) => string,
  format: Format,
  after = '',
  by: readonly string[] = ['account'],
): TemplatePart {
  return { kind: 'queryValue', before, query, format, after, by };
}

/** The values of one label over the results of a query, separated by commas; omitted if the query returns nothing. */
export function queryLabels(
  before: string,
  query: (scope: Scope) => string,
  name: string,
  by: readonly string[],
): TemplatePart {
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

function formatAction(operand: string, format: Format): string {
  return `{{ ${operand} | ${pipelines[format]} }}${format === 'bytes' ? 'B' : ''}`;
}

/** The description as a Prometheus template. */
export function prometheusTemplate(template: Template, scope: Scope): string {
  return template.map((part) => prometheusPart(part, scope)).join('');
}

function prometheusPart(part: TemplatePart, scope: Scope): string {
  if (typeof part === 'string') {
    return part;
  }
  switch (part.kind) {
    case 'label':
      return `{{ $labels.${part.name} }}`;
    case 'value':
      return formatAction('$value', part.format);
    case 'queryValue':
      return `{{ with ${queryPipeline(part, scope)} }}${part.before}${formatAction('. | first | value', part.format)}${part.after}{{ end }}`;
    case 'queryLabels':
      return `{{ range $index, $one := (${queryPipeline(part, scope)}) }}{{ if $index }}, {{ else }}${part.before}{{ end }}{{ $one.Labels.${part.label} }}{{ end }}`;
  }
}

interface LabelledQuery {
  readonly query: (scope: Scope) => string;
  readonly by: readonly string[];
}

// %[1]q quotes the first argument as a PromQL string, in every place where it appears.
function queryPipeline({ query, by }: LabelledQuery, scope: Scope): string {
  const matchers = by.map((name, index) => `,${name}=%[${index + 1}]q`).join('');
  const text = `\`${query({ ...scope, matchers: scope.matchers + matchers })}\``;
  return by.length === 0 ? `query ${text}` : `printf ${text} ${by.map((name) => `$labels.${name}`).join(' ')} | query`;
}

/** The description as a Grafana template. Grafana templates cannot run queries, so query parts are omitted. */
export function grafanaTemplate(template: Template): string {
  return template
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      switch (part.kind) {
        case 'label':
          return `{{ $labels.${part.name} }}`;
        case 'value':
          return formatAction('$values.A.Value', part.format);
        default:
          return '';
      }
    })
    .join('');
}

/** The data of one alert from which a description is rendered. */
export interface TemplateData {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** One result per query part, in order; undefined where the query returns nothing. */
  readonly queryResults?: readonly (number | readonly string[] | undefined)[];
}

/** The description as Prometheus renders it. */
export function render(template: Template, data: TemplateData): string {
  const results = [...(data.queryResults ?? [])];
  return template
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      if (part.kind === 'label') {
        return data.labels[part.name] ?? '';
      }
      if (part.kind === 'value') {
        return formatNumber(data.value, part.format);
      }
      const result = results.shift();
      if (part.kind === 'queryValue' && typeof result === 'number') {
        return `${part.before}${formatNumber(result, part.format)}${part.after}`;
      }
      if (part.kind === 'queryLabels' && typeof result === 'object' && result.length > 0) {
        return `${part.before}${result.join(', ')}`;
      }
      return '';
    })
    .join('');
}

/** The number as the template functions of Prometheus write it. */
function formatNumber(number: number, format: Format): string {
  switch (format) {
    case 'percent':
      return `${significant(number * 100)}%`;
    case 'bytes':
      return `${humanize(number)}B`;
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
