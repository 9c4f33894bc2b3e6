import type { Format } from './format.ts';
import type { Language } from './language.ts';
import type { Texts } from './texts.ts';

/** What every page is rendered with. */
export interface PageContext {
  readonly language: Language;
  readonly texts: Texts;
  readonly format: Format;
  /** Unix milliseconds. */
  readonly now: number;
  readonly telemetryPath: string;
  /** The path of the page as requested, still encoded. */
  readonly path: string;
  /** The query of the request: all state of the page is in its address. */
  readonly query: URLSearchParams;
  /** Seconds until the page reloads; undefined if the reader has stopped that. */
  readonly refresh: number | undefined;
}

/** The part of a name that the reader searches for; empty without a search. */
export function searchOf({ query }: PageContext): string {
  return (query.get('q') ?? '').trim();
}

/** Parameters that links keep: the language and whether pages reload. */
const kept = ['lang', 'refresh'];

/** The address of a page with these parameters, in the language of this one. */
export function linkTo(
  { query }: PageContext,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const target = new URLSearchParams(parameters);
  for (const name of kept) {
    const value = query.get(name);
    if (value !== null && !target.has(name)) target.set(name, value);
  }
  const text = target.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The address of this page with some parameters replaced; undefined removes one. */
export function linkHere(
  { path, query }: PageContext,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const target = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    target.delete(name);
    for (const one of value === undefined ? [] : [value].flat()) target.append(name, one);
  }
  const text = target.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The address of the page of one account. Browsers would resolve the names . and .. as segments of a path. */
export function linkToAccount(
  context: PageContext,
  name: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  return /^\.{1,2}$/.test(name)
    ? linkTo(context, '/accounts', { name, ...parameters })
    : linkTo(context, `/accounts/${encodeURIComponent(name)}`, parameters);
}
