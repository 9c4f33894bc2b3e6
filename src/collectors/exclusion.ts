import type { Exclude } from '../config/values/config.ts';
import { domainKey } from '../payloads/scalars.ts';
import type { Collector, Item } from './collector.ts';

/** The kinds of elements that the configuration can exclude. Patterns for domains also apply to names of subdomains. */
export type Excludable = keyof Exclude | 'subdomains';

/** Whether a pattern matches one of the names of an element. The ID of a site counts as a name. */
export type IsExcluded = (kind: Excludable, ...names: readonly string[]) => boolean;

/** For each kind, the labels that contain the name or the ID of a fan-out's item. */
const labelsOf = { domains: ['domain'], sites: ['site', 'site_id'], databases: ['database'] } as const;

/** Excludes the elements that match a pattern in `exclude` of an account. */
export class Exclusion {
  readonly #patterns: ReadonlyMap<string, readonly RegExp[]>;

  constructor(exclude: Exclude) {
    const patterns = Object.entries(exclude).map(([kind, written = []]) => [kind, [written].flat()] as const);
    this.#patterns = new Map(patterns.map(([kind, texts]) => [kind, texts.map((text) => expressionOf(kind, text))]));
  }

  readonly has: IsExcluded = (kind, ...names) => {
    const known = kind === 'subdomains' ? 'domains' : kind;
    return names.some((name) => this.#patterns.get(known)?.some((pattern) => pattern.test(canonical(known, name))));
  };

  hasItem(item: Item): boolean {
    return (['domains', 'sites', 'databases'] as const).some((kind) =>
      this.has(kind, ...labelsOf[kind].flatMap((label) => item[label] ?? [])),
    );
  }

  /** Returns the payload without excluded elements, and the number of excluded elements of each kind. */
  apply({ exclude }: Pick<Collector, 'exclude'>, payload: unknown) {
    const excluded = new Map<Excludable, number>();
    if (exclude === undefined || this.#patterns.size === 0) return { payload, excluded };
    const isExcluded: IsExcluded = (kind, ...names) => {
      const isOut = this.has(kind, ...names);
      if (isOut) excluded.set(kind, (excluded.get(kind) ?? 0) + 1);
      return isOut;
    };
    return { payload: exclude(payload, isExcluded), excluded };
  }
}

/** In a pattern, `*` stands for any characters. Each lookahead keeps the first match, because trying all matches could take minutes. */
function expressionOf(kind: string, pattern: string): RegExp {
  const escaped = canonical(kind, pattern).replace(/[\\^$.+?()[\]{}|]/g, '\\$&');
  const [start, ...rest] = escaped.split('*');
  const parts = rest.map((part, i) => (i + 1 < rest.length ? `(?=(.*?${part}))\\${i + 1}` : `.*${part}`));
  return new RegExp(`^${start}${parts.join('')}$`, 'su');
}

/** Converts a name for comparison, so that neither letter case nor punycode matters. */
function canonical(kind: string, name: string): string {
  return kind === 'domains' ? domainKey({ fqdn: name.toLowerCase() }) : name.toLowerCase();
}
