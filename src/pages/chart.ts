import { html, type SafeHtml } from '@remix-run/html-template';
import { quiet } from './components.ts';
import type { PageContext } from './context.ts';
import type { History } from './view/histories.ts';

const height = 32;

/** Width of a bar together with the gap after it. */
const step = 4;
const barWidth = 3;

/** A bar chart of hours or days. Its top is the highest value, or the limit if that is higher. A dotted line forecasts up to 14 days. */
export function chart(
  context: PageContext,
  name: string,
  history: History | undefined,
  describe: (value: number) => string = context.format.number,
): SafeHtml {
  const { texts, format } = context;
  if (history === undefined) return quiet(texts.none);
  const { values, from, to, limit = 0, days = 0 } = history;
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const top = Math.max(highest, limit);
  const newest = values.findLast((value) => value !== undefined) ?? 0;
  const lengthOf = (value: number) => Math.round((value / (top || 1)) * (height - 2) * 10) / 10;
  const bars = values.map((value, index) => {
    if (value === undefined) return '';
    // At least 1, because zero and very small values must be visible as lines.
    const length = Math.max(1, lengthOf(value));
    return `M${index * step} ${height}v-${length}h${barWidth}v${length}z`;
  });
  const label = texts.chart(name, format.minute(from), format.minute(to), describe(highest), describe(newest));
  const end = values.length * step;
  const ahead = days > 0 && days < Number.POSITIVE_INFINITY ? Math.min(days, 14) : 0;
  const width = end + Math.ceil(ahead) * step;
  const level = (value: number) => height - lengthOf(value);
  const target = level(newest + (limit - newest) * (ahead / (days || 1)));
  const dotted = `M0 ${level(limit)}H${width}M${end} ${level(newest)}L${width} ${target}`;
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}"><title>${label}</title><line x1="0" x2="${width}" y1="${height - 0.5}" y2="${height - 0.5}"/><path d="${bars.join('')}"/>${limit + ahead > 0 ? html`<path class="ahead" d="${dotted}"/>` : ''}</svg>`;
}
