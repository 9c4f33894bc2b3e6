import { html, type SafeHtml } from '@remix-run/html-template';
import {
  ago,
  badge,
  type Content,
  column,
  detail,
  longTable,
  nextAttempt,
  quiet,
  rated,
  type TableColumn,
} from './components.ts';
import { inZone, keptParameters, linkHere, linkTo, linkToAccount, type PageContext, searchOf } from './context.ts';
import { diskUsage, expiryDay, missingFigure, shareOfPlan, suspensionDay } from './figure-cells.ts';
import { layout } from './layout.ts';
import { changeSection } from './problem-section.ts';
import { adviceOn, describeChanges, describeProblem } from './problem-texts.ts';
import type { AccountSummary } from './view/account-summary.ts';
import { fewAccounts, type Overview } from './view/overview.ts';
import { states } from './view/problems.ts';

/** Maximum number of problems per account. Further problems are only counted. */
const maxProblems = 2;

/** `exporter`: whether a reload has failed, and how many configured accounts the flags exclude. */
export async function overviewPage(
  context: PageContext,
  overview: Overview,
  exporter: { reloadFailed(): boolean; otherAccounts(): number },
): Promise<string> {
  const { texts } = context;
  const { accounts, outage } = overview;
  const title = headline(context, overview, exporter.otherAccounts());
  const common = outage && texts.cause(outage.cause);
  const rows = await longTable(texts.accounts, accounts, columnsOf(context, common), ({ state }) => state);
  const content = html`<h1>${title}</h1>
${outage === undefined ? '' : html`<p>${adviceOn(context, outage.cause)} ${texts.lastKnown} ${nextAttempt(context, outage.nextAttempt)}</p>`}
${counts(context, overview)}
${exporter.reloadFailed() ? html`<p><span class="badge failing">${texts.failed}</span> <a href="${linkTo(context, '/status')}">${texts.reloadNotice}</a></p>` : ''}
${searchForm(context, overview)}
${accounts.length === 0 ? '' : html`<div class="accounts${accounts.length > fewAccounts ? ' many' : ''}">${rows}</div>`}
${paging(context, overview)}
${changeList(context, overview)}`;
  const worst = states.find((state) => overview.counts[state] > 0);
  return layout(context, title, content, worst);
}

function headline({ texts }: PageContext, { total, counts, outage }: Overview, otherAccounts: number): string {
  const urgent = counts.critical + counts.warning + counts.failing + counts.partly;
  if (total === 0) return otherAccounts > 0 ? texts.noneSelected(otherAccounts) : texts.noAccounts;
  if (outage !== undefined) return texts.outage(texts.cause(outage.cause), outage.accounts, total);
  if (urgent > 0) return texts.attention(urgent, total);
  return counts.waiting > 0 ? texts.waitingForFirstPoll : texts.allFine(total);
}

function counts({ texts }: PageContext, { counts }: Overview): SafeHtml {
  const shown = states.filter((state) => counts[state] > 0);
  return html`<ul class="counts">${shown.map(
    (state) => html`<li class="badge ${state}">${texts.stateCount(state, counts[state])}</li>`,
  )}</ul>`;
}

function searchForm(context: PageContext, { total, found }: Overview): Content {
  const { texts, query } = context;
  const search = searchOf(context);
  if (total < 10 && search === '') return undefined;
  const kept = keptParameters.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  return html`<form role="search" action="/">${kept}
<label for="q">${texts.searchLabel}</label> <input type="search" id="q" name="q" value="${search}"> <button>${texts.search}</button>
</form>
${search === '' ? '' : html`<p>${texts.found(found, search)} · <a href="${linkHere(context, { q: undefined, page: undefined })}">${texts.showAll}</a></p>`}`;
}

/** `common`: the cause that most accounts have in common, which the headline already says. */
function columnsOf(page: PageContext, common: string | undefined): readonly TableColumn<AccountSummary>[] {
  const { texts } = page;
  type Cell = (context: PageContext, account: AccountSummary) => Content;
  const columnOf = (title: string, cell: Cell) =>
    column<AccountSummary>(title, (account) => cell(inZone(page, account.timeZone), account));
  const figureOf = (title: string, collector: string, none: string, cell: Cell) =>
    columnOf(title, (context, account) => cell(context, account) ?? missingFigure(context, account, collector, none));
  return [
    columnOf(texts.account, (context, account) => [
      html`<a href="${linkToAccount(context, account.name)}"><bdi>${account.name}</bdi></a> ${badge(context, account.state)}`,
      problemList(context, account, common),
    ]),
    figureOf(texts.disk, 'account', texts.notReported, diskUsage),
    figureOf(texts.paidUntil, 'account', texts.notReported, (context, { suspension }) =>
      suspensionDay(context, suspension),
    ),
    figureOf(texts.planLoad, 'site_load', texts.none, (context, { planLoad }) => shareOfPlan(context, planLoad)),
    figureOf(
      texts.nextDomain,
      'domains',
      texts.none,
      (context, { nextDomain }) =>
        nextDomain && [expiryDay(context, nextDomain), detail(html`<bdi>${nextDomain.domain}</bdi>`)],
    ),
    figureOf(
      texts.newestBackup,
      'backups',
      texts.none,
      (context, { backup }) =>
        backup && [rated(backup.level, ago(context, backup.time)), detail(texts.backupKind(backup.kind))],
    ),
  ];
}

function problemList(context: PageContext, { state, problems, answered }: AccountSummary, common?: string): Content {
  const { texts } = context;
  // The badge already says that an account waits.
  if (state === 'waiting' || problems.length === 0) return undefined;
  const all = problems.map((problem) => describeProblem(context, problem)).filter((text) => text !== common);
  const more = all.length - maxProblems;
  const lines = [
    ...all.slice(0, maxProblems),
    ...(more > 0 ? [texts.andMore(more)] : []),
    ...(state === 'failing' && answered !== undefined ? [quiet([texts.updated, ' ', ago(context, answered)])] : []),
  ];
  return html`<ul class="problems">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

function changeList(context: PageContext, { changes }: Overview): Content {
  const lines = changes.flatMap(({ account, list }) => {
    const link = html`<a href="${linkToAccount(context, account)}"><bdi>${account}</bdi></a>`;
    return describeChanges(context, list).map((line) => [link, ` ${line}`]);
  });
  return lines.length === 0 ? undefined : changeSection(context, lines);
}

function paging(context: PageContext, { page, pages }: Overview): Content {
  const { texts } = context;
  if (pages === 1) return undefined;
  const link = (target: number, text: string, rel: string) =>
    target < 1 || target > pages
      ? quiet(text)
      : html`<a rel="${rel}" href="${linkHere(context, { page: String(target) })}">${text}</a>`;
  return html`<nav class="paging" aria-label="${texts.pages}">${link(page - 1, texts.previous, 'prev')} <span>${texts.pageOf(page, pages)}</span> ${link(page + 1, texts.next, 'next')}</nav>`;
}
