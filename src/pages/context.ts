import type { Language } from '../rules/languages.ts';
import type { Texts } from './english.ts';
import { type Formatter, formatOf } from './format.ts';

export interface PageContext {
  readonly language: Language;
  readonly texts: Texts;
  readonly format: Formatter;
  /** The time of the request in Unix milliseconds. */
  readonly now: number;
  /** The prefix of all link paths, such as `/hosting`; may be empty. */
  readonly linkPrefix: string;
  readonly telemetryPath: string;
  /** The percent-encoded path of the request, without the route prefix. */
  readonly path: string;
  /** The query parameters, which contain all state of the page. */
  readonly query: URLSearchParams;
  /** Seconds between automatic updates; undefined if the page does not update. */
  readonly refresh: number | undefined;
}

export type TextContext = Pick<PageContext, 'language' | 'texts' | 'format' | 'now'>;

export function inZone<Context extends TextContext>(context: Context, timeZone: string): Context {
  return timeZone === context.format.timeZone ? context : { ...context, format: formatOf(context.language, timeZone) };
}

/** A link to another page. Keeps the parameters `lang` and `refresh`. */
export function linkTo({ linkPrefix, query }: PageContext, path: string, parameters?: Record<string, string>): string {
  const kept = [...query].filter(([name]) => name === 'lang' || name === 'refresh');
  return linkPrefix + addressOf(path, new URLSearchParams([...Object.entries(parameters ?? {}), ...kept]));
}

/** A link to the same page with changed parameters; undefined removes a parameter. */
export function linkHere(
  { linkPrefix, path, query }: PageContext,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const target = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    target.delete(name);
    for (const one of value === undefined ? [] : [value].flat()) target.append(name, one);
  }
  return linkPrefix + addressOf(path, target);
}

/** A link to the page of an account. A name such as `..` or `shop.json` is in the query, because the path cannot contain it. */
export function linkToAccount(context: PageContext, name: string): string {
  return /^\.{1,2}$|\.(?:json|svg)$/.test(name)
    ? linkTo(context, '/accounts', { name })
    : linkTo(context, `/accounts/${encodeURIComponent(name)}`);
}

/** A query parameter with this prefix filters by a label. In metrics, labels of accounts have the same prefix. */
export const labelPrefix = 'label_';

const parameters = new Set('lang refresh page sort q state cause group all name changes fail days'.split(' '));

/** Omits unknown parameters. Omits all parameters if they are too long, because each link of a page repeats them. */
export function knownParameters(query: URLSearchParams): URLSearchParams {
  const known = [...query].filter(([name]) => parameters.has(name) || name.startsWith(labelPrefix));
  const kept = new URLSearchParams(known);
  return String(kept).length > 2000 ? new URLSearchParams() : kept;
}

function addressOf(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
