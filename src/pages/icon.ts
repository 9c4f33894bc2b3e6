import { html } from '@remix-run/html-template';
import type { TextContext } from './context.ts';
import type { AccountState } from './view/problems.ts';

const light = '#fff';
const dark = '#1c1300';

/** For each state: the colour and outline of a shape, and the sign on it. Colour-blind readers can distinguish the shapes. */
const shapes: Readonly<
  Record<AccountState | 'none', readonly [fill: string, outline: string, ink: string, sign: string]>
> = {
  critical: ['#d55e00', 'M16 1 31 16 16 31 1 16z', light, 'M16 9v8M16 22v.1'],
  warning: ['#e69f00', 'M16 2 31 29H1z', dark, 'M16 12v7M16 24v.1'],
  failing: ['#e69f00', 'M16 1a15 15 0 1 0 .1 0z', dark, 'M11 11l10 10M21 11 11 21'],
  partly: ['#8a939e', 'M16 1a15 15 0 1 0 .1 0z', light, 'M16 9a7 7 0 0 0 0 14z'],
  waiting: ['#8a939e', 'M16 1a15 15 0 1 0 .1 0z', light, 'M16 9v7l5 3'],
  none: ['#0072b2', 'M4 1h24q3 0 3 3v24q0 3-3 3H4q-3 0-3-3V4q0-3 3-3z', light, 'M9 23v-6M16 23V9M23 23V13'],
  ok: ['#0072b2', 'M16 1a15 15 0 1 0 .1 0z', light, 'M9 16l5 5 9-10'],
};

export function icon(state: AccountState | 'none'): string {
  const [fill, outline, ink, sign] = shapes[state];
  const line = `fill="none" stroke="${ink}" stroke-width="3.5" stroke-linecap="round"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="${fill}" d="${outline}"/><path ${line} d="${sign}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** An SVG image with the name of an account and its state. The text is stretched to 7 pixels per character, because font widths differ. */
export function badgeImage({ texts }: TextContext, name: string, state: AccountState): string {
  const text = `${name}: ${texts.states[state]}`;
  const width = [...text].length * 7;
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" width="${width + 32}" height="20" role="img" aria-label="${text}"><title>${text}</title>
<rect width="100%" height="100%" rx="3" fill="#24292f"/><image x="3" y="2" width="16" height="16" href="${icon(state)}"/>
<text x="26" y="14" fill="#fff" font-family="sans-serif" font-size="12" textLength="${width}" lengthAdjust="spacingAndGlyphs">${text}</text></svg>
`);
}
