import { html, type SafeHtml } from '@remix-run/html-template';
import { ago, badge, type Content, column, detail, groupedTable, nextAttempt, quiet, rated } from './components.ts';
import { inZone, labelPrefix, linkHere, linkTo, linkToAccount, type PageContext } from './context.ts';
import { diskChart, diskUsage, expiryDay, missingFigure, shareOfPlan, suspensionDay } from './figure-cells.ts';
import { layout } from './layout.ts';
import { changeSection } from './problem-section.ts';
import { adviceOn, describeChange, describeCounts, describeProblem, firstChanges, namesOf } from './problem-texts.ts';
import type { AccountSummary } from './view/account-summary.ts';
import { fewAccounts, groupOf, type Match, type Overview, sortColumns } from './view/overview.ts';
import { type AccountProblem, states } from './view/problems.ts';

/** Maximum number of problems per account, and per period of the diary. Further problems are only counted. */
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
  const [diary, told] = diaryOf(context, overview);
  const columns = columnsOf(context, overview, told).map((column, index) => ({
    ...column,
    heading: sortLink(context, overview, sortColumns[index] ?? '', column.title),
  }));
  const rows = groupedTable(texts.accounts, groupsOf(context, overview), columns, ({ state }) => state);
  const content = html`<h1>${title}</h1>
${outage === undefined ? '' : html`<p>${adviceOn(context, outage.cause)} ${texts.lastKnown} ${nextAttempt(context, outage.nextAttempt)}</p>`}
${counts(context, overview)}
${exporter.reloadFailed() ? html`<p><span class="badge failing">${texts.failed}</span> <a href="${linkTo(context, '/status')}">${texts.reloadNotice}</a></p>` : ''}
<div class="top">${diary}${changeList(context, overview)}</div>
${searchForm(context, overview)}
${grouping(context, overview)}
${accounts.length === 0 ? '' : html`<div class="accounts${accounts.length > fewAccounts ? ' many' : ''}">${overview.total > 1 ? html`<p class="sort">${texts.sortBy}</p>` : ''}${rows}</div>`}
${paging(context, overview)}
${total === 0 ? '' : html`<p class="toggle quiet"><a href="${pathLink(context, '/money')}">${texts.money}</a> · <a href="${pathLink(context, '/calendar.ics', { language: context.language, lang: undefined, refresh: undefined })}">${texts.subscribe}</a></p>`}`;
  const worst = states.find((state) => overview.counts[state] > 0);
  return layout(context, title, content, worst);
}

/** A link to another path for the accounts that the filters select. */
function pathLink(context: PageContext, path: string, changes: Parameters<typeof linkHere>[1] = {}): string {
  return linkHere({ ...context, path }, { sort: undefined, page: undefined, all: undefined, ...changes });
}

function headline(context: PageContext, { total, counts, outage }: Overview, otherAccounts: number): string {
  const { texts } = context;
  if (total === 0) return otherAccounts > 0 ? texts.noneSelected(otherAccounts) : texts.noAccounts;
  return outage === undefined
    ? describeCounts(context, counts)
    : texts.outage(texts.cause(outage.cause), outage.accounts, total);
}

