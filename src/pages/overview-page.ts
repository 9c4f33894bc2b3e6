import { html, type SafeHtml } from '@remix-run/html-template';
import { causesOf, problemRow } from './causes.ts';
import { comingSection } from './coming.ts';
import { ago, badge, type Content, column, detail, groupedTable, nextAttempt, quiet, rated } from './components.ts';
import { inZone, labelPrefix, linkHere, linkTo, linkToAccount, type PageContext } from './context.ts';
import { diskChart, diskUsage, expiryDay, missingFigure, shareOfPlan, suspensionDay } from './figure-cells.ts';
import { layout } from './layout.ts';
import { changeSection } from './problem-section.ts';
import {
  adviceOn,
  describeChange,
  describeCounts,
  describeProblem,
  firstOf,
  maxChanges,
  maxNames,
  namesOf,
} from './problem-texts.ts';
import type { AccountSummary } from './view/account-summary.ts';
import { fewAccounts, groupOf, type Match, type Overview, sortColumns } from './view/overview.ts';
import { type AccountProblem, causeKeyOf, states } from './view/problems.ts';

/** Maximum number of problems per account, and of causes per period of the diary. A link leads to the omitted ones. */
const [maxProblems, maxEntries] = [2, 3];

/** `exporter`: whether a reload has failed, and the number of configured accounts that the flags exclude. */
export function overviewPage(
  context: PageContext,
  overview: Overview,
  exporter: { reloadFailed(): boolean; otherAccounts(): number },
): string {
  const { texts } = context;
  const { accounts, outage, total } = overview;
  const title = headline(context, overview, exporter.otherAccounts());
  const columns = columnsOf(context, overview).map((column, index) => ({
    ...column,
    heading: sortLink(context, overview, sortColumns[index] ?? '', column.title),
  }));
  const coming = comingSection(context, overview);
  const changes = changeList(context, overview);
  const diary = [diaryOf(context, overview), coming];
  const rows = groupedTable(texts.accounts, groupsOf(context, overview), columns, ({ state }) => state);
  const content = html`<h1>${title}</h1>
${outage === undefined ? '' : html`<p>${adviceOn(context, outage.cause)} ${texts.lastKnown} ${nextAttempt(context, outage.nextAttempt)}</p>`}
${counts(context, overview)}
${exporter.reloadFailed() ? html`<p><span class="badge failing">${texts.failed}</span> <a href="${linkTo(context, '/status')}">${texts.reloadNotice}</a></p>` : ''}
<div class="top">${changes === undefined ? diary : [html`<div>${diary}</div>`, changes]}</div>
${searchForm(context, overview)}
${grouping(context, overview)}
${accounts.length === 0 ? '' : html`<div class="accounts${accounts.length > fewAccounts ? ' many' : accounts.length > 3 ? '' : ' few'} by-${overview.request.sort.replace('-', '')}">${overview.total > 1 ? html`<p class="sort">${texts.sortBy}</p>` : ''}${rows}</div>`}
${paging(context, overview)}
${total === 0 ? '' : html`<p class="toggle quiet"><a href="${pathLink(context, '/money')}">${texts.money}</a> · <a href="${pathLink(context, '/calendar.ics', { language: context.language, lang: undefined, refresh: undefined })}">${texts.subscribe}</a></p>`}`;
  const worst = states.find((state) => overview.counts[state] > 0);
  return layout(context, title, content, worst);
}

/** A link to another path, with the same filters. */
function pathLink(context: PageContext, path: string, changes: Parameters<typeof linkHere>[1] = {}): string {
  return linkHere({ ...context, path }, { sort: undefined, page: undefined, all: undefined, ...changes });
}

