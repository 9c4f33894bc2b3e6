import { html, type SafeHtml } from '@remix-run/html-template';
import { chart } from './chart.ts';
import { collectorSection } from './collector-section.ts';
import {
  ago,
  badge,
  bar,
  type Content,
  column,
  detail,
  known,
  longTable,
  numeric,
  quiet,
  rated,
  type TableColumn,
  table,
  tile,
  timeElement,
} from './components.ts';
import { linkHere, type PageContext } from './context.ts';
import { daysLeft, diskUsage, shareOfPlan, untilExpiry } from './figure-cells.ts';
import { layout } from './layout.ts';
import { describeProblem, namesOf } from './problem-texts.ts';
import type { AccountDetail, Load, LongTable } from './view/account-detail.ts';
import type { RatedBackups } from './view/account-summary.ts';

type Domain = AccountDetail['domains']['rows'][number];

const maxProblems = 20;

export async function accountPage(context: PageContext, account: AccountDetail): Promise<string> {
  const { summary } = account;
  return layout(context, summary.name, [
    html`<h1><bdi>${summary.name}</bdi> ${badge(context, summary.state)}</h1>`,
    problems(context, account),
    tiles(context, account),
    account.answered.size === 0
      ? html`<p class="card quiet">${context.texts.noFigures}</p>`
      : [
          await sites(context, account),
          await databases(context, account),
          await domains(context, account),
          html`<div class="columns">${planLimits(context, account)}<div>${backups(context, account)}${server(context, account)}</div></div>`,
        ],
    collectorSection(context, account),
  ]);
}

/** The collectors that provide the figures of a section, by its ID. */
const sources = {
  sites: ['site_load', 'site_load_detail', 'sites'],
  databases: ['databases', 'database_load', 'database_load_detail'],
  domains: ['domains', 'sites', 'mailboxes', 'php_versions', 'dns'],
  limits: ['account', 'databases', 'ftp_accounts', 'cron_tasks'],
  backups: ['backups'],
  server: ['account'],
} as const;

function section(
  context: PageContext,
  { answered }: AccountDetail,
  id: keyof typeof sources,
  title: string,
  content: Content,
): SafeHtml {
  const { texts } = context;
  const times = sources[id].flatMap((name) => answered.get(name) ?? []);
  const oldest = times.toSorted((a, b) => a - b)[0];
  const age = oldest === undefined ? '' : html`<p class="age">${texts.dataAge}: ${ago(context, oldest)}</p>`;
  const missing = html`<p class="quiet">${texts.collectorOff(sources[id].join(', '))}</p>`;
  return html`<section class="card" aria-labelledby="${id}"><div class="head"><h2 id="${id}">${title}</h2>${age}</div>
${oldest === undefined ? missing : content}</section>
`;
}

/** Renders a table with a limited number of rows. The query parameters name the tables in which the reader wants more rows. */
async function openableTable<Row>(
  context: PageContext,
  id: LongTable,
  caption: string,
  columns: readonly TableColumn<Row>[],
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
): Promise<Content> {
  const { texts, format, query } = context;
  if (rows.length === 0) return html`<p class="quiet">${texts.none}</p>`;
  const opened = query.getAll('all');
  const isOpen = opened.includes(id);
  const others = opened.filter((other) => other !== id);
  const toggle = (change: readonly string[], text: string) =>
    html`<p class="toggle"><a href="${linkHere(context, { all: change })}#${id}">${text}</a></p>`;
  return [
    await longTable(caption, columns, rows),
    isOpen && rows.length < total
      ? html`<p class="quiet">${texts.rowsShown(format.number(rows.length), format.number(total))}</p>`
      : undefined,
    isOpen ? toggle(others, texts.showFewer) : undefined,
    !isOpen && rows.length < total ? toggle([...others, id], texts.showAllRows(format.number(total))) : undefined,
  ];
}

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
  const { summary, balance, dailyCharge } = account;
  const { disk, suspension, planLoad, answered } = summary;
  const days = known(context, suspension, (deadline) => daysLeft(context, deadline.days));
  const date = suspension && timeElement(context, suspension.time, format.date(suspension.time));
  return html`<dl class="tiles">
${[
  tile(texts.disk, diskUsage(context, disk), disk?.level),
  tile(texts.suspendedIn, days, suspension?.level, date),
  tile(texts.planLoad, shareOfPlan(context, planLoad), planLoad?.level),
  tile(texts.balance, known(context, balance, format.money), 'ok', balance === undefined ? undefined : texts.currency),
  tile(texts.dailyCharge, known(context, dailyCharge, format.money)),
  tile(texts.plan, textOr(context, account.plan)),
  tile(texts.dataAge, answered === undefined ? texts.never : ago(context, answered)),
]}</dl>
`;
}

