import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { readAccount } from '../account-view/account-detail.ts';
import type { ExporterView } from '../account-view/exporter-view.ts';
import { readOverview } from '../account-view/overview.ts';
import type { ViewedAccount } from '../account-view/viewed-account.ts';
import { inTurns, type Steps } from '../in-turns.ts';
import { accountPage } from '../pages/account-page.ts';
import { linkHere, type PageContext, searchOf } from '../pages/context.ts';
import { exporterPage } from '../pages/exporter-page.ts';
import { formats } from '../pages/format.ts';
import { isLanguage, languages, textsOf } from '../pages/language.ts';
import { messagePage } from '../pages/message-page.ts';
import { overviewPage } from '../pages/overview-page.ts';
import { stylesheet } from '../pages/stylesheet.ts';
import { pathOf, queryOf } from './request-url.ts';
import { sendText } from './text.ts';

/** What the pages for people show; read at each request. */
export interface PagesContent {
  accounts(): readonly ViewedAccount[];
  /** Undefined if there is no such account. */
  account(name: string): ViewedAccount | undefined;
  exporter(): Promise<ExporterView>;
  /** Whether the newest reload of the configuration or of the web configuration failed. */
  reloadFailed(): boolean;
}

/** Paths that a typing error may be meant for. The page of an account is below `/accounts`. */
export const pagePaths: readonly string[] = ['/', '/status'];

/** Seconds between two automatic reloads in the browser. */
const refresh = 30;

/** Figures to read, or as much other work, before other tasks continue: about a millisecond. */
const workPerTurn = 2000;

/** Characters of a search. */
const maxSearch = 200;

const compress = promisify(gzip);

/** Nothing but the own stylesheet: no script, no frame, no inline style, and forms only to this server. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Serves the pages for people and their stylesheet. */
export function addPages(server: FastifyInstance, telemetryPath: string, content: PagesContent): void {
  server.get('/', async (request, reply) => {
    const context = contextOf(request, telemetryPath);
    const search = searchOf(context).slice(0, maxSearch);
    const page = pageNumber(context.query.get('page'));
    function* steps(): Steps<string> {
      const overview = yield* readOverview(content.accounts(), { search, page }, context.now);
      return yield* overviewPage(context, overview, content.reloadFailed());
    }
    return sendPage(request, reply, context, await inTurns(steps(), workPerTurn));
  });

  const sendAccount = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    const context = contextOf(request, telemetryPath);
    const account = content.account(name);
    if (account === undefined) {
      return sendPage(request, reply.code(404), context, messagePage(context, context.texts.notFound(name)));
    }
    const opened = new Set(context.query.getAll('all'));
    function* steps(shown: ViewedAccount): Steps<string> {
      const detail = yield* readAccount(shown, context.now, opened);
      return yield* accountPage(context, detail);
    }
    return sendPage(request, reply, context, await inTurns(steps(account), workPerTurn));
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

/** Compresses the page, and answers 304 if the browser has it already. The browser reloads it by a header. */
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
  // Without the address, a browser whose address has a fragment would only scroll to it again.
  if (context.refresh !== undefined) reply.header('refresh', `${context.refresh}; url=${linkHere(context, {})}`);
  if (reply.statusCode === 200 && isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
  reply.header('content-type', 'text/html; charset=utf-8');
  if (new Negotiator({ headers: { ...headers } }).encoding(['gzip', 'identity']) !== 'gzip') return reply.send(page);
  return reply.header('content-encoding', 'gzip').send(await compress(page));
}

/** Whether an If-None-Match header names the page. A proxy may have weakened the tag. */
function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) === true;
}

function pageNumber(text: string | null): number {
  return text !== null && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
