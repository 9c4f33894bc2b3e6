import type { Scope } from './figures.ts';
import type { Language } from './language.ts';

/** A PromQL expression on the series in scope. */
export type Query = (scope: Scope) => string;

/** How a number is written in a description. */
export type ValueFormat = 'percent' | 'whole' | 'tenths' | 'number';

/** A piece of a description: fixed text, a label or the value of the alert, or the result of a query. */
export type TemplatePart =
  | string
  | { readonly kind: 'label'; readonly name: string }
  | {
      readonly kind: 'labelWord';
      readonly name: string;
      readonly words: Readonly<Record<string, string>>;
      readonly otherwise: string | undefined;
    }
  | { readonly kind: 'value'; readonly format: ValueFormat }
  | { readonly kind: 'when'; readonly limit: number; readonly below: Template; readonly otherwise: Template }
  | {
      readonly kind: 'queryValue';
      readonly before: string;
      readonly query: Query;
      readonly format: ValueFormat;
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

/** A description as data, from which the templates for Prometheus and Grafana are written. */
export type Template = readonly TemplatePart[];

/** Builds a description from a template literal. A line break with the spaces around it becomes one space. */
export function text(literal: TemplateStringsArray, ...parts: readonly (TemplatePart | Template)[]): Template {
  return literal.flatMap((piece, index) => {
    const fixed = (index === 0 ? piece.trimStart() : piece).replaceAll(/\s*\n\s*/g, ' ');
    return [fixed, parts[index] ?? []].flat();
  });
}

export function label(name: string): TemplatePart {
  return { kind: 'label', name };
}

/** The word for the value of a label. A value without a word becomes `otherwise`, or stays as it is. */
export function labelWord(name: string, words: Readonly<Record<string, string>>, otherwise?: string): TemplatePart {
  return { kind: 'labelWord', name, words, otherwise };
}

export function value(format: ValueFormat): TemplatePart {
  return { kind: 'value', format };
}

/** The text `below` if the value of the alert is below the limit, otherwise the text `otherwise`. */
export function when(limit: number, below: Template, otherwise: Template): TemplatePart {
  return { kind: 'when', limit, below, otherwise };
}

/** The result of a query for series whose labels `by` equal those of the alert, with text around it. Empty if the query returns nothing. */
export function queryValue(
  before: string,
  query: Query,
  format: ValueFormat,
  after = '',
  by: readonly string[] = ['account'],
): TemplatePart {
  return { kind: 'queryValue', before, query, format, after, by };
}

/** The values of one label in the results of a query, each after the text `before`. Empty if the query returns nothing. */
export function queryLabels(before: string, query: Query, name: string, by: readonly string[]): TemplatePart {
  return { kind: 'queryLabels', before, query, label: name, by };
}

const pipelines: Readonly<Record<ValueFormat, string>> = {
  percent: 'humanizePercentage',
  whole: 'printf "%.0f"',
  tenths: 'printf "%.1f"',
  number: 'printf "%.2f"',
};

function formatAction(operand: string, format: ValueFormat, language: Language): string {
  const comma = language === 'ru' && format !== 'whole' ? ' | reReplaceAll "[.]" ","' : '';
  return `{{ ${operand} | ${pipelines[format]}${comma} }}`;
}

/** The description as a Prometheus template. */
export function prometheusTemplate(template: Template, scope: Scope, language: Language): string {
  return template.map((part) => partText(part, language, '$value', scope)).join('');
}

/** The description as a Grafana template. Grafana templates cannot run queries, so query parts are omitted. */
export function grafanaTemplate(template: Template, language: Language): string {
  return template.map((part) => partText(part, language, '$values.A.Value')).join('');
}

/** `operand` is the template variable of the alert's value. Without a scope, queries are omitted. */
function partText(part: TemplatePart, language: Language, operand: string, scope?: Scope): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'label':
      return `{{ $labels.${part.name} }}`;
    case 'labelWord': {
      const words = Object.entries(part.words).map(
        ([code, word]) => `if eq $labels.${part.name} "${code}" }}${word}{{ else `,
      );
      return `{{ ${words.join('')}}}${part.otherwise ?? `{{ $labels.${part.name} }}`}{{ end }}`;
    }
    case 'value':
      return formatAction(operand, part.format, language);
    case 'when': {
      const branch = (template: Template) => template.map((one) => partText(one, language, operand, scope)).join('');
      const limit = Number.isInteger(part.limit) ? part.limit.toFixed(1) : part.limit;
      const otherwise = branch(part.otherwise);
      const isChain = part.otherwise.length === 1 && otherwise.startsWith('{{ if ');
      const rest = isChain ? `{{ else ${otherwise.slice('{{ '.length)}` : `{{ else }}${otherwise}{{ end }}`;
      return `{{ if lt ${operand} ${limit} }}${branch(part.below)}${rest}`;
    }
    case 'queryValue': {
      if (scope === undefined) return '';
      const number = formatAction('. | first | value', part.format, language);
      return `{{ with ${queryPipeline(part, scope)} }}${part.before}${number}${part.after}{{ end }}`;
    }
    case 'queryLabels':
      if (scope === undefined) return '';
      return `{{ range ${queryPipeline(part, scope)} }}${part.before}{{ .Labels.${part.label} }}{{ end }}`;
  }
}

interface LabelledQuery {
  readonly query: Query;
  readonly by: readonly string[];
}

// %q quotes an argument as a PromQL string.
function queryPipeline({ query, by }: LabelledQuery, scope: Scope): string {
  const matchers = by.map((name) => `,${name}=%q`).join('');
  const promql = `\`${query({ ...scope, matchers: scope.matchers + matchers })}\``;
  return by.length === 0
    ? `query ${promql}`
    : `printf ${promql} ${by.map((name) => `$labels.${name}`).join(' ')} | query`;
}
