import type { DropReason } from '../store/result.ts';

/** What a restore has shown, and what it has dropped. */
export class RestoreReport {
  series = 0;
  readonly dropped: Partial<Record<DropReason, number>> = {};

  get isEmpty(): boolean {
    return this.series === 0 && Object.keys(this.dropped).length === 0;
  }

  get fields(): Readonly<Record<string, number>> {
    const counts = Object.entries(this.dropped).map(([reason, count]) => [`dropped_${reason}`, count]);
    return { series: this.series, ...Object.fromEntries(counts) };
  }

  drop(reason: DropReason, count = 1): void {
    if (count > 0) this.dropped[reason] = (this.dropped[reason] ?? 0) + count;
  }
}
