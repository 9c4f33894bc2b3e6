import { html, type SafeHtml } from '@remix-run/html-template';
import {
  ago,
  badge,
  type Content,
  column,
  detail,
  known,
  longTable,
  numeric,
  quiet,
  rated,
  type TableColumn,
  timeElement,
} from './components.ts';
import { keptParameters, linkHere, linkTo, linkToAccount, type PageContext, searchOf } from './context.ts';
import { daysLeft, diskUsage, shareOfPlan, untilExpiry } from './figure-cells.ts';
import { layout } from './layout.ts';
import { describeProblem } from './problem-texts.ts';
import type { AccountSummary } from './view/account-summary.ts';
import type { Overview } from './view/overview.ts';
import { states } from './view/problems.ts';

/** Maximum number of problems per account. Further problems are only counted. */
const maxProblems = 2;

export async function overviewPage(context: PageContext, overview: Overview, reloadFailed = false): Promise<string> {
  const { texts } = context;
  const { accounts } = overview;
  const title = headline(context, overview);
  const rows = await longTable(texts.accounts, columnsOf(context), accounts);
  return layout(context, title, [
    html`<h1>${title}</h1>
${counts(context, overview)}
${reloadFailed ? html`<p><span class="badge failing">${texts.failed}</span> <a href="${linkTo(context, '/status')}">${texts.reloadNotice}</a></p>` : ''}
${searchForm(context, overview)}
${accounts.length === 0 ? '' : html`<div class="accounts">${rows}</div>`}
${paging(context, overview)}`,
  ]);
}

function headline({ texts }: PageContext, { total, counts }: Overview): string {
  const urgent = counts.critical + counts.warning + counts.failing;
  if (total === 0) return texts.noAccounts;
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

function columnsOf(context: PageContext): readonly TableColumn<AccountSummary>[] {
  const { texts } = context;
  return [
    column(texts.account, ({ name }) => html`<a href="${linkToAccount(context, name)}"><bdi>${name}</bdi></a>`),
    column(texts.state, ({ state, problems }) => [badge(context, state), problemList(context, problems)]),
    column(texts.disk, ({ disk }) => diskUsage(context, disk)),
    numeric(texts.suspendedIn, ({ suspension }) =>
      known(context, suspension, ({ level, time, days }) =>
        rated(level, timeElement(context, time, daysLeft(context, days))),
      ),
    ),
    column(texts.planLoad, ({ planLoad }) => shareOfPlan(context, planLoad)),
    column(texts.nextDomain, ({ nextDomain }) =>
      known(context, nextDomain, ({ domain, days, time, level }) => {
        const deadline = rated(level, timeElement(context, time, untilExpiry(context, days)));
        return html`${deadline} <bdi class="detail">${domain}</bdi>`;
      }),
    ),
    numeric(texts.newestBackup, ({ backup }) =>
      known(context, backup, ({ kind, time, level }) => [
        rated(level, ago(context, time)),
        detail(texts.backupKind(kind)),
      ]),
    ),
    numeric(texts.dataAge, ({ answered }) => known(context, answered, (time) => ago(context, time), texts.never)),
  ];
}

function problemList(context: PageContext, problems: AccountSummary['problems']): Content {
  const { texts } = context;
  if (problems.length === 0) return undefined;
  const shown = problems.slice(0, maxProblems).map((problem) => describeProblem(context, problem));
  const more = problems.length - maxProblems;
  const lines = [...shown, ...(more > 0 ? [texts.andMore(more)] : [])];
  return html`<ul class="problems">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
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
