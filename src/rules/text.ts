import type { Scope } from './figures.ts';

/** How a number is written for a reader. */
export type Format = 'percent' | 'bytes' | 'whole' | 'tenths' | 'duration' | 'number';

/** A piece of a description: fixed words, something of the alert itself, or a question to Prometheus. */
export type Part =
  | string
  | { readonly kind: 'label'; readonly name: string }
  | { readonly kind: 'value'; readonly format: Format }
  | {
      readonly kind: 'ask';
      readonly before: string;
      readonly query: (scope: Scope) => string;
      readonly format: Format;
      readonly after: string;
      readonly by: readonly string[];
    }
  | {
      readonly kind: 'list';
      readonly before: string;
      readonly query: (scope: Scope) => string;
      readonly label: string;
      readonly by: readonly string[];
    };

/** A description that Prometheus and Grafana fill in, and of which a test knows the outcome. */
export type Text = readonly Part[];

/** The alert's own label. */
export function label(name: string): Part {
  return { kind: 'label', name };
}

/** The alert's own value. */
export function value(format: Format): Part {
  return { kind: 'value', format };
}

/** A further figure with the same labels `by`, left out with its words where there is none. */
export function ask(
  before: string,
  query: (scope: Scope) => string,
  format: Format,
  after = '',
  by: readonly string[] = ['account'],
): Part {
  return { kind: 'ask', before, query, format, after, by };
}

/** The values of one label over a further query with the same labels `by`, left out with its words where there are none. */
export function list(before: string, query: (scope: Scope) => string, name: string, by: readonly string[]): Part {
  return { kind: 'list', before, query, label: name, by };
}

const pipes: Readonly<Record<Format, string>> = {
  percent: 'humanizePercentage',
  bytes: 'humanize',
  whole: 'printf "%.0f"',
  tenths: 'printf "%.1f"',
  duration: 'humanizeDuration',
  number: 'printf "%.2f"',
};

const suffixes: Readonly<Record<Format, string>> = {
  percent: '',
  bytes: 'B',
  whole: '',
  tenths: '',
  duration: '',
  number: '',
};

/** The description as a template of Prometheus. */
export function prometheusTemplate(text: Text, scope: Scope): string {
  return text.map((part) => prometheusPart(part, scope)).join('');
}

function prometheusPart(part: Part, scope: Scope): string {
  if (typeof part === 'string') {
    return part;
  }
  switch (part.kind) {
    case 'label':
      return `{{ $labels.${part.name} }}`;
    case 'value':
      return `{{ $value | ${pipes[part.format]} }}${suffixes[part.format]}`;
    case 'ask':
      return `{{ with ${question(part, scope)} }}${part.before}{{ . | first | value | ${pipes[part.format]} }}${suffixes[part.format]}${part.after}{{ end }}`;
    case 'list':
      return `{{ range $index, $one := (${question(part, scope)}) }}{{ if $index }}, {{ else }}${part.before}{{ end }}{{ $one.Labels.${part.label} }}{{ end }}`;
  }
}

interface Question {
  readonly query: (scope: Scope) => string;
  readonly by: readonly string[];
}

// %[1]q quotes the first label's value as PromQL wants it, wherever and however often it stands.
function question({ query, by }: Question, scope: Scope): string {
  const narrowing = by.map((name, index) => `,${name}=%[${index + 1}]q`).join('');
  const text = `\`${query({ ...scope, matchers: scope.matchers + narrowing })}\``;
  return by.length === 0 ? `query ${text}` : `printf ${text} ${by.map((name) => `$labels.${name}`).join(' ')} | query`;
}

/** The description as a template of Grafana, which cannot ask further questions: those parts are left out. */
export function grafanaTemplate(text: Text): string {
  return text
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      switch (part.kind) {
        case 'label':
          return `{{ $labels.${part.name} }}`;
        case 'value':
          return `{{ $values.A.Value | ${pipes[part.format]} }}${suffixes[part.format]}`;
        default:
          return '';
      }
    })
    .join('');
}

/** What a filled-in description was filled with. */
export interface Filling {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** One for each question in order; undefined where Prometheus has no answer. */
  readonly answers?: readonly (number | readonly string[] | undefined)[];
}

/** The description as the reader gets it. */
export function filled(text: Text, filling: Filling): string {
  const answers = [...(filling.answers ?? [])];
  return text
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      if (part.kind === 'label') {
        return filling.labels[part.name] ?? '';
      }
      if (part.kind === 'value') {
        return formatted(filling.value, part.format);
      }
      const answer = answers.shift();
      if (part.kind === 'ask' && typeof answer === 'number') {
        return `${part.before}${formatted(answer, part.format)}${part.after}`;
      }
      if (part.kind === 'list' && typeof answer === 'object' && answer.length > 0) {
        return `${part.before}${answer.join(', ')}`;
      }
      return '';
    })
    .join('');
}

/** The number as the template functions of Prometheus write it. */
function formatted(number: number, format: Format): string {
  switch (format) {
    case 'percent':
      return `${significant(number * 100)}%`;
    case 'bytes':
      return `${scaled(number)}B`;
    case 'whole':
      return number.toFixed(0);
    case 'tenths':
      return number.toFixed(1);
    case 'number':
      return number.toFixed(2);
    case 'duration':
      return elapsed(number);
  }
}

function significant(number: number): string {
  return Number(number.toPrecision(4)).toString();
}

function scaled(number: number): string {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P'];
  const power = number < 1000 ? 0 : Math.min(prefixes.length - 1, Math.floor(Math.log10(number) / 3));
  return `${significant(number / 1000 ** power)}${prefixes[power]}`;
}

function elapsed(total: number): string {
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
