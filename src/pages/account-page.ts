import { html, type SafeHtml } from '@remix-run/html-template';
import type { AccountDetail, DnsRecords, LongTable, PlanItem, Rows } from '../account-view/account-detail.ts';
import type { Steps } from '../in-turns.ts';
import { chart } from './chart.ts';
import { collectorSection } from './collector-section.ts';
import {
  ago,
  badge,
  bar,
  type Column,
  type Content,
  longTable,
  table,
  tile,
  timeElement,
  unknown,
} from './components.ts';
import { linkHere, type PageContext } from './context.ts';
import { layout } from './layout.ts';
import { daysLeft, diskUsage, shareOfPlan } from './overview-page.ts';
import { describeProblem, namesOf } from './problem-texts.ts';

/** Problems on the page of an account. */
const maxProblems = 20;

/** Renders everything that is known about one account, in steps. */
export function* accountPage(context: PageContext, account: AccountDetail): Steps<string> {
  const { summary } = account;
  return layout(context, summary.name, [
    html`<h1><bdi>${summary.name}</bdi> ${badge(context, summary.state)}</h1>`,
    problems(context, account),
    tiles(context, account),
    account.answered.size === 0
      ? html`<p class="card quiet">${context.texts.noFigures}</p>`
      : yield* sections(context, account),
    collectorSection(context, account),
  ]);
}

function* sections(context: PageContext, account: AccountDetail): Steps<Content> {
  return [
    yield* sites(context, account),
    yield* databases(context, account),
    yield* domains(context, account),
    html`<div class="columns">${planLimits(context, account)}<div>${backups(context, account)}${server(context, account)}</div></div>`,
  ];
}

/** A part of the page, with the age of its figures. `collectors` provide them. */
function section(
  context: PageContext,
  account: AccountDetail,
  id: string,
  title: string,
  collectors: readonly string[],
  content: Content,
): SafeHtml {
  const times = collectors.flatMap((name) => account.answered.get(name) ?? []);
  const { texts } = context;
  const age =
    times.length === 0
      ? ''
      : html`<p class="age">${texts.dataAge}: ${ago(
          context,
          times.reduce((a, b) => Math.min(a, b)),
        )}</p>`;
  const missing = html`<p class="quiet">${texts.collectorOff(collectors.join(', '))}</p>`;
  return html`<section class="card" aria-labelledby="${id}"><div class="head"><h2 id="${id}">${title}</h2>${age}</div>
${times.length === 0 ? missing : content}</section>
`;
}

/** A table with a bounded number of rows. That the reader has opened it is part of the address. */
function* openableTable<Row>(
  context: PageContext,
  id: LongTable,
  caption: string,
  columns: readonly Column[],
  { rows, total }: Rows<Row>,
  cells: (row: Row) => readonly Content[],
): Steps<Content> {
  const { texts, format, query } = context;
  if (rows.length === 0) return html`<p class="quiet">${texts.none}</p>`;
  const opened = query.getAll('all');
  const isOpen = opened.includes(id);
  const others = opened.filter((other) => other !== id);
  const toggle = (change: readonly string[], text: string) =>
    html`<p class="toggle"><a href="${linkHere(context, { all: change })}#${id}">${text}</a></p>`;
  return [
    yield* longTable(caption, columns, rows, cells),
    isOpen && rows.length < total
      ? html`<p class="quiet">${texts.rowsShown(format.number(rows.length), format.number(total))}</p>`
      : undefined,
    isOpen ? toggle(others, texts.showFewer) : undefined,
    !isOpen && rows.length < total ? toggle([...others, id], texts.showAllRows(format.number(total))) : undefined,
  ];
}

/** What needs attention, and what only Prometheus knows. */
function problems(context: PageContext, { summary }: AccountDetail): SafeHtml {
  const { texts } = context;
  const nothing = summary.state === 'waiting' ? texts.waitingForFirstPoll : texts.nothingUrgent;
  const more = summary.problems.length - maxProblems;
  const list = summary.problems.slice(0, maxProblems).map(
    (problem) => html`<li>${badge(context, problem.state)} ${describeProblem(context, problem)}</li>
`,
  );
  return html`<section class="card" aria-labelledby="problems"><h2 id="problems">${list.length === 0 ? nothing : texts.problemTitle}</h2>
${list.length === 0 ? '' : html`<ul class="list">${list}</ul>`}
${more > 0 ? html`<p>${texts.andMore(more)}</p>` : ''}
<p class="quiet">${texts.needsHistory}</p></section>
`;
}