function headline(context: PageContext, overview: Overview, otherAccounts: number): string {
  const { texts } = context;
  const { total, counts, outage, request } = overview;
  if (total === 0) return otherAccounts > 0 ? texts.noneSelected(otherAccounts) : texts.noAccounts;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) return texts.noneFound;
  const customer = request.labels.map(([, value]) => (value === '' ? '' : `${value}: `)).join('');
  return outage === undefined
    ? customer + describeCounts(context, counts)
    : customer + texts.outage(texts.cause(outage.cause), outage.accounts, all);
}

/** Renders problems by due time: overdue, today, within a week, or later. Problems with the same cause and deadline are one line. */
function diaryOf(page: PageContext, { problems, outage, total, page: number, usual }: Overview): Content {
  const { texts, query } = page;
  // The headline already names the cause of an outage, so the diary omits it.
  const entries = problems.filter(({ problem }) => problem.state !== 'waiting' && !isCommon(page, outage, problem));
  if (number > 1 || total === 1 || entries.length === 0) return undefined;
  const rows = entries.map(({ account, problem }) =>
    problemRow(inZone(page, account.timeZone), account, problem, usual),
  );
  const causes = Map.groupBy(causesOf(page, rows), ({ period }) => period);
  const opened = query.getAll('all');
  const content = [...causes].map(([period = 'later', all]) => {
    const shown = opened.includes(period) ? all : all.slice(0, maxEntries);
    const link = linkHere(page, { all: [...opened, period] });
    const more =
      shown.length < all.length ? html`<p><a href="${link}">${texts.andMore(all.length - shown.length)}</a></p>` : '';
    return html`<div><h3>${texts.periods[period]}</h3><ul>${shown.map((cause) => diaryEntry(page, cause))}</ul>${more}</div>`;
  });
  return html`<section class="card" aria-labelledby="diary"><h2 id="diary">${texts.whatToDo}</h2><div class="diary">${content}</div></section>`;
}

function isCommon({ texts }: PageContext, outage: Overview['outage'], problem: AccountProblem): boolean {
  const common = outage && texts.cause(outage.cause);
  return problem.kind === 'unreachable' && texts.cause(problem.cause) === common;
}

/** Renders one cause: its problem, the number of accounts, the first accounts by customer, and the first step of the runbook. */
function diaryEntry(page: PageContext, line: ReturnType<typeof causesOf>[number]): SafeHtml {
  const { texts } = page;
  const { state, text, cause, count, customers, more, remedy } = line;
  const filter = linkHere(page, { cause, page: undefined, all: undefined });
  const link = (href: string, words: string) => html`<a href="${href}"><bdi>${words}</bdi></a>`;
  const names = customers.map(([customer, list], index) => [
    index === 0 ? '' : ' · ',
    count === 1 || customer === '' ? '' : html`<bdi>${customer}</bdi>: `,
    list.map(({ account }, index) => [index === 0 ? '' : ', ', link(linkToAccount(page, account), account)]),
  ]);
  const all = count === 1 ? '' : [link(filter, texts.accountCount(count)), ': '];
  const rest = more === 0 ? '' : [' ', link(filter, texts.andMore(more))];
  return html`<li>${badge(page, state)}<p>${text}${[detail([all, names, rest]), remedy && detail(remedy)]}</p></li>`;
}

/** The number of accounts in each state. Each number is a link that filters the list by this state, or removes the filter. */
function counts(context: PageContext, { counts, request }: Overview): SafeHtml {
  const shown = states.filter((state) => counts[state] > 0);
  const links = shown.map((state) => {
    const isCurrent = request.states.includes(state);
    const target = linkHere(context, { state: isCurrent ? undefined : state, page: undefined });
    return html`<li><a class="badge ${state}" href="${target}"${isCurrent ? html` aria-current="true"` : ''}>${context.texts.stateCount(state, counts[state])}</a></li>`;
  });
  return html`<ul class="counts">${links}</ul>`;
}