async function sites(context: PageContext, account: AccountDetail): Promise<SafeHtml> {
  const { texts, format } = context;
  const { mean, hour, days, hours } = loadColumns(context);
  const columns: readonly TableColumn<AccountDetail['sites']['rows'][number]>[] = [
    column(texts.site, ({ id, name, isFrozen }) => [
      html`<bdi>${name === '' ? id : name}</bdi>`,
      isFrozen ? html` <span class="badge">${texts.frozen}</span>` : undefined,
    ]),
    mean,
    numeric(texts.shareOfLimit, ({ shareOfLimit }) => known(context, shareOfLimit, format.percent, texts.noLimit)),
    hour,
    days,
    hours,
  ];
  const content = [
    html`<p class="quiet">${texts.loadNote}</p>`,
    await openableTable(context, 'sites', texts.sites, columns, account.sites),
  ];
  return section(context, account, 'sites', texts.sites, content);
}

async function databases(context: PageContext, account: AccountDetail): Promise<SafeHtml> {
  const { texts, format } = context;
  const { mean, hour, days, hours } = loadColumns(context);
  const columns: readonly TableColumn<AccountDetail['databases']['rows'][number]>[] = [
    column(texts.database, ({ name }) => html`<bdi>${name}</bdi>`),
    numeric(texts.size, ({ size }) => known(context, size, format.bytes)),
    mean,
    hour,
    numeric(texts.remoteHosts, ({ remoteAccesses }) => known(context, remoteAccesses, format.number)),
    column(texts.sizeDays30, ({ histories }) => chart(context, texts.sizeDays30, histories?.sizes, format.bytes)),
    days,
    hours,
  ];
  const grown = account.grownDatabases.map(({ name, times, since }) =>
    texts.grownSince(name, format.number(Math.round(times * 10) / 10), format.date(since)),
  );
  const content = [
    grown.length === 0 ? undefined : html`<p>${texts.grown(namesOf(context, grown))}</p>`,
    await openableTable(context, 'databases', texts.databases, columns, account.databases),
  ];
  return section(context, account, 'databases', texts.databases, content);
}

function loadColumns(context: PageContext) {
  const { texts, format } = context;
  return {
    mean: numeric<Load>(texts.loadMean, ({ mean }) => known(context, mean, format.number)),
    hour: numeric<Load>(texts.loadHour, ({ hour }) =>
      known(context, hour, ({ start, value }) => timeElement(context, start, format.number(value))),
    ),
    days: column<Load>(texts.loadDays30, ({ histories }) => chart(context, texts.loadDays30, histories?.days)),
    hours: column<Load>(texts.loadHours24, ({ histories }) => chart(context, texts.loadHours24, histories?.hours)),
  };
}

