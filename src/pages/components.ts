import { html, type SafeHtml } from '@remix-run/html-template';
import type { State } from '../account-view/problems.ts';
import type { Level } from '../account-view/severity.ts';
import type { Steps } from '../in-turns.ts';
import type { PageContext } from './context.ts';

/** What a template accepts. */
export type Content = SafeHtml | string | undefined | Content[];

export interface Column {
  readonly title: string;
  /** Aligned at the right. */
  readonly isNumber?: true;
}

/**
 * A table whose first column names the rows. On narrow screens, each row becomes a block with the titles beside the cells;
 * the roles keep it a table for screen readers.
 */
export function table(caption: string, columns: readonly Column[], rows: readonly (readonly Content[])[]): SafeHtml {
  return tableOf(
    caption,
    columns,
    rows.map((cells) => tableRow(columns, cells)),
  );
}

/** Work of rendering one row, in figures read. */
const rowWork = 100;

/** A table with many rows, rendered one by one. */
export function* longTable<Row>(
  caption: string,
  columns: readonly Column[],
  rows: readonly Row[],
  cells: (row: Row) => readonly Content[],
): Steps<SafeHtml> {
  const rendered: SafeHtml[] = [];
  for (const row of rows) {
    rendered.push(tableRow(columns, cells(row)));
    yield rowWork;
  }
  return tableOf(caption, columns, rendered);
}

function tableOf(caption: string, columns: readonly Column[], rows: SafeHtml[]): SafeHtml {
  return html`<table role="table">
<caption class="hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ title, isNumber }) =>
      html`<th role="columnheader" scope="col"${isNumber ? html` class="number"` : ''}>${title}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>`;
}

function tableRow(columns: readonly Column[], [name, ...cells]: readonly Content[]): SafeHtml {
  return html`<tr role="row"><th role="rowheader" scope="row">${name}</th>${cells.map((cell, index) => {
    const { title = '', isNumber } = columns[index + 1] ?? {};
    const kind = isNumber ? html` class="number"` : '';
    return html`<td role="cell" data-title="${title}"${kind}>${cell}</td>`;
  })}</tr>
`;
}

/** The word for a state, in its colour. */
export function badge({ texts }: PageContext, state: State): SafeHtml {
  return html`<span class="badge ${state}">${texts.states[state]}</span>`;
}

/** A bar that is filled up to `ratio`. The text beside it says the same. */
export function bar(ratio: number, level: Level): SafeHtml {
  const width = Math.round(Math.min(Math.max(ratio, 0), 1) * 1000) / 10;
  return html`<svg class="bar ${level}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="6"/><rect class="fill" width="${width}" height="6"/></svg>`;
}

/** A quiet word in place of an unknown figure. */
export function unknown({ texts }: PageContext): SafeHtml {
  return html`<span class="quiet">${texts.unknown}</span>`;
}

/** How long ago something was; the exact time is in the element. */
export function ago(context: PageContext, time: number): SafeHtml {
  const { texts, format, now } = context;
  const age = now - time;
  return timeElement(context, time, age < 60_000 ? texts.justNow : texts.ago(format.duration(age)));
}

/** In how long something will be. */
export function until(context: PageContext, time: number): SafeHtml {
  const { texts, format, now } = context;
  return timeElement(context, time, time <= now ? texts.soon : texts.within(format.duration(time - now)));
}

/** Any words about a time. */
export function timeElement({ format }: PageContext, time: number, words: string): SafeHtml {
  return html`<time datetime="${new Date(time).toISOString()}" title="${format.time(time)}">${words}</time>`;
}

/** A figure with its title, for the top of a page. `detail` is smaller. */
export function tile(title: string, figure: Content, detail: Content = undefined, level: Level = 'ok'): SafeHtml {
  return html`<div class="tile ${level}"><dt>${title}</dt><dd><span class="figure">${figure}</span>${
    detail === undefined ? '' : html` <span class="detail">${detail}</span>`
  }</dd></div>
`;
}
