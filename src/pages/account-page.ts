import { html, type SafeHtml } from '@remix-run/html-template';
import { chart } from './chart.ts';
import { collectorSection } from './collector-section.ts';
import {
  ago,
  badge,
  bar,
  type Columns,
  type Content,
  column,
  detail,
  known,
  numeric,
  quiet,
  rated,
  table,
  tile,
  timeElement,
} from './components.ts';
import { inZone, linkHere, type PageContext } from './context.ts';
import { diskChart, diskUsage, expiryDay, missingFigure, shareOfPlan, suspensionDay } from './figure-cells.ts';
import { layout } from './layout.ts';
import { changeSection, problemSection } from './problem-section.ts';
import { describeChanges } from './problem-texts.ts';
import type { AccountDetail, Load, LongTable } from './view/account-detail.ts';
import type { Deadline } from './view/account-summary.ts';

type Domain = AccountDetail['domains']['rows'][number];

export function accountPage(page: PageContext, account: AccountDetail): string {
  const { summary, changes } = account;
  const context = inZone(page, summary.timeZone);
  const title = `${summary.name}: ${context.texts.states[summary.state]}`;
  const content = [
    html`<h1><bdi>${summary.name}</bdi> ${badge(context, summary.state)}</h1>`,
    html`<div class="top">${problemSection(context, account)}${changeSection(context, describeChanges(context, changes.yesterday), describeChanges(context, changes.lastWeek))}</div>`,
    tiles(context, account),
    account.answered.size === 0
      ? html`<p class="card quiet">${summary.state === 'waiting' ? context.texts.noFiguresYet : context.texts.noFigures}</p>`
      : [
          domains(context, account),
          sites(context, account),
          databases(context, account),
          html`<div class="columns">${planLimits(context, account)}<div>${backups(context, account)}${server(context, account)}</div></div>`,
        ],
    collectorSection(context, account),
  ];
  return layout(context, title, content, summary.state);
}

/** The collectors that provide the figures of each section, by the ID of the section. */
const sources = {
  sites: ['site_load', 'site_load_detail', 'sites'],
  databases: ['databases', 'database_load', 'database_load_detail'],
  domains: ['domains', 'sites', 'mailboxes', 'php_versions', 'dns'],
  limits: ['account', 'databases', 'ftp_accounts', 'cron_tasks'],
  backups: ['backups'],
  server: ['account'],
} as const;

function section(context: PageContext, account: AccountDetail, id: keyof typeof sources, content: Content): SafeHtml {
  const { texts } = context;
  const { answered, summary } = account;
  const title = texts[id === 'limits' ? 'planLimits' : id];
  const times = sources[id].flatMap((name) => answered.get(name) ?? []);
  const oldest = times.toSorted((a, b) => a - b)[0];
  const age = oldest === undefined ? '' : html`<p class="age">${texts.updated} ${ago(context, oldest)}</p>`;
  const reasons = sources[id].map(
    (name) => html`<li>${name}: ${missingFigure(context, summary, name, texts.none)}</li>`,
  );
  const missing = html`<p>${texts.noFiguresOf}</p><ul class="list">${reasons}</ul>`;
  return html`<section class="card" aria-labelledby="${id}"><div class="head"><h2 id="${id}">${title}</h2>${age}</div>
${oldest === undefined ? missing : content}</section>
`;
}

/** Renders a table with a limited number of rows. The query parameters name the tables in which the reader wants more rows. */
function openableTable<Row>(
  context: PageContext,
  id: LongTable,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
  columns: Columns<Row>,
): Content {
  const { texts, format, query } = context;
  if (rows.length === 0) return html`<p class="quiet">${texts.none}</p>`;
  const opened = query.getAll('all');
  const isOpen = opened.includes(id);
  const others = opened.filter((other) => other !== id);
  const toggle = (change: readonly string[], text: string) =>
    html`<p class="toggle"><a href="${linkHere(context, { all: change })}#${id}">${text}</a></p>`;
  return [
    table(texts[id], rows, columns),
    isOpen && rows.length < total
      ? html`<p class="quiet">${texts.rowsShown(format.number(rows.length), format.number(total))}</p>`
      : undefined,
    isOpen ? toggle(others, texts.showFewer) : undefined,
    !isOpen && rows.length < total ? toggle([...others, id], texts.showAllRows(format.number(total))) : undefined,
  ];
}

