import { html, type SafeHtml } from '@remix-run/html-template';
import type { PageContext, TextContext } from './context.ts';
import type { AccountState, AlertLevel } from './view/problems.ts';

export type Content = SafeHtml | string | undefined | Content[];

export interface TableColumn<Row> {
  readonly title: string;
  readonly heading?: Content;
  readonly cell: (row: Row) => Content;
  readonly isNumber?: true;
}

/** TypeScript infers the type `Row` only from the rows, so cells need no annotation. */
export type Columns<Row> = readonly TableColumn<NoInfer<Row>>[];

export function column<Row>(title: string, cell: TableColumn<Row>['cell']): TableColumn<Row> {
  return { title, cell };
}

export function numeric<Row>(title: string, cell: TableColumn<Row>['cell']): TableColumn<Row> {
  return { title, cell, isNumber: true };
}

/** A table whose first column names the rows. */
export function table<Row>(caption: string, rows: readonly Row[], columns: Columns<Row>): SafeHtml {
  return groupedTable(caption, [{ rows }], columns);
}

/** Groups of rows may have headings. On narrow screens, CSS shows rows as blocks; the ARIA roles keep the table semantics. */
export function groupedTable<Row>(
  caption: string,
  groups: readonly { readonly heading?: Content; readonly rows: readonly Row[] }[],
  columns: Columns<Row>,
  classOf: (row: Row) => string = () => '',
): SafeHtml {
  const body = groups.map(({ heading, rows }) => [
    heading === undefined
      ? ''
      : html`<tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="${columns.length}">${heading}</th></tr>
`,
    rows.map((row) => tableRow(columns, row, classOf(row))),
  ]);
  return html`<table role="table">
<caption class="hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(
    ({ title, heading = title, isNumber }) =>
      html`<th role="columnheader" scope="col"${isNumber ? html` class="number"` : ''}>${heading}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${body}</tbody>
</table>`;
}

function tableRow<Row>([head, ...others]: Columns<Row>, row: Row, name: string): SafeHtml {
  return html`<tr role="row"${name === '' ? '' : html` class="${name}"`}><th role="rowheader" scope="row">${head?.cell(row)}</th>${others.map(
    ({ title, isNumber, cell }) =>
      html`<td role="cell" data-title="${title}"${isNumber ? html` class="number"` : ''}>${cell(row)}</td>`,
  )}</tr>
`;
}

export function badge({ texts }: PageContext, state: AccountState): SafeHtml {
  return html`<span class="badge ${state}">${texts.states[state]}</span>`;
}

/** A bar that is filled up to `ratio`. Hidden from screen readers, because the text next to the bar contains the same value. */
export function bar(ratio: number, level: AlertLevel): SafeHtml {
  const width = Math.round(Math.min(Math.max(ratio, 0), 1) * 1000) / 10;
  return html`<svg class="bar ${level}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="6"/><rect class="fill" width="${width}" height="6"/></svg>`;
}

export function quiet(words: Content): SafeHtml {
  return html`<span class="quiet">${words}</span>`;
}

export function detail(words: Content): SafeHtml {
  return html` <span class="detail">${words}</span>`;
}

export function rated(level: AlertLevel, words: Content): SafeHtml {
  return html`<span class="level ${level}">${words}</span>`;
}

export function known<T>(
  { texts }: PageContext,
  figure: T | undefined,
  show: (figure: T) => Content,
  missing: string = texts.unknown,
): Content {
  return figure === undefined ? quiet(missing) : show(figure);
}

export function ago(context: PageContext, time: number): SafeHtml {
  const { texts, format, now } = context;
  const age = now - time;
  return timeElement(context, time, age < 60_000 ? texts.justNow : texts.ago(format.duration(age)));
}

export function dayOf({ format, now }: TextContext, time: number): string {
  return format.relativeDay(format.daysUntil(time, now));
}

export function nextAttempt({ texts, format }: PageContext, time: number | undefined): Content {
  return time === undefined ? undefined : quiet(texts.nextAttempt(format.time(time)));
}

export function until(context: PageContext, time: number): SafeHtml {
  const { texts, format, now } = context;
  return timeElement(context, time, time <= now ? texts.soon : texts.within(format.duration(time - now)));
}

export function timeElement({ format }: PageContext, time: number, words: string): SafeHtml {
  return html`<time datetime="${new Date(time).toISOString()}" title="${format.time(time)}">${words}</time>`;
}

export function tile(title: string, figure: Content, level: AlertLevel = 'ok', note: Content = undefined): SafeHtml {
  return html`<div class="tile ${level}"><dt>${title}</dt><dd><span class="figure">${figure}</span>${note && detail(note)}</dd></div>
`;
}
