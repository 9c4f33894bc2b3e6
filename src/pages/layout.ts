import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Content } from './components.ts';
import { linkHere, linkTo, type PageContext } from './context.ts';
import { icon } from './icon.ts';
import type { AccountState } from './view/problems.ts';

/** A file that pages load. Browsers can cache the file without a time limit, because its path contains a hash of the content. */
function asset(type: string, file: `page.${string}`, content = readFileSync(new URL(file, import.meta.url))) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { type, content, path: `/style/${hash}.${file.slice('page.'.length)}` };
}

export const stylesheet = asset('text/css; charset=utf-8', 'page.css');
const script = asset('text/javascript; charset=utf-8', 'page.js');
const image = asset('image/png', 'page.png');

/** The manifest makes the pages look like an app on the home screen of a phone. Its paths are relative to the manifest. */
const icons = [{ src: image.path.replace('/style/', ''), type: image.type, sizes: '512x512', purpose: 'any maskable' }];
const app = { name: 'Hosting', start_url: '../', scope: '../', display: 'standalone', icons };
const manifest = asset('application/manifest+json', 'page.webmanifest', Buffer.from(JSON.stringify(app)));
export const assets = [stylesheet, script, image, manifest];

/** `state`: the state that the icon of the page shows. Without `state`, the icon is neutral. */
export function layout(context: PageContext, title: string, content: Content, state?: AccountState): string {
  const { language, texts, linkPrefix, path, telemetryPath, refresh } = context;
  const otherLanguage = language === 'en' ? 'ru' : 'en';
  const link = (target: string, text: string) =>
    html`<a href="${linkTo(context, target)}"${path === target ? html` aria-current="page"` : ''}>${text}</a>`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171b20">
<title>${title} · hosting-account-exporter</title>
<link rel="stylesheet" href="${linkPrefix}${stylesheet.path}">
<link rel="icon" href="${icon(state ?? 'none')}">
<link rel="apple-touch-icon" href="${linkPrefix}${image.path}">
<link rel="manifest" crossorigin="use-credentials" href="${linkPrefix}${manifest.path}">
${refresh === undefined ? '' : html`<script src="${linkPrefix}${script.path}" data-seconds="${refresh}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header><nav aria-label="${texts.navigation}">
${link('/', texts.accounts)}
${link('/status', texts.exporter)}
<a href="${telemetryPath}">${texts.metrics}</a>
</nav><a href="${linkHere(context, { lang: otherLanguage })}" hreflang="${otherLanguage}" lang="${otherLanguage}">${texts.otherLanguage}</a></header>
<p id="lost" class="lost" role="status" hidden>${texts.lost}</p>
<main id="content" tabindex="-1">
${content}
</main>
${footer(context)}
</body>
</html>
`;
  return String(page);
}

export function messagePage(context: PageContext, message: string): string {
  const back = html`<a href="${linkTo(context, '/')}">${context.texts.accounts}</a>`;
  return layout(context, message, [html`<h1>${message}</h1>`, html`<p>${back}</p>`]);
}

function footer(context: PageContext): SafeHtml {
  const { texts, format, now, refresh } = context;
  const iso = new Date(now).toISOString();
  const change =
    refresh === undefined
      ? html`${texts.notRefreshing} <a href="${linkHere(context, { refresh: undefined })}">${texts.resume}</a>`
      : html`<noscript>${texts.needsScript}</noscript> <a href="${linkHere(context, { refresh: 'off' })}">${texts.pause}</a>`;
  return html`<footer><time datetime="${iso.slice(0, 16)}Z">${texts.asOf(format.minute(now))}</time> <span class="toggle">${change}</span></footer>`;
}
