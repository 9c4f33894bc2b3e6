import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { accountPage } from '../pages/account-page.ts';
import { linkHere, type PageContext, searchOf } from '../pages/context.ts';
import { exporterPage } from '../pages/exporter-page.ts';
import { formats } from '../pages/format.ts';
import { isLanguage, languages, textsOf } from '../pages/language.ts';
import { messagePage } from '../pages/layout.ts';
import { overviewPage } from '../pages/overview-page.ts';
import { stylesheet } from '../pages/stylesheet.ts';
import { readAccount } from '../pages/view/account-detail.ts';
import type { ExporterView } from '../pages/view/exporter-view.ts';
import { readOverview } from '../pages/view/overview.ts';
import type { ViewedAccount } from '../pages/view/viewed-account.ts';
import { pathOf, queryOf } from './door/request-url.ts';
import { sendText } from './door/text-response.ts';

/** The data of the HTML pages, read at each request. */
export interface PagesContent {
  accounts(): readonly ViewedAccount[];
  account(name: string): ViewedAccount | undefined;
  exporter(): Promise<ExporterView>;
  /** Whether the newest reload of the configuration file or of the web configuration file failed. */
  reloadFailed(): boolean;
}

export const pagePaths: readonly string[] = ['/', '/status'];

/** Seconds between two automatic reloads in the browser. */
const refresh = 30;

const maxSearch = 200;

const compress = promisify(gzip);

/** Allows the stylesheet, and forms to this server; forbids scripts, frames and inline styles. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function addPages(server: FastifyInstance, telemetryPath: string, content: PagesContent): void {
  server.get('/', async (request, reply) => {
    const context = contextOf(request, telemetryPath);
    const search = searchOf(context).slice(0, maxSearch);
    const page = pageNumber(context.query.get('page'));
    const overview = await readOverview(content.accounts(), { search, page }, context.now);
    return sendPage(request, reply, context, await overviewPage(context, overview, content.reloadFailed()));
  });

  const sendAccount = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const context = contextOf(request, telemetryPath);
    const account = content.account(name);
    if (account === undefined) {
      return sendPage(request, reply.code(404), context, messagePage(context, context.texts.notFound(name)));
    }
    const detail = await readAccount(account, context.now, new Set(context.query.getAll('all')));
    return sendPage(request, reply, context, await accountPage(context, detail));
  };
  server.get<{ Params: { name: string } }>('/accounts/:name', (request, reply) =>
    sendAccount(request, reply, request.params.name),
  );
  server.get('/accounts', (request, reply) => {
    const name = queryOf(request.url).get('name');
    return name === null ? reply.redirect('/') : sendAccount(request, reply, name);
  });

  server.get('/status', async (request, reply) => {
    const context = contextOf(request, telemetryPath);
    return sendPage(request, reply, context, exporterPage(context, await content.exporter()));
  });

  server.get('/style/:file', ({ url }, reply) => {
    if (url !== stylesheet.path) return sendText(reply, 404, `not found; the stylesheet is ${stylesheet.path}`);
    return reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(stylesheet.text);
  });
}

function contextOf({ url, headers }: FastifyRequest, telemetryPath: string): PageContext {
  const query = queryOf(url);
  const chosen = query.get('lang');
  const negotiated = new Negotiator({ headers: { ...headers } }).languages([...languages])[0] ?? null;
  const language = [chosen, negotiated].find(isLanguage) ?? languages[0];
  return {
    language,
    texts: textsOf[language],
    format: formats[language],
    now: Date.now(),
    telemetryPath,
    path: pathOf(url),
    query,
    refresh: query.get('refresh') === 'off' ? undefined : refresh,
  };
}

/** Sends a page, or 304 if the browser already has it. The header `refresh` makes the browser reload the page. */
async function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  context: PageContext,
  page: string,
): Promise<FastifyReply> {
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  reply
    .header('content-security-policy', contentSecurityPolicy)
    .header('cache-control', 'private, no-cache')
    .header('content-language', context.language)
    .header('vary', 'accept-language, accept-encoding')
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .header('etag', etag);
  // If the header has no URL and the address has a fragment, browsers do not reload: they only scroll to the fragment.
  if (context.refresh !== undefined) reply.header('refresh', `${context.refresh}; url=${linkHere(context, {})}`);
  if (reply.statusCode === 200 && isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
  reply.header('content-type', 'text/html; charset=utf-8');
  if (new Negotiator({ headers: { ...headers } }).encoding(['gzip', 'identity']) !== 'gzip') return reply.send(page);
  return reply.header('content-encoding', 'gzip').send(await compress(page));
}

/** Whether an If-None-Match header contains the tag, even if a proxy has turned it into a weak tag. */
function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true;
}

function pageNumber(text: string | null): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
