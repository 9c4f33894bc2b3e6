import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { accountPage } from '../pages/account-page.ts';
import { calendarOf } from '../pages/calendar.ts';
import { knownParameters, linkToAccount, type PageContext } from '../pages/context.ts';
import { type ExporterView, exporterPage } from '../pages/exporter-page.ts';
import { formatOf } from '../pages/format.ts';
import { badgeImage } from '../pages/icon.ts';
import { isLanguage, textsOf } from '../pages/language.ts';
import { assets, messagePage, stylesheet } from '../pages/layout.ts';
import { moneyPage } from '../pages/money.ts';
import { overviewPage } from '../pages/overview-page.ts';
import { reportAccounts } from '../pages/report.ts';
import { reportLines } from '../pages/report-formats.ts';
import { readAccount } from '../pages/view/account-detail.ts';
import { readOverview } from '../pages/view/overview.ts';
import { states } from '../pages/view/problems.ts';
import type { Account } from '../polling/account.ts';
import { languages } from '../rules/languages.ts';
import { pathOf, queryOf, sendText } from './door/http-message.ts';
import type { WebPaths } from './server.ts';

/** The data of the HTML pages, read at each request. */
export interface PagesContent {
  accounts(): readonly Account[];
  account(name: string): Account | undefined;
  /** Number of configured accounts that the flags exclude. */
  otherAccounts(): number;
  exporter(): ExporterView;
  /** Whether the newest reload of the configuration file or of the web configuration file failed. */
  reloadFailed(): boolean;
}

export const pagePaths: readonly string[] = ['/', '/accounts.json', '/calendar.ics', '/money', '/state', '/status'];

/** If an account has one of these states, `/state` and `/accounts/<name>/state` answer 503. The parameter `fail` can name other states. */
const failStates = 'critical,failing';

/** Seconds between two automatic updates in the browser. */
const refresh = 30;

const compress = promisify(gzip);

