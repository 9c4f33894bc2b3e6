import { domainToUnicode } from 'node:url';
import type { Exclude } from '../config/values/config.ts';
import type { Collector, Item } from './collector.ts';

/** What the configuration can leave out. The patterns of domains also leave out subdomains. */
export type Excludable = keyof Exclude | 'subdomains';

/** Whether an element is left out. `names`: the texts by which a pattern can name it. */
export type IsExcluded = (kind: Excludable, ...names: readonly string[]) => boolean;

/** The labels that name an item of a fan-out. */
const labelsOf = { domains: ['domain'], sites: ['site', 'site_id'], databases: ['database'] } as const;

/** What `exclude` of an account leaves out. */
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

  /** The payload without what is left out, and how much of each kind is missing. */
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

/** `*` stands for any characters. */
function expressionOf(kind: string, pattern: string): RegExp {
  const parts = canonical(kind, pattern).split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')).join('.*')}$`, 'su');
}

/** Letter case does not matter, nor whether a domain is in punycode. */
function canonical(kind: string, name: string): string {
  const lower = name.toLowerCase();
  return kind === 'domains' && lower.includes('xn--') ? domainToUnicode(lower) || lower : lower;
}
