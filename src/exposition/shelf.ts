import type { Block } from './block.ts';
import { Bundle } from './bundle.ts';
import type { Part } from './part.ts';

/** More make an update dearer; fewer make a page longer, since they compress badly, and dearer to put together. */
const maxParts = 24;
const maxSeries = 8192;

/**
 * What the polls of one collector left, of all accounts: parts in the order of their accounts, a few in each bundle. A
 * part that changes costs as much as its bundle, however many others there are.
 */
export class Shelf {
  readonly #bundles: Bundle[] = [];
  readonly #bundleOf = new Map<Part, Bundle>();
  readonly #changed = new Set<Bundle>();

  /** Puts a part in the place of another; undefined: there was none, or there is none any more. */
  replace(former: Part | undefined, part: Part | undefined): void {
    const bundle = former && this.#bundleOf.get(former);
    if (former !== undefined && bundle !== undefined) {
      this.#bundleOf.delete(former);
      if (part === undefined) this.#remove(bundle, former);
      else this.#replace(bundle, former, part);
    } else if (part !== undefined) {
      this.#insert(part);
    }
  }

  /** Joins and compresses what has changed, at most so many bundles; true where some are left. */
  refresh(atMost = Number.POSITIVE_INFINITY): boolean {
    let count = 0;
    for (const bundle of this.#changed) {
      if (count === atMost) return true;
      bundle.refresh();
      this.#changed.delete(bundle);
      count += 1;
    }
    return false;
  }

  /** The blocks of one metric. */
  blocks(metric: string): readonly Block[] {
    return this.#bundles.map((bundle) => bundle.block(metric)).filter((block) => block !== undefined);
  }

  #replace(bundle: Bundle, former: Part, part: Part): void {
    bundle.replace(former, part);
    this.#bundleOf.set(part, bundle);
    this.#changed.add(bundle);
  }

  #remove(bundle: Bundle, part: Part): void {
    bundle.remove(part);
    this.#changed.add(bundle);
    if (bundle.parts.length > 0) return;
    this.#bundles.splice(this.#bundles.indexOf(bundle), 1);
    this.#changed.delete(bundle);
  }

  #insert(part: Part): void {
    const index = this.#bundles.findLastIndex(({ parts: [first] }) => first && first.order <= part.order);
    const bundle = this.#bundles[Math.max(index, 0)] ?? this.#add(new Bundle([]), 0);
    bundle.insert(part);
    this.#bundleOf.set(part, bundle);
    this.#changed.add(bundle);
    const { parts } = bundle;
    const series = parts.reduce((sum, one) => sum + one.series, 0);
    if (parts.length > 1 && (parts.length > maxParts || series > maxSeries)) {
      this.#add(bundle.split(), this.#bundles.indexOf(bundle) + 1);
    }
  }

  #add(bundle: Bundle, index: number): Bundle {
    this.#bundles.splice(index, 0, bundle);
    for (const part of bundle.parts) this.#bundleOf.set(part, bundle);
    this.#changed.add(bundle);
    return bundle;
  }
}