function searchForm(context: PageContext, { total, found, problems, request }: Overview): Content {
  const { texts, query } = context;
  const { search, states, labels, cause } = request;
  const first = problems.find(({ account, problem }) => causeKeyOf(problem, account.timeZone) === cause);
  const conditions = [
    ...(search === '' ? [] : [search]),
    ...states.map((state) => texts.states[state]),
    ...labels.map(([name, value]) => (value === '' ? texts.without(name) : `${name}: ${value}`)),
    ...(first === undefined ? [cause].filter(Boolean) : [describeProblem(context, first.problem, true)]),
  ];
  const kept = [...query].filter(([name]) => name !== 'q' && name !== 'page');
  const fields = kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const form = html`<form role="search" action="${context.linkPrefix}/">${fields}
<label for="q">${texts.searchLabel}</label> <input type="search" id="q" name="q" value="${search}"> <button>${texts.search}</button>
</form>`;
  const result = html`<p class="toggle">${texts.found(found.length, conditions.map(texts.quote).join(', '))} · <a href="${linkTo(context, '/')}">${texts.showAll}</a></p>`;
  return [total < 3 && search === '' ? '' : form, conditions.length === 0 ? '' : result];
}

function grouping(context: PageContext, { labels, label = 'none', total }: Overview): Content {
  const { texts } = context;
  const choices = [...labels, 'none'].map((value, index) => {
    const words = value === 'none' ? texts.notGrouped : value;
    const target = linkHere(context, { group: value, page: undefined, all: undefined });
    return [
      index === 0 ? ' ' : ' · ',
      value === label ? html`<strong>${words}</strong>` : html`<a href="${target}">${words}</a>`,
    ];
  });
  return labels.length === 0 || total < 2 ? undefined : html`<p class="toggle quiet">${texts.groupedBy}${choices}</p>`;
}

/** Groups the accounts. If the list is neither filtered nor sorted, a group folds its accounts in state `ok` into one line of names. */
function groupsOf(context: PageContext, { accounts, label, groupSizes, request }: Overview) {
  const { texts, query } = context;
  if (label === undefined) return [{ rows: accounts }];
  const opened = query.getAll('all');
  const groups = [...Map.groupBy(accounts, (account) => groupOf(account, label))];
  // Either every group folds its accounts in state `ok`, or no group does.
  const folds = request.isPlain && groups.some(([, rows]) => rows.filter(({ state }) => state === 'ok').length > 1);
  return groups.map(([value, rows]) => {
    const total = groupSizes.get(value) ?? 0;
    const size = rows.length === total ? `${total}` : texts.usedOf(`${rows.length}`, `${total}`);
    const filter = linkHere(context, { [labelPrefix + label]: value, page: undefined });
    const fine = rows.filter(({ state }) => state === 'ok').map(({ name }) => name);
    const isFolded = folds && fine.length > 0 && !opened.includes(value);
    const rest = fine.length > maxNames ? texts.andMore(fine.length - maxNames) : texts.showAll;
    const open = html` · ${texts.stateCount('ok', fine.length)} (<bdi>${fine.slice(0, maxNames).join(', ')}</bdi>) <a href="${linkHere(context, { all: [...opened, value] })}">${rest}</a>`;
    return {
      heading: html`<a href="${filter}"><bdi>${value || texts.without(label)}</bdi></a> <span class="detail">${size}${isFolded ? open : ''}</span>`,
      rows: isFolded ? rows.filter(({ state }) => state !== 'ok') : rows,
    };
  });
}

/** A link that sorts by a column. The second click reverses the order, the third click sorts by urgency. */
function sortLink(context: PageContext, { total, request }: Overview, name: string, title: string): Content {
  const { sort } = request;
  if (total < 2) return title;
  const [next, arrow] = sort === name ? [`-${name}`, ' ↓'] : sort === `-${name}` ? [undefined, ' ↑'] : [name, ''];
  return html`<a href="${linkHere(context, { sort: next, page: undefined })}">${title}${arrow}</a>`;
}

type Cell = (context: PageContext, account: AccountSummary) => Content;