async function domains(context: PageContext, account: AccountDetail): Promise<SafeHtml> {
  const { texts, format } = context;
  const mailboxes = ({ mailboxes: all, forwarding = 0, withoutSpamFilter = 0 }: Domain) =>
    known(context, all, (count) => [
      html`<span>${format.number(count)}</span>`,
      forwarding > 0 ? detail(texts.forwarding(format.number(forwarding))) : undefined,
      withoutSpamFilter > 0 ? detail(texts.unfiltered(format.number(withoutSpamFilter))) : undefined,
    ]);
  const dnsRecords = ({ dnsRecords: records }: Domain) => {
    // A no-break space keeps each type and its number on one line.
    const counts = records.map(({ type, count }) => `${type}\u00a0${format.number(count)}`);
    return counts.length === 0 ? quiet(texts.unknown) : html`<span>${counts.join(', ')}</span>`;
  };
  const columns: readonly TableColumn<Domain>[] = [
    column(texts.domain, ({ name }) => html`<bdi>${name}</bdi>`),
    column(texts.expires, ({ expiry }) =>
      known(context, expiry, ({ days, time, level }) => [
        rated(level, timeElement(context, time, untilExpiry(context, days))),
        detail(format.date(time)),
      ]),
    ),
    column(texts.renewal, ({ renewsAutomatically }) =>
      known(context, renewsAutomatically, (renews) => (renews ? texts.automatic : texts.manual)),
    ),
    column(texts.registrar, ({ registrar, status }) =>
      registrar === '' ? quiet(texts.unknown) : html`<span>${registrar}</span>${detail(status)}`,
    ),
    column(texts.php, ({ phpVersion }) => textOr(context, phpVersion)),
    column(texts.certificate, ({ certificate }) => textOr(context, certificate)),
    column(texts.mailboxes, mailboxes),
    // Show the column only with figures, because the collector `dns` is disabled by default.
    ...(account.answered.has('dns') ? [column(texts.dnsRecords, dnsRecords)] : []),
  ];
  const content = await openableTable(context, 'domains', texts.domains, columns, account.domains);
  return section(context, account, 'domains', texts.domains, content);
}

function planLimits(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const columns: readonly TableColumn<AccountDetail['planItems'][number]>[] = [
    column(texts.item, ({ kind }) => texts[kind]),
    numeric(texts.used, ({ kind, used }) =>
      known(context, used, (count) => {
        const disabled = kind === 'cronTasks' ? (account.cronTasksDisabled ?? 0) : 0;
        return [
          html`<span>${format.number(count)}</span>`,
          disabled > 0 ? detail(texts.disabledTasks(format.number(disabled))) : undefined,
        ];
      }),
    ),
    numeric(texts.limit, ({ limit }) => known(context, limit, format.number, texts.noLimit)),
    column(texts.share, ({ used, limit }) =>
      used === undefined || limit === undefined
        ? undefined
        : [html`<span>${format.percent(used / limit)}</span>`, bar(used / limit, 'ok')],
    ),
  ];
  const content = table(texts.planLimits, columns, account.planItems);
  return section(context, account, 'limits', texts.planLimits, content);
}

function backups(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const columns: readonly TableColumn<RatedBackups>[] = [
    column(texts.kind, ({ kind }) => texts.backupKind(kind)),
    numeric(texts.newest, ({ newest }) =>
      known(context, newest, ({ level, time }) => rated(level, ago(context, time)), texts.noBackup),
    ),
    numeric(texts.count, ({ count }) => known(context, count, format.number)),
  ];
  const none = html`<p class="quiet">${texts.none}</p>`;
  const content = account.backups.length === 0 ? none : table(texts.backups, columns, account.backups);
  return section(context, account, 'backups', texts.backups, content);
}

function server(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const columns: readonly TableColumn<AccountDetail['server']>[] = [
    column(texts.server, ({ name }) => textOr(context, name)),
    numeric(texts.loadAverage, ({ loadAverage }) => known(context, loadAverage, format.number)),
    numeric(texts.memory, ({ memory, memoryUsed }) =>
      memory === undefined || memoryUsed === undefined
        ? quiet(texts.unknown)
        : texts.usedOf(format.bytes(memoryUsed), format.bytes(memory)),
    ),
    numeric(texts.uptime, ({ uptimeSeconds }) =>
      known(context, uptimeSeconds, (seconds) => format.duration(seconds * 1000)),
    ),
  ];
  return section(context, account, 'server', texts.server, table(texts.server, columns, [account.server]));
}

function textOr({ texts }: PageContext, text: string): Content {
  return text === '' ? quiet(texts.unknown) : text;
}
