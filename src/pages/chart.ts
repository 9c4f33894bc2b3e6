import { html, type SafeHtml } from '@remix-run/html-template';
import type { History } from '../account-view/histories.ts';
import type { PageContext } from './context.ts';

const height = 32;

/** Width of a bar with its gap, and of the bar alone. */
const step = 4;
const thickness = 3;

/** Bars for hours or days, from zero to the highest of them. Periods without a value stay empty. */
export function chart(
  context: PageContext,
  name: string,
  history: History | undefined,
  describe: (value: number) => string = context.format.number,
): SafeHtml {
  const { texts, format } = context;
  if (history === undefined) return html`<span class="quiet">${texts.none}</span>`;
  const { values, from, to } = history;
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const newest = values.findLast((value) => value !== undefined) ?? 0;
  const bars = values
    .map((value, index) => (value === undefined ? '' : barPath(index * step, value, highest)))
    .join('');
  const label = texts.chart(name, format.minute(from), format.minute(to), describe(highest), describe(newest));
  const width = values.length * step;
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><line x1="0" x2="${width}" y1="${height - 0.5}" y2="${height - 0.5}"/><path d="${bars}"/></svg>`;
}

/** A value of zero, or one that is very small, remains visible as a line. */
function barPath(x: number, value: number, highest: number): string {
  const length = highest === 0 ? 1 : Math.max(1, Math.round((value / highest) * (height - 2) * 10) / 10);
  return `M${x} ${height}v-${length}h${thickness}v${length}z`;
}
