import type { Exclude } from '../config/values/config.ts';
import { domainName } from '../payloads/scalars.ts';
import type { Collector, Item } from './collector.ts';

/** The kinds of elements that the configuration can exclude. Patterns for domains also exclude subdomains. */
export type Excludable = keyof Exclude | 'subdomains';

/** Whether an element is excluded. `names`: its name and, for a site, its ID. One match is enough. */
export type IsExcluded = (kind: Excludable, ...names: readonly string[]) => boolean;

/** The labels that name an item of a fan-out. */
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
    const patterns = this.#patterns.get(known) ?? [];
    return patterns.some((pattern) => names.some((name) => pattern.test(canonical(known, name))));
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

/** Converts a pattern to an expression. In a pattern, `*` stands for any characters. */
function expressionOf(kind: string, pattern: string): RegExp {
  const parts = canonical(kind, pattern).split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')).join('.*')}$`, 'su');
}

/** Converts a name for comparison, so that neither letter case nor punycode matters. */
function canonical(kind: string, name: string): string {
  return kind === 'domains' ? domainName(name) : name.toLowerCase();
}
