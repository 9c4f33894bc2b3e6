import { html, type SafeHtml } from '@remix-run/html-template';
import type { AccountSummary, BackupAge, DomainDeadline, Usage } from '../account-view/account-summary.ts';
import type { Overview } from '../account-view/overview.ts';
import { states } from '../account-view/problems.ts';
import type { Steps } from '../in-turns.ts';
import { ago, badge, bar, type Content, longTable, timeElement, unknown } from './components.ts';
import { linkHere, linkTo, linkToAccount, type PageContext, searchOf } from './context.ts';
import { layout } from './layout.ts';
import { describeProblem } from './problem-texts.ts';

/** Problems of an account in its line; the page of the account has all of them. */
const maxProblems = 2;

/** Renders all accounts, the most urgent first, in steps. */
export function* overviewPage(context: PageContext, overview: Overview, reloadFailed = false): Steps<string> {
  const { texts } = context;
  const search = searchOf(context);
  const title = headline(context, overview);
  const columns = [
    { title: texts.account },
    { title: texts.state },
    { title: texts.disk },
    { title: texts.suspendedIn, isNumber: true },
    { title: texts.planLoad },
    { title: texts.nextDomain },
    { title: texts.newestBackup, isNumber: true },
    { title: texts.dataAge, isNumber: true },
  ] as const;
  const { accounts } = overview;
  const rows = yield* longTable(texts.accounts, columns, accounts, (account) => rowOf(context, account));
  return layout(context, title, [
    html`<h1>${title}</h1>
${counts(context, overview)}
${reloadFailed ? reloadNotice(context) : ''}
${searchForm(context, overview, search)}
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

function reloadNotice(context: PageContext): SafeHtml {
  const { texts } = context;
  return html`<p><span class="badge failing">${texts.failed}</span> <a href="${linkTo(context, '/status')}">${texts.reloadNotice}</a></p>`;
}

/** Few accounts need no search. */
function searchForm(context: PageContext, { total, found }: Overview, search: string): Content {
  const { texts, query } = context;
  if (total < 10 && search === '') return undefined;
  const kept = ['lang', 'refresh'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  return html`<form role="search" action="/">${kept}
<label for="q">${texts.searchLabel}</label> <input type="search" id="q" name="q" value="${search}"> <button>${texts.search}</button>
</form>
${search === '' ? '' : html`<p>${texts.found(found, search)} · <a href="${linkHere(context, { q: undefined, page: undefined })}">${texts.showAll}</a></p>`}`;
}

function rowOf(context: PageContext, account: AccountSummary): readonly Content[] {
  const { texts } = context;
  const { name, state, problems, disk, suspension, planLoad, nextDomain, backup, answered } = account;
  return [
    html`<a href="${linkToAccount(context, name)}"><bdi>${name}</bdi></a>`,
    [badge(context, state), problemList(context, problems)],
    disk === undefined ? unknown(context) : diskUsage(context, disk),
    suspension === undefined
      ? unknown(context)
      : html`<span class="level ${suspension.level}">${timeElement(context, suspension.time, daysLeft(context, suspension.days))}</span>`,
    planLoad === undefined ? unknown(context) : shareOfPlan(context, planLoad),
    nextDomain === undefined ? unknown(context) : domain(context, nextDomain),
    backup === undefined ? unknown(context) : backupAge(context, backup),
    answered === undefined ? html`<span class="quiet">${texts.never}</span>` : ago(context, answered),
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

/** Bar, share, free space and limit of the disk. */
export function diskUsage({ texts, format }: PageContext, { used, limit, ratio, level }: Usage): SafeHtml {
  if (ratio === undefined || limit === undefined) {
    return html`${format.bytes(used)} <span class="detail">${texts.noLimit}</span>`;
  }
  const free = limit - used;
  const detail =
    free < 0
      ? texts.exceeded(format.bytes(-free), format.bytes(limit))
      : texts.free(format.bytes(free), format.bytes(limit));
  return html`<span class="level ${level}">${format.percent(ratio)}</span>${bar(ratio, level)}<span class="detail">${detail}</span>`;
}

/** Bar and share of the load that the plan allows. */
export function shareOfPlan({ texts, format }: PageContext, { used, limit, ratio, level }: Usage): SafeHtml {
  if (ratio === undefined || limit === undefined) {
    return html`${format.number(used)} <span class="detail">${texts.noLimit}</span>`;
  }
  return html`<span class="level ${level}">${format.percent(ratio)}</span>${bar(ratio, level)}<span class="detail">${texts.usedOf(format.number(used), format.number(limit))}</span>`;
}

/** Whole days until an account is suspended. */
export function daysLeft({ texts, format }: PageContext, days: number): string {
  return days === 0 ? texts.today : format.days(days);
}

function domain(context: PageContext, { domain, days, time, level }: DomainDeadline): SafeHtml {
  const { texts, format } = context;
  const words = days < 0 ? texts.expired(format.days(-days)) : texts.within(format.days(days));
  return html`<span class="level ${level}">${timeElement(context, time, words)}</span> <bdi class="detail">${domain}</bdi>`;
}

function backupAge(context: PageContext, { kind, time, level }: BackupAge): SafeHtml {
  const { texts } = context;
  return html`<span class="level ${level}">${ago(context, time)}</span> <span class="detail">${texts.backupKinds[kind] ?? kind}</span>`;
}

function paging(context: PageContext, { page, pages }: Overview): Content {
  const { texts } = context;
  if (pages === 1) return undefined;
  const link = (target: number, text: string, rel: string) =>
    target < 1 || target > pages
      ? html`<span class="quiet">${text}</span>`
      : html`<a rel="${rel}" href="${linkHere(context, { page: String(target) })}">${text}</a>`;
  return html`<nav class="paging" aria-label="${texts.pages}">${link(page - 1, texts.previous, 'prev')} <span>${texts.pageOf(page, pages)}</span> ${link(page + 1, texts.next, 'next')}</nav>`;
}