const diskCell: Cell = (context, account) =>
  account.disk && [diskUsage(context, account), diskChart(context, account, account.diskDays)];

const domainCell: Cell = (context, { nextDomain }) =>
  nextDomain && [expiryDay(context, nextDomain), detail(html`<bdi>${nextDomain.domain}</bdi>`)];

const backupCell: Cell = (context, { backup }) =>
  backup && [rated(backup.level, ago(context, backup.time)), detail(context.texts.backupKind(backup.kind))];

function columnsOf(page: PageContext, { matches, outage }: Overview) {
  const { texts } = page;
  const columnOf = (title: string, cell: Cell) =>
    column<AccountSummary>(title, (account) => cell(inZone(page, account.timeZone), account));
  const figureOf = (title: string, collector: string, none: string, cell: Cell) =>
    columnOf(title, (context, account) => cell(context, account) ?? missingFigure(context, account, collector, none));
  return [
    columnOf(texts.account, (context, account) => [
      html`<a href="${linkToAccount(context, account.name)}"><bdi>${account.name}</bdi></a> ${badge(context, account.state)}`,
      matchList(context, matches.get(account.name) ?? []),
      problemList(context, account, outage),
    ]),
    figureOf(texts.disk, 'account', texts.notReported, diskCell),
    figureOf(texts.paidUntil, 'account', texts.notReported, suspensionDay),
    figureOf(texts.planLoad, 'site_load', texts.none, (context, { planLoad }) => shareOfPlan(context, planLoad)),
    figureOf(texts.nextDomain, 'domains', texts.none, domainCell),
    figureOf(texts.newestBackup, 'backups', texts.none, backupCell),
  ];
}

function matchList(context: PageContext, matches: readonly Match[]): Content {
  const { site, domain, database } = context.texts;
  const kinds: Readonly<Record<string, string>> = { site, domain, database };
  return [...Map.groupBy(matches, ([kind]) => kind)].map(([kind, list]) => {
    const names = list.map(([, name]) => name);
    return detail(html`${kinds[kind] ?? kind}: <bdi>${namesOf(context, names)}</bdi>`);
  });
}

function problemList(
  context: PageContext,
  { name, state, problems, answered }: AccountSummary,
  outage: Overview['outage'],
): Content {
  const { texts } = context;
  // The badge already shows that the account waits.
  if (state === 'waiting' || problems.length === 0) return undefined;
  const all = problems
    .filter((problem) => !isCommon(context, outage, problem))
    .map((problem): Content => describeProblem(context, problem));
  const href = linkToAccount(context, name);
  const lines = [
    ...firstOf(all, maxProblems, (more) => html`<a href="${href}">${texts.andMore(more)}</a>`),
    ...(state === 'failing' && answered !== undefined ? [quiet([texts.updated, ' ', ago(context, answered)])] : []),
  ];
  return lines.length === 0
    ? undefined
    : html`<ul class="problems">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

function changeList(context: PageContext, { changes }: Overview): Content {
  const { noChanges, notRemembered } = context.texts;
  if (changes.every(({ yesterday, lastWeek }) => yesterday.list.length + lastWeek.list.length === 0)) return undefined;
  const linesOf = (since: 'yesterday' | 'lastWeek'): readonly Content[] => {
    const lines = changes.flatMap(({ account, [since]: { list } }) => {
      const href = linkToAccount(context, account);
      const link = html`<a href="${href}"><bdi>${account}</bdi></a>`;
      const all = list.map((change): Content => [link, ` ${describeChange(context, change)}`]);
      return firstOf(all, maxChanges, (more) => html`<a href="${href}">${context.texts.andMore(more)}</a>`);
    });
    const none = changes.some(({ [since]: { isRemembered } }) => isRemembered) ? noChanges : notRemembered;
    return lines.length === 0 ? [none] : lines;
  };
  return changeSection(context, linesOf('yesterday'), linesOf('lastWeek'));
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