/** Allows stylesheets, scripts, the web app manifest and forms of this server; forbids frames, inline scripts and inline styles. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function addPages(
  server: FastifyInstance,
  { externalUrl = '', linkPrefix = '', routePrefix = '', telemetryPath }: WebPaths,
  content: PagesContent,
) {
  const contextOf = ({ url, headers }: FastifyRequest): PageContext => {
    const query = knownParameters(queryOf(url));
    const negotiated = new Negotiator({ headers: { ...headers } }).languages([...languages])[0] ?? null;
    const language = [queryOf(url).get('language'), query.get('lang'), negotiated].find(isLanguage) ?? languages[0];
    const [timeZone = 'UTC', ...others] = new Set(content.accounts().map((account) => account.timeZone));
    return {
      language,
      texts: textsOf[language],
      // If the accounts have different time zones, the page shows times in UTC.
      format: formatOf(language, others.length === 0 ? timeZone : 'UTC'),
      now: Date.now(),
      linkPrefix,
      telemetryPath: linkPrefix + telemetryPath,
      path: pathOf(url).slice(routePrefix.length) || '/',
      query,
      refresh: query.get('refresh') === 'off' ? undefined : refresh,
    };
  };

  /** Builds URLs of account pages. Without `externalUrl`, uses the host of the request. `url.origin` omits a login in the Host header. */
  const pagesAt = (context: PageContext, request?: FastifyRequest) => {
    const url = URL.parse(externalUrl) ?? (request && URL.parse(`${request.protocol}://${request.host}`));
    return (account: string) =>
      url ? url.origin + linkToAccount({ ...context, query: new URLSearchParams() }, account) : undefined;
  };

  const sendReport = async (request: FastifyRequest, reply: FastifyReply, form: string, name?: string) => {
    const context = contextOf(request);
    const accounts = name === undefined ? content.accounts() : [content.account(name) ?? []].flat();
    if (name !== undefined && accounts.length === 0) return sendText(reply, 404, context.texts.notFound(name));
    // Computing the changes of many accounts takes seconds, so a list of accounts contains changes only if the query requests them.
    const withChanges = form === 'json' && (name !== undefined || context.query.has('changes'));
    const pageOf = pagesAt(context, form === 'state' ? request : undefined);
    const report = await reportAccounts(context, accounts, withChanges, pageOf);
    if (form === 'json') return sendPage(request, reply, context, JSON.stringify(report), 'application/json');
    if (form === 'svg')
      return sendPage(request, reply, context, badgeImage(context, name ?? '', report.state), 'image/svg+xml');
    const failing = (context.query.get('fail') ?? failStates).split(',');
    const unknown = failing.some((word) => !(states as readonly string[]).includes(word));
    if (unknown) return sendText(reply, 400, `fail: unknown state; use ${states.join(', ')}`);
    if ([...report.accounts, ...report.problems].some(({ state }) => failing.includes(state))) reply.code(503);
    const lines = [report.state, ...reportLines(context, report)];
    return sendPage(request, reply, context, `${lines.join('\n')}\n`, 'text/plain');
  };
  server.get('/accounts.json', (request, reply) => sendReport(request, reply, 'json'));
  server.get('/state', (request, reply) => sendReport(request, reply, 'state'));
  server.get<{ Params: { name: string } }>('/accounts/:name/state', (request, reply) =>
    sendReport(request, reply, 'state', request.params.name),
  );

  const readFound = async ({ query, now }: PageContext) => {
    const { found, label } = await readOverview(content.accounts(), query, now);
    return { label, found: found.flatMap(({ name }) => content.account(name) ?? []) };
  };
  server.get('/money', async (request, reply) => {
    const context = contextOf(request);
    const { label, found } = await readFound(context);
    return sendPage(request, reply, context, moneyPage(context, await reportAccounts(context, found, false), label));
  });
  server.get('/calendar.ics', async (request, reply) => {
    const context = contextOf(request);
    const { found } = await readFound(context);
    const report = await reportAccounts(context, found, false, pagesAt(context, request));
    return sendPage(request, reply, context, calendarOf(context, report), 'text/calendar');
  });

  server.get('/', async (request, reply) => {
    if (wantsJson(request)) return sendReport(request, reply, 'json');
    const context = contextOf(request);
    const overview = await readOverview(content.accounts(), context.query, context.now);
    return sendPage(request, reply, context, overviewPage(context, overview, content));
  });

  const sendAccount = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    if (wantsJson(request)) return sendReport(request, reply, 'json', name);
    const context = contextOf(request);
    const account = content.account(name);
    if (account === undefined) {
      return sendPage(request, reply.code(404), context, messagePage(context, context.texts.notFound(name)));
    }
    return sendPage(request, reply, context, accountPage(context, readAccount(account, context.now)));
  };
  server.get<{ Params: { name: string } }>('/accounts/:name', (request, reply) => {
    // A suffix such as .json always means a format, even if the name of an account has this suffix.
    const { name } = request.params;
    const [, stem, form] = /^(.+)\.(json|svg)$/s.exec(name) ?? [];
    return form === undefined ? sendAccount(request, reply, name) : sendReport(request, reply, form, stem);
  });
  server.get('/accounts', (request, reply) => {
    const name = queryOf(request.url).get('name');
    return name === null ? reply.redirect(`${linkPrefix}/`) : sendAccount(request, reply, name);
  });

  server.get('/status', (request, reply) => {
    const context = contextOf(request);
    return sendPage(request, reply, context, exporterPage(context, content.exporter()));
  });

  server.get<{ Params: { file: string } }>('/style/:file', ({ params }, reply) => {
    const asset = assets.find(({ path }) => path === `/style/${params.file}`);
    if (asset === undefined) return sendText(reply, 404, `not found; the stylesheet is ${stylesheet.path}`);
    return reply
      .header('content-type', asset.type)
      .header('cache-control', 'private, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(asset.content);
  });
}

/** Whether the client prefers JSON to HTML. */
function wantsJson({ headers }: FastifyRequest): boolean {
  const negotiator = new Negotiator({ headers: { ...headers } });
  return negotiator.mediaType(['text/html', 'application/json']) === 'application/json';
}

/** Sends a page, or only the status 304 if the browser already has the page. */
async function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  context: PageContext,
  page: string,
  type = 'text/html',
): Promise<FastifyReply> {
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  reply
    .header('content-security-policy', contentSecurityPolicy)
    .header('cache-control', 'private, no-cache')
    .header('content-language', context.language)
    .header('vary', 'accept, accept-language, accept-encoding')
    .header('referrer-policy', 'same-origin')
    .header('x-content-type-options', 'nosniff')
    .header('etag', etag);
  // A proxy may have marked the entity tag as weak.
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  if (reply.statusCode === 200 && known.includes(etag)) return reply.code(304).send();
  reply.header('content-type', `${type}; charset=utf-8`);
  if (new Negotiator({ headers: { ...headers } }).encoding(['gzip', 'identity']) !== 'gzip') return reply.send(page);
  return reply.header('content-encoding', 'gzip').send(await compress(page));
}