function tiles(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { disk, suspension, planLoad, answered } = account.summary;
  const figure = (value: number | undefined) => (value === undefined ? unknown(context) : format.money(value));
  return html`<dl class="tiles">
${tile(texts.disk, disk === undefined ? unknown(context) : diskUsage(context, disk), undefined, disk?.level)}${tile(
  texts.suspendedIn,
  suspension === undefined ? unknown(context) : daysLeft(context, suspension.days),
  suspension === undefined ? undefined : timeElement(context, suspension.time, format.date(suspension.time)),
  suspension?.level,
)}${tile(texts.planLoad, planLoad === undefined ? unknown(context) : shareOfPlan(context, planLoad), undefined, planLoad?.level)}${tile(
  texts.balance,
  figure(account.balance),
  account.balance === undefined ? undefined : texts.currency,
)}${tile(texts.dailyCharge, figure(account.dailyCharge))}${tile(texts.plan, textOr(context, account.plan))}${tile(texts.dataAge, answered === undefined ? texts.never : ago(context, answered))}</dl>
`;
}

function* sites(context: PageContext, account: AccountDetail): Steps<SafeHtml> {
  const { texts, format } = context;
  const columns: readonly Column[] = [
    { title: texts.site },
    { title: texts.loadMean, isNumber: true },
    { title: texts.shareOfLimit, isNumber: true },
    { title: texts.loadHour, isNumber: true },
    { title: texts.loadDays30 },
    { title: texts.loadHours24 },
  ];
  const content = yield* openableTable(context, 'sites', texts.sites, columns, account.sites, (site) => [
    [
      html`<bdi>${site.name === '' ? site.id : site.name}</bdi>`,
      site.isFrozen ? html` <span class="badge">${texts.frozen}</span>` : undefined,
    ],
    figureOf(context, site.mean),
    site.shareOfLimit === undefined
      ? html`<span class="quiet">${texts.noLimit}</span>`
      : format.percent(site.shareOfLimit),
    hourOf(context, site.hour),
    chart(context, texts.loadDays30, site.histories?.days),
    chart(context, texts.loadHours24, site.histories?.hours),
  ]);
  return section(
    context,
    account,
    'sites',
    texts.sites,
    ['site_load', 'site_load_detail', 'sites'],
    [html`<p class="quiet">${texts.loadNote}</p>`, content],
  );
}

function* databases(context: PageContext, account: AccountDetail): Steps<SafeHtml> {
  const { texts, format } = context;
  const columns: readonly Column[] = [
    { title: texts.database },
    { title: texts.size, isNumber: true },
    { title: texts.loadMean, isNumber: true },
    { title: texts.loadHour, isNumber: true },
    { title: texts.remoteHosts, isNumber: true },
    { title: texts.sizeDays30 },
    { title: texts.loadDays30 },
    { title: texts.loadHours24 },
  ];
  const content = yield* openableTable(
    context,
    'databases',
    texts.databases,
    columns,
    account.databases,
    (database) => [
      html`<bdi>${database.name}</bdi>`,
      database.size === undefined ? unknown(context) : format.bytes(database.size),
      figureOf(context, database.mean),
      hourOf(context, database.hour),
      figureOf(context, database.remoteAccesses),
      chart(context, texts.sizeDays30, database.histories?.sizes, format.bytes),
      chart(context, texts.loadDays30, database.histories?.days),
      chart(context, texts.loadHours24, database.histories?.hours),
    ],
  );
  return section(
    context,
    account,
    'databases',
    texts.databases,
    ['databases', 'database_load', 'database_load_detail'],
    [grownDatabases(context, account), content],
  );
}

function grownDatabases(context: PageContext, { grownDatabases: grown }: AccountDetail): Content {
  const { texts, format } = context;
  if (grown.length === 0) return undefined;
  const names = grown.map(({ name, times, since }) =>
    texts.grownSince(name, format.number(Math.round(times * 10) / 10), format.date(since)),
  );
  return html`<p>${texts.grown(namesOf(context, names))}</p>`;
}

