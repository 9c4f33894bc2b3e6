import { html, type SafeHtml } from '@remix-run/html-template';
import type { Item, MetricName } from '../collectors/collector.ts';
import { chart } from './chart.ts';
import {
  ago,
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
  timeElement,
} from './components.ts';
import { linkHere, type PageContext } from './context.ts';
import { missingFigure } from './figure-cells.ts';
import type { AccountDetail } from './view/account-detail.ts';
import { titlesOf } from './view/trends.ts';

/** The collectors that provide the figures of each section, by the ID of the section. */
const sources = {
  sites: ['site_load', 'site_load_detail', 'sites'],
  databases: ['databases', 'database_load', 'database_load_detail'],
  domains: ['domains', 'sites', 'mailboxes', 'php_versions', 'dns'],
  limits: ['account', 'databases', 'ftp_accounts', 'cron_tasks'],
  backups: ['backups'],
  server: ['account'],
} as const;

export function section(
  context: PageContext,
  account: AccountDetail,
  id: keyof typeof sources,
  content: Content,
): SafeHtml {
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

/** Maximum number of rows of a table, unless the reader wants all rows. */
const maxRows = 15;

/** Renders a table with a limited number of rows. The query parameter `all` names the tables in which the reader wants all rows. */
export function longTable<Row>(
  context: PageContext,
  id: 'sites' | 'databases' | 'domains',
  all: readonly Row[],
  columnsOf: (rows: readonly Row[]) => Columns<Row>,
): Content {
  const { texts, format, query } = context;
  if (all.length === 0) return html`<p class="quiet">${texts.none}</p>`;
  const opened = query.getAll('all');
  const isOpen = opened.includes(id);
  const rows = isOpen ? all : all.slice(0, maxRows);
  const total = format.number(all.length);
  const others = opened.filter((other) => other !== id);
  const toggle = (change: readonly string[], text: string) =>
    html`<p class="toggle"><a href="${linkHere(context, { all: change })}#${id}">${text}</a></p>`;
  return [
    table(texts[id], rows, columnsOf(rows)),
    isOpen ? toggle(others, texts.showFewer) : undefined,
    rows.length < all.length ? toggle([...others, id], texts.showAllRows(total)) : undefined,
  ];
}

export function sites(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { figures } = account;
  const load = figures.by('site_id', 'hosting_site_load_average');
  const frozen = figures.by('site_id', 'hosting_site_frozen');
  const limit = figures.value('hosting_account_load_limit') ?? 0;
  const labels = new Map([
    ...figures.labelsBy('site_id', 'hosting_site_info'),
    // The site names of this metric take precedence, because the load histories are looked up by these names.
    ...figures.labelsBy('site_id', 'hosting_site_load_average'),
  ]);
  const titles = titlesOf(new Map([...labels].map(([id, { site }]) => [id, site || id])));
  const all = [...labels].map(([id, { site = '' }]) => ({ id, item: { site_id: id, site } }));
  all.sort((a, b) => descending(load.get(a.id), load.get(b.id)));
  const shareOf = (value: number | undefined) => (value === undefined || limit <= 0 ? undefined : value / limit);
  const rows = longTable(context, 'sites', all, (shown) => {
    const { mean, hour, days, hours } = loadColumns(context, account, 'site', shown);
    return [
      column(texts.site, ({ id }) => [
        html`<bdi>${titles.get(id)}</bdi>`,
        frozen.get(id) === 1 ? html` <span class="badge">${texts.frozen}</span>` : undefined,
      ]),
      mean,
      numeric(texts.share, ({ id }) => known(context, shareOf(load.get(id)), format.percent, texts.noLimit)),
      hour,
      days,
      hours,
    ];
  });
  return section(context, account, 'sites', [html`<p class="quiet">${texts.loadNote}</p>`, rows]);
}

export function databases(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { figures } = account;
  const size = figures.by('database', 'hosting_database_size_bytes');
  const load = figures.by('database', 'hosting_database_load_average');
  const remote = figures.by('database', 'hosting_database_remote_accesses');
  const all = [...new Set([...size.keys(), ...load.keys()])].map((id) => ({ id, item: { database: id } }));
  all.sort((a, b) => descending(load.get(a.id), load.get(b.id)) || descending(size.get(a.id), size.get(b.id)));
  const rows = longTable(context, 'databases', all, (shown) => {
    const { mean, hour, days, hours, sizes } = loadColumns(context, account, 'database', shown);
    return [
      column(texts.database, ({ id }) => html`<bdi>${id}</bdi>`),
      numeric(texts.size, ({ id }) => known(context, size.get(id), format.bytes)),
      mean,
      hour,
      numeric(texts.remoteHosts, ({ id }) => known(context, remote.get(id), format.number)),
      sizes,
      days,
      hours,
    ];
  });
  return section(context, account, 'databases', rows);
}

/** Sorts the highest values first, and unknown values last. */
function descending(a: number | undefined, b: number | undefined): number {
  return (b ?? -1) - (a ?? -1);
}

type LoadRow = Readonly<{ id: string; item: Item }>;

/** The columns with the load of sites or databases. Reads the histories of `rows`. */
function loadColumns(
  context: PageContext,
  { figures, historiesOf }: AccountDetail,
  kind: 'site' | 'database',
  rows: readonly LoadRow[],
) {
  const { texts, format } = context;
  const label = kind === 'site' ? 'site_id' : 'database';
  const means = figures.by(label, `hosting_${kind}_load_average`);
  const hours = figures.by(label, `hosting_${kind}_load_hourly`);
  const starts = figures.by(label, `hosting_${kind}_load_hourly_timestamp_seconds`);
  const items = rows.map(({ item }) => item);
  const read = historiesOf(`${kind}_load_detail`, items);
  const histories = new Map(rows.map(({ id }, index) => [id, read[index]]));
  return {
    mean: numeric<LoadRow>(texts.loadMean, ({ id }) => known(context, means.get(id), format.number)),
    hour: numeric<LoadRow>(texts.loadHour, ({ id }) =>
      known(context, starts.get(id), (start) =>
        known(context, hours.get(id), (value) => timeElement(context, start * 1000, format.number(value))),
      ),
    ),
    days: column<LoadRow>(texts.loadDays30, ({ id }) => chart(context, texts.loadDays30, histories.get(id)?.days)),
    hours: column<LoadRow>(texts.loadHours24, ({ id }) => chart(context, texts.loadHours24, histories.get(id)?.hours)),
    sizes: column<LoadRow>(texts.sizeDays30, ({ id }) =>
      chart(context, texts.sizeDays30, histories.get(id)?.sizes, format.bytes),
    ),
  };
}

/** Shows how many items of each kind the account uses. If the API does not report the number for a kind, counts the listed items. */
export function planLimits(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { figures, excluded } = account;
  const tasks = figures.by('state', 'hosting_cron_tasks');
  const disabled = tasks.get('disabled') ?? 0;
  // The limits of the plan also apply to items that the configuration excludes.
  const listed = (kind: 'sites' | 'domains' | 'databases') => {
    const count = figures.value(`hosting_${kind}`);
    return count === undefined ? undefined : count + (new Map(excluded).get(kind) ?? 0);
  };
  const first = (...metrics: readonly MetricName[]) => metrics.flatMap((metric) => figures.value(metric) ?? [])[0];
  const mailboxes = first('hosting_account_mailboxes_used') ?? figures.sum('domain', 'hosting_mailboxes');
  const ftpAccounts = first('hosting_account_ftp_accounts_used', 'hosting_ftp_accounts');
  const rows = [
    ['sites', first('hosting_account_sites_used') ?? listed('sites'), first('hosting_account_sites_limit')],
    ['domains', first('hosting_account_domains_used') ?? listed('domains'), first('hosting_account_domains_limit')],
    ['databases', listed('databases'), first('hosting_account_databases_limit')],
    ['mailboxes', mailboxes, first('hosting_account_mailboxes_limit')],
    ['ftpAccounts', ftpAccounts, first('hosting_account_ftp_accounts_limit')],
    ['cronTasks', tasks.get('enabled'), undefined],
  ] as const;
  const levelOf = (used: number, limit: number) => (used >= limit ? 'warning' : 'ok');
  const content = table(texts.planLimits, rows, [
    column(texts.item, ([kind]) => texts[kind]),
    numeric(texts.used, ([kind, used]) =>
      known(context, used, (count) => [
        html`<span>${format.number(count)}</span>`,
        kind === 'cronTasks' && disabled > 0 ? detail(texts.disabledTasks(disabled)) : undefined,
        kind === 'cronTasks' && count > 0 && figures.value('hosting_cron_email_set') === 0
          ? detail(texts.noCronEmail)
          : undefined,
      ]),
    ),
    numeric(texts.limit, ([, , limit]) => known(context, limit, format.number, texts.noLimit)),
    column(texts.share, ([, used, limit]) =>
      used === undefined || limit === undefined
        ? undefined
        : [rated(levelOf(used, limit), format.percent(used / limit)), bar(used / limit, levelOf(used, limit))],
    ),
  ]);
  return section(context, account, 'limits', content);
}

export function backups(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const kinds = account.summary.backups;
  const rows = table(texts.backups, kinds, [
    column(texts.kind, ({ kind }) => texts.backupKind(kind)),
    numeric(texts.newest, ({ newest }) =>
      known(context, newest, ({ level, time }) => rated(level, ago(context, time)), texts.noBackup),
    ),
    numeric(texts.count, ({ count }) => known(context, count, format.number)),
  ]);
  const allJobs = account.figures.samples('hosting_backup_job_last_timestamp_seconds');
  const newestJobs = allJobs.toSorted((a, b) => b.value - a.value);
  const jobs = table(texts.backupJobs, newestJobs, [
    column(texts.backupJobs, ({ labels: { operation = '', kind = '' } }) => texts.backupJob(operation, kind)),
    column(texts.result, ({ labels: { status = '' } }) =>
      rated(status === 'error' ? 'warning' : 'ok', texts.jobStatus(status) || quiet(texts.unknown)),
    ),
    numeric(texts.requested, ({ value }) => ago(context, value * 1000)),
  ]);
  const content = [
    kinds.length === 0 ? html`<p class="quiet">${texts.none}</p>` : rows,
    newestJobs.length === 0 ? undefined : jobs,
  ];
  return section(context, account, 'backups', content);
}

export function server(context: PageContext, account: AccountDetail): SafeHtml {
  const { texts, format } = context;
  const { figures } = account;
  const show = (title: string, metric: MetricName, describe: (value: number) => string) => {
    const value = figures.value(metric);
    return value === undefined ? [] : [`${title}: ${describe(value)}`];
  };
  const memory = figures.value('hosting_server_memory_bytes');
  const usage = (used: number) =>
    memory === undefined ? format.bytes(used) : texts.usedOf(format.bytes(used), format.bytes(memory));
  const facts = [
    ...show(texts.loadAverage, 'hosting_server_load_average', format.number),
    ...show(texts.memory, 'hosting_server_memory_used_bytes', usage),
    ...show(texts.uptime, 'hosting_server_uptime_seconds', (seconds) => format.duration(seconds * 1000)),
  ];
  const software = figures
    .samples('hosting_server_software_info')
    .map(({ labels }) => `${labels['software']}: ${labels['version']}`);
  const name = figures.samples('hosting_account_info')[0]?.labels['server'] || quiet(texts.unknown);
  const lines = [facts.join(' · '), software.join(', ')]
    .filter(Boolean)
    .map((line) => html`<p class="quiet">${line}</p>`);
  return section(context, account, 'server', [html`<p>${name}</p>`, lines]);
}