function tiles(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { summary, balance, dailyCharge, diskDays, balanceDays, loadDays } = account;
  const { disk, suspension, planLoad, answered } = summary;
  const unknown = missingFigure(context, summary, 'account', texts.notReported);
  const money = balanceDays && { ...balanceDays, days: (balance ?? 0) / (dailyCharge ?? 0) };
  const loads = loadDays && { ...loadDays, limit: planLoad?.limit };
  const loadChart = chart(context, texts.planLoad, loads, format.number, texts.trendLater);
  const balanceChart = chart(context, texts.balance, money, format.money, texts.trendLater);
  const usage = disk && [diskUsage(context, summary), diskChart(context, summary, diskDays, texts.trendLater)];
  const load = planLoad && [shareOfPlan(context, summary), loadChart];
  const age = answered === undefined ? undefined : ago(context, answered);
  return html`<dl class="tiles">
${[
  tile(texts.disk, usage ?? unknown, disk?.level),
  tile(texts.paidUntil, suspensionDay(context, summary) ?? unknown, suspension?.level),
  tile(texts.planLoad, load ?? missingFigure(context, summary, 'site_load', texts.none), planLoad?.level),
  balance === undefined
    ? tile(texts.balance, unknown)
    : tile(texts.balance, [format.money(balance), balanceChart], 'ok', texts.currency),
  tile(texts.dailyCharge, dailyCharge === undefined ? unknown : format.money(dailyCharge)),
  tile(texts.plan, account.plan || unknown),
  tile(texts.updated, age ?? quiet(summary.state === 'waiting' ? texts.missing.waiting : texts.never)),
]}</dl>
`;
}

function sites(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { mean, hour, days, hours } = loadColumns(context);
  const rows = openableTable(context, 'sites', account.sites, [
    column(texts.site, ({ id, name, isFrozen }) => [
      html`<bdi>${name === '' ? id : name}</bdi>`,
      isFrozen ? html` <span class="badge">${texts.frozen}</span>` : undefined,
    ]),
    mean,
    numeric(texts.shareOfLimit, ({ shareOfLimit }) => known(context, shareOfLimit, format.percent, texts.noLimit)),
    hour,
    days,
    hours,
  ]);
  return section(context, account, 'sites', [html`<p class="quiet">${texts.loadNote}</p>`, rows]);
}