/** Renders problems by due time: today, within a week, or later. Also returns the problems that the rows of accounts need not repeat. */
function diaryOf(page: PageContext, { problems, outage, total, page: number, request }: Overview) {
  const { texts, now } = page;
  const common = outage && texts.cause(outage.cause);
  const isCommon = (problem: AccountProblem) => problem.kind === 'unreachable' && texts.cause(problem.cause) === common;
  // The headline already names the common cause, so the diary omits it.
  const told = new Set(problems.flatMap(({ problem }) => (isCommon(problem) ? [problem] : [])));
  const entries = problems.filter(({ problem }) => problem.state !== 'waiting' && !told.has(problem));
  if (!request.isPlain || number > 1 || total === 1 || entries.length === 0) return [undefined, told] as const;
  const periods = Map.groupBy(entries, ({ account, due }) => {
    const days = inZone(page, account.timeZone).format.daysUntil(due, now);
    return days <= 0 ? 'today' : days <= 7 ? 'week' : 'later';
  });
  const content = (['today', 'week', 'later'] as const).map((period) => {
    const all = periods.get(period) ?? [];
    const items = all.slice(0, maxEntries).map(({ account, problem }) => {
      const context = inZone(page, account.timeZone);
      told.add(problem);
      const date = 'time' in problem ? ` · ${context.format.date(problem.time)}` : '';
      return html`<li>${badge(context, problem.state)}<p>${describeProblem(context, problem)}${detail(html`<a href="${linkToAccount(context, account.name)}"><bdi>${account.name}</bdi></a>${date}`)}</p></li>`;
    });
    const more = all.length > maxEntries ? html`<p>${quiet(texts.andMore(all.length - maxEntries))}</p>` : '';
    return all.length === 0 ? '' : html`<div><h3>${texts.periods[period]}</h3><ul>${items}</ul>${more}</div>`;
  });
  const section = html`<section class="card" aria-labelledby="diary"><h2 id="diary">${texts.whatToDo}</h2><div class="diary">${content}</div></section>`;
  return [section, told] as const;
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

function searchForm(context: PageContext, { total, found, request: { search, states, labels } }: Overview): Content {
  const { texts, query } = context;
  const conditions = [
    ...(search === '' ? [] : [search]),
    ...states.map((state) => texts.states[state]),
    ...labels.map(([name, value]) => `${name}: ${value === '' ? texts.none : value}`),
  ];
  const kept = [...query].filter(([name]) => name !== 'q' && name !== 'page');
  const fields = kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const form = html`<form role="search" action="${context.linkPrefix}/">${fields}
<label for="q">${texts.searchLabel}</label> <input type="search" id="q" name="q" value="${search}"> <button>${texts.search}</button>
</form>`;
  const result = html`<p class="toggle">${texts.found(found, conditions.map(texts.quote).join(', '))} · <a href="${linkTo(context, '/')}">${texts.showAll}</a></p>`;
  return [total < 3 && search === '' ? '' : form, conditions.length === 0 ? '' : result];
}

function grouping(context: PageContext, { labels, label = 'none' }: Overview): Content {
  const { texts } = context;
  const choices = [...labels, 'none'].map((value, index) => {
    const words = value === 'none' ? texts.notGrouped : value;
    const target = linkHere(context, { group: value, page: undefined, all: undefined });
    return [
      index === 0 ? ' ' : ' · ',
      value === label ? html`<strong>${words}</strong>` : html`<a href="${target}">${words}</a>`,
    ];
  });
  return labels.length === 0 ? undefined : html`<p class="toggle quiet">${texts.groupedBy}${choices}</p>`;
}

/** Groups the accounts. If the list is neither filtered nor sorted, a closed group shows accounts in state `ok` only as names. */
function groupsOf(context: PageContext, { accounts, label, groupSizes, request }: Overview) {
  const { texts, query } = context;
  if (label === undefined) return [{ rows: accounts }];
  const opened = query.getAll('all');
  return [...Map.groupBy(accounts, (account) => groupOf(account, label))].map(([value, rows]) => {
    const total = groupSizes.get(value) ?? 0;
    const size = rows.length === total ? `${total}` : texts.usedOf(`${rows.length}`, `${total}`);
    const filter = linkHere(context, { [labelPrefix + label]: value, page: undefined });
    const fine = rows.filter(({ state }) => state === 'ok').map(({ name }) => name);
    const isFolded = request.isPlain && fine.length > 1 && !opened.includes(value);
    const open = html` · ${texts.stateCount('ok', fine.length)}: <bdi>${namesOf(context, fine)}</bdi> · <a href="${linkHere(context, { all: [...opened, value] })}">${texts.showAll}</a>`;
    return {
      heading: html`<a href="${filter}"><bdi>${value === '' ? `${label}: ${texts.none}` : value}</bdi></a> <span class="detail">${size}${isFolded ? open : ''}</span>`,
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
  account.disk && [diskUsage(context, account), account.diskDays && diskChart(context, account, account.diskDays)];

const domainCell: Cell = (context, { nextDomain }) =>
  nextDomain && [expiryDay(context, nextDomain), detail(html`<bdi>${nextDomain.domain}</bdi>`)];

const backupCell: Cell = (context, { backup }) =>
  backup && [rated(backup.level, ago(context, backup.time)), detail(context.texts.backupKind(backup.kind))];

function columnsOf(page: PageContext, { matches }: Overview, told: ReadonlySet<AccountProblem>) {
  const { texts } = page;
  const columnOf = (title: string, cell: Cell) =>
    column<AccountSummary>(title, (account) => cell(inZone(page, account.timeZone), account));
  const figureOf = (title: string, collector: string, none: string, cell: Cell) =>
    columnOf(title, (context, account) => cell(context, account) ?? missingFigure(context, account, collector, none));
  return [
    columnOf(texts.account, (context, account) => [
      html`<a href="${linkToAccount(context, account.name)}"><bdi>${account.name}</bdi></a> ${badge(context, account.state)}`,
      matchList(context, matches.get(account.name) ?? []),
      problemList(context, account, told),
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

/** `told`: the problems that the page already names above. */
function problemList(
  context: PageContext,
  { state, problems, answered }: AccountSummary,
  told: ReadonlySet<AccountProblem>,
): Content {
  const { texts } = context;
  // The badge already shows that the account waits.
  if (state === 'waiting' || problems.length === 0) return undefined;
  const all = problems.filter((problem) => !told.has(problem)).map((problem) => describeProblem(context, problem));
  const more = all.length - maxProblems;
  const lines = [
    ...all.slice(0, maxProblems),
    ...(more > 0 ? [texts.andMore(more)] : []),
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
      const link = html`<a href="${linkToAccount(context, account)}"><bdi>${account}</bdi></a>`;
      const all = list.map((change) => describeChange(context, change));
      return firstChanges(context, all).map((line) => [link, ` ${line}`]);
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