function* domains(context: PageContext, account: AccountDetail): Steps<SafeHtml> {
  const { texts, format } = context;
  // Most accounts are polled without them.
  const hasDns = account.answered.has('dns');
  const columns: readonly Column[] = [
    { title: texts.domain },
    { title: texts.expires },
    { title: texts.renewal },
    { title: texts.registrar },
    { title: texts.php },
    { title: texts.certificate },
    { title: texts.mailboxes },
    ...(hasDns ? [{ title: texts.dnsRecords }] : []),
  ];
  const content = yield* openableTable(context, 'domains', texts.domains, columns, account.domains, (domain) => {
    const { expiry, renewsAutomatically, registrar, status, mailboxes, forwarding, withoutSpamFilter } = domain;
    const { dnsRecords } = domain;
    const renewal = renewsAutomatically ? texts.automatic : texts.manual;
    return [
      html`<bdi>${domain.name}</bdi>`,
      expiry === undefined
        ? unknown(context)
        : html`<span class="level ${expiry.level}">${timeElement(
            context,
            expiry.time,
            expiry.days < 0 ? texts.expired(format.days(-expiry.days)) : texts.within(format.days(expiry.days)),
          )}</span> <span class="detail">${format.date(expiry.time)}</span>`,
      renewsAutomatically === undefined ? unknown(context) : renewal,
      registrar === '' ? unknown(context) : html`<span>${registrar}</span> <span class="detail">${status}</span>`,
      textOr(context, domain.phpVersion),
      textOr(context, domain.certificate),
      mailboxes === undefined
        ? unknown(context)
        : [
            html`<span>${format.number(mailboxes)}</span>`,
            (forwarding ?? 0) > 0
              ? html` <span class="detail">${texts.forwarding(format.number(forwarding ?? 0))}</span>`
              : undefined,
            (withoutSpamFilter ?? 0) > 0
              ? html` <span class="detail">${texts.unfiltered(format.number(withoutSpamFilter ?? 0))}</span>`
              : undefined,
          ],
      ...(hasDns ? [dnsRecords.length === 0 ? unknown(context) : dnsCounts(context, dnsRecords)] : []),
    ];
  });
  return section(
    context,
    account,
    'domains',
    texts.domains,
    ['domains', 'sites', 'mailboxes', 'php_versions', 'dns'],
    content,
  );
}

/** The number of records of each type. */
function dnsCounts({ format }: PageContext, records: readonly DnsRecords[]): SafeHtml {
  // Only between words may a line break.
  const counts = records.map(({ type, count }) => `${type}\u00a0${format.number(count)}`);
  return html`<span>${counts.join(', ')}</span>`;
}

function planLimits(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const columns: readonly Column[] = [
    { title: texts.item },
    { title: texts.used, isNumber: true },
    { title: texts.limit, isNumber: true },
    { title: texts.share },
  ];
  const rows = account.planItems.map((item: PlanItem) => {
    const { kind, used, limit } = item;
    const disabled = kind === 'cron_tasks' ? account.cronTasksDisabled : undefined;
    const noLimit = html`<span class="quiet">${texts.noLimit}</span>`;
    return [
      texts.planItems[kind],
      used === undefined
        ? unknown(context)
        : [
            html`<span>${format.number(used)}</span>`,
            disabled === undefined || disabled === 0
              ? undefined
              : html` <span class="detail">${texts.disabledTasks(format.number(disabled))}</span>`,
          ],
      limit === undefined ? noLimit : format.number(limit),
      used === undefined || limit === undefined
        ? undefined
        : [html`<span>${format.percent(used / limit)}</span>`, bar(used / limit, 'ok')],
    ];
  });
  return section(
    context,
    account,
    'limits',
    texts.planLimits,
    ['account', 'databases', 'ftp_accounts', 'cron_tasks'],
    table(texts.planLimits, columns, rows),
  );
}

function backups(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts } = context;
  const columns: readonly Column[] = [
    { title: texts.kind },
    { title: texts.newest, isNumber: true },
    { title: texts.count, isNumber: true },
  ];
  const rows = account.backups.map(({ kind, newest, count }) => [
    texts.backupKinds[kind] ?? kind,
    newest === undefined
      ? html`<span class="quiet">${texts.noBackup}</span>`
      : html`<span class="level ${newest.level}">${ago(context, newest.time)}</span>`,
    figureOf(context, count),
  ]);
  const none = html`<p class="quiet">${texts.none}</p>`;
  const content = rows.length === 0 ? none : table(texts.backups, columns, rows);
  return section(context, account, 'backups', texts.backups, ['backups'], content);
}

function server(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { name, loadAverage, memory, memoryUsed, uptimeSeconds } = account.server;
  const columns: readonly Column[] = [
    { title: texts.server },
    { title: texts.loadAverage, isNumber: true },
    { title: texts.memory, isNumber: true },
    { title: texts.uptime, isNumber: true },
  ];
  const cells = [
    name === '' ? unknown(context) : name,
    figureOf(context, loadAverage),
    memory === undefined || memoryUsed === undefined
      ? unknown(context)
      : texts.usedOf(format.bytes(memoryUsed), format.bytes(memory)),
    uptimeSeconds === undefined ? unknown(context) : format.duration(uptimeSeconds * 1000),
  ];
  return section(context, account, 'server', texts.server, ['account'], table(texts.server, columns, [cells]));
}

function figureOf(context: PageContext, value: number | undefined): Content {
  return value === undefined ? unknown(context) : context.format.number(value);
}

/** The load of an hour, with the start of that hour. */
function hourOf(context: PageContext, hour: { readonly value: number; readonly start: number } | undefined): Content {
  if (hour === undefined) return unknown(context);
  return timeElement(context, hour.start, context.format.number(hour.value));
}

function textOr(context: PageContext, text: string): Content {
  return text === '' ? unknown(context) : text;
}