function databases(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { mean, hour, days, hours } = loadColumns(context);
  const rows = openableTable(context, 'databases', account.databases, [
    column(texts.database, ({ name }) => html`<bdi>${name}</bdi>`),
    numeric(texts.size, ({ size }) => known(context, size, format.bytes)),
    mean,
    hour,
    numeric(texts.remoteHosts, ({ remoteAccesses }) => known(context, remoteAccesses, format.number)),
    column(texts.sizeDays30, ({ histories }) => chart(context, texts.sizeDays30, histories?.sizes, format.bytes)),
    days,
    hours,
  ]);
  return section(context, account, 'databases', rows);
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

function domains(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const missing = (applies: boolean) => (applies ? texts.unknown : '—');
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
  const content = openableTable(context, 'domains', account.domains, [
    column(texts.domain, ({ name }) => html`<bdi>${name}</bdi>`),
    column(texts.expires, ({ expiry, isRegistered }) => {
      const show = (deadline: Deadline) => [expiryDay(context, deadline), detail(format.date(deadline.time))];
      return known(context, expiry, show, missing(isRegistered));
    }),
    column(texts.renewal, ({ renewsAutomatically, renewal, isRegistered }) => [
      known(context, renewsAutomatically, (renews) => (renews ? texts.automatic : texts.manual), missing(isRegistered)),
      renewal === '' ? undefined : detail(texts.renewalStatus(renewal)),
    ]),
    column(texts.registrar, ({ registrar, status, isRegistered }) =>
      registrar === ''
        ? quiet(missing(isRegistered))
        : html`<span>${registrar}</span>${detail(texts.domainStatus(status))}`,
    ),
    column('PHP', ({ phpVersion }) => phpVersion || quiet(texts.unknown)),
    column(texts.certificate, ({ certificate, hasSite }) =>
      certificate === '' ? quiet(missing(hasSite)) : texts.certificateStatus(certificate),
    ),
    column(texts.mailboxes, mailboxes),
    // Show the column only if it has figures. The collector `dns` is disabled by default.
    ...(account.answered.has('dns') ? [column(texts.dnsRecords, dnsRecords)] : []),
  ]);
  return section(context, account, 'domains', content);
}

function planLimits(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const content = table(texts.planLimits, account.planItems, [
    column(texts.item, ({ kind }) => texts[kind]),
    numeric(texts.used, ({ kind, used }) =>
      known(context, used, (count) => {
        const disabled = kind === 'cronTasks' ? (account.cronTasksDisabled ?? 0) : 0;
        return [
          html`<span>${format.number(count)}</span>`,
          disabled > 0 ? detail(texts.disabledTasks(disabled)) : undefined,
          kind === 'cronTasks' && count > 0 && account.lacksCronEmail ? detail(texts.noCronEmail) : undefined,
        ];
      }),
    ),
    numeric(texts.limit, ({ limit }) => known(context, limit, format.number, texts.noLimit)),
    column(texts.share, ({ used, limit }) =>
      used === undefined || limit === undefined
        ? undefined
        : [html`<span>${format.percent(used / limit)}</span>`, bar(used / limit, 'ok')],
    ),
  ]);
  return section(context, account, 'limits', content);
}

function backups(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const rows = table(texts.backups, account.summary.backups, [
    column(texts.kind, ({ kind }) => texts.backupKind(kind)),
    numeric(texts.newest, ({ newest }) =>
      known(context, newest, ({ level, time }) => rated(level, ago(context, time)), texts.noBackup),
    ),
    numeric(texts.count, ({ count }) => known(context, count, format.number)),
  ]);
  const jobs = table(texts.backupJobs, account.backupJobs, [
    column(texts.backupJobs, ({ operation, kind }) => texts.backupJob(operation, kind)),
    column(texts.result, ({ status }) => texts.jobStatus(status) || quiet(texts.unknown)),
    numeric(texts.requested, ({ newest }) => ago(context, newest)),
  ]);
  const content = [
    account.summary.backups.length === 0 ? html`<p class="quiet">${texts.none}</p>` : rows,
    account.backupJobs.length === 0 ? undefined : jobs,
  ];
  return section(context, account, 'backups', content);
}

function server(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const figures = table(
    texts.server,
    [account.server],
    [
      column(texts.server, ({ name }) => name || quiet(texts.unknown)),
      numeric(texts.loadAverage, ({ loadAverage }) => known(context, loadAverage, format.number)),
      numeric(texts.memory, ({ memory, memoryUsed }) =>
        memory === undefined || memoryUsed === undefined
          ? quiet(texts.unknown)
          : texts.usedOf(format.bytes(memoryUsed), format.bytes(memory)),
      ),
      numeric(texts.serverUptime, ({ uptimeSeconds }) =>
        known(context, uptimeSeconds, (seconds) => format.duration(seconds * 1000)),
      ),
    ],
  );
  const software = html`<p class="quiet">${account.server.software.join(', ')}</p>`;
  return section(context, account, 'server', [figures, software]);
}
