import { html } from '@remix-run/html-template';
import { linkTo, type PageContext } from './context.ts';
import { layout } from './layout.ts';

/** Renders one sentence, with the way back to all accounts. */
export function messagePage(context: PageContext, message: string): string {
  const back = html`<a href="${linkTo(context, '/')}">${context.texts.accounts}</a>`;
  return layout(context, message, [html`<h1>${message}</h1>`, html`<p>${back}</p>`]);
}
