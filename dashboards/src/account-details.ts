import { english } from '../../src/pages/english.ts';
import type { Section } from './dashboard.ts';
import { ageInIntervals, cronTasks, mailboxes } from './figures.ts';
import { graph, table, text } from './panel.ts';
import { age, merged, named, series } from './query.ts';
import { phpBranch, phpSupportColumn, phpSupportDays, security } from './security.ts';
import { judged, severity, stateTexts } from './state.ts';
import { colours, lineColours, valueTexts } from './theme.ts';

const half = { width: 12, height: 6 } as const;
const off = { text: 'off', color: colours.warning };

/** Series of several metrics. A part of their names, such as `sites`, becomes the label `thing`. */
function byThing(pattern: string, ...things: readonly string[]): string {
  const names = things.map((thing) => `hosting_${pattern.replace('(.+)', thing)}`).join('|');
  return `max by (account, thing) (label_replace(${series('', `__name__=~"${names}"`)}, "thing", "$1", "__name__", "hosting_${pattern}"))`;
}

function thing(name: string, figure: string): string {
  return `max by (account, thing) (${named('thing', { [name]: figure })})`;
}

const limits = byThing('account_(.+)_limit', 'sites', 'domains', 'databases', 'mailboxes', 'ftp_accounts');
const used = [
  byThing('account_(.+)_used', 'sites', 'domains', 'mailboxes', 'ftp_accounts'),
  // Also counts items that the configuration excludes, because the plan counts them. While polls fail, this record keeps the last number.
  `max by (account, thing) (label_replace(${series('account_kind:hosting_inventory_listed:count')}, "thing", "$1", "kind", "(.+)"))`,
  byThing('(.+)', 'sites', 'domains', 'databases', 'ftp_accounts'),
  thing('mailboxes', mailboxes),
].join(' or ');

const things = {
  sites: 'Sites',
  domains: 'Domains',
  databases: 'Databases',
  mailboxes: 'Mailboxes',
  ftp_accounts: 'FTP accounts',
  cron_tasks: 'Cron tasks',
  subdomains: 'Subdomains',
};

function linked(of: string): string {
  return `max by (domain, site, php_version, ssl_status) (${of})`;
}

const siteDomains = linked(
  `${merged('hosting_site_domain_info')} * on (job, account, site_id) group_left (site) ${merged('hosting_site_info')}`,
);

/** What the account contains, and the limits of its plan. */
export const inventory: Section = {
  row: { id: 25, title: 'Inventory', collapsed: true },
  panels: [
    table({
      id: 26,
      width: 12,
      height: 8,
      title: 'Plan limits',
      description:
        'Number of sites, domains, databases, mailboxes and FTP accounts, and how many the plan allows. Cron tasks have no limit; only enabled ones count. Output: whether an address receives the output of cron tasks.',
      noValue: 'No inventory data.',
      queries: [
        { expr: `${used} or ${thing('cron_tasks', cronTasks)}` },
        { expr: `${limits} > 0` },
        { expr: `(${used}) / (${limits} > 0)` },
        { expr: thing('cron_tasks', merged('hosting_cron_email_set')) },
      ],
      columns: [
        { of: 'thing', title: 'Item', mappings: [valueTexts(things)] },
        { of: 'A', title: 'Used', unit: 'count', width: 80 },
        { of: 'B', title: 'Limit', unit: 'count', width: 80 },
        { of: 'C', title: 'Share', unit: 'ratio', cell: 'bar', width: 150 },
        {
          of: 'D',
          title: 'Output',
          mappings: [valueTexts({ 1: 'by e-mail', 0: 'to no one' })],
          width: 110,
          align: 'left',
        },
      ],
      hide: ['account'],
      sortBy: ['-Share'],
    }),
    graph({
      id: 27,
      width: 12,
      height: 8,
      title: 'Inventory over time',
      description:
        'Number of items over time. A sudden drop means that items were deleted or that the provider did not list them.',
      noValue: 'no data',
      queries: [
        {
          expr: `${byThing('(.+)', 'sites', 'domains', 'databases', 'ftp_accounts', 'subdomains')} or ${thing('mailboxes', mailboxes)} or ${thing('cron_tasks', cronTasks)}`,
          legend: '{{thing}}',
        },
      ],
      looks: Object.fromEntries(Object.entries(things).map(([name, title]) => [name, { text: title }])),
      unit: 'count',
      legend: 'right',
      calcs: ['lastNotNull'],
    }),
    table({
      ...half,
      id: 28,
      title: 'Site domains',
      description: `Site, PHP version, HTTPS and certificate status of each domain that belongs to a site. "Security fixes" is the time for which the PHP version still gets them, by a table of ${security.checked}; a version that is not in the table has none. The certificate is the free one of the provider: a domain with another certificate has HTTPS, too.`,
      noValue: 'No domain data.',
      queries: [
        { expr: siteDomains },
        { expr: phpSupportDays(phpBranch(siteDomains, 'php_version')) },
        { expr: `${siteDomains} * on (domain) group_left () max by (domain) (${merged('hosting_site_domain_https')})` },
      ],
      columns: [
        { of: 'domain', title: 'Domain' },
        { of: 'site', title: 'Site' },
        { of: 'php_version', title: 'PHP', width: 60 },
        { of: 'B', ...phpSupportColumn, width: 125 },
        { of: 'C', title: 'HTTPS', mappings: [valueTexts({ 1: 'on', 0: off })], cell: 'coloured', width: 70 },
        { of: 'ssl_status', title: 'Certificate', mappings: [valueTexts(english.certificateStatus.words)], width: 140 },
      ],
      hide: ['branch'],
      sortBy: ['Security fixes', 'Domain'],
    }),
    table({
      ...half,
      id: 29,
      title: 'Mailboxes by domain',
      description:
        'Number of mailboxes of each domain and subdomain, and how many of them forward their mail or have no spam filter. A mailbox that forwards unexpectedly is a common sign of a break-in.',
      noValue: 'No mailbox data.',
      queries: ['hosting_mailboxes', 'hosting_mailboxes_forwarding', 'hosting_mailboxes_spam_filter_disabled'].map(
        (name) => ({ expr: `max by (domain) (${merged(name)})` }),
      ),
      columns: [
        { of: 'domain', title: 'Domain' },
        { of: 'A', title: 'Mailboxes', unit: 'count', width: 110 },
        { of: 'B', title: 'Forwarding', unit: 'count', width: 130 },
        { of: 'C', title: 'No spam filter', unit: 'count', width: 155 },
      ],
      sortBy: ['-Mailboxes'],
    }),
    text({
      id: 35,
      width: 24,
      height: 6,
      title: 'About this data',
      description: 'Source and meaning of the data.',
      content: [
        '**Source**: the API of the provider, polled on a schedule: by default, disk and billing every few minutes, databases and sites a few times an hour, load and backups every hour, domains and mailboxes a few times a day. *Data age* shows how old the disk and billing data is; the table *Polls* shows the age of all data. If the provider does not answer, results expire after three poll intervals plus ten minutes; the figures that the rules record are then the last known ones of a day at most. A gap in a graph means that a value is unknown, never that it is zero.',
        '',
        "**Load** is in the provider's own, undocumented unit. Site load and database load have different units: never add the two.",
        '',
        '**Missing values**: a plan without a quota or a limit has none to show. Some providers do not report billing, certificates or backups.',
      ].join('\n'),
    }),
  ],
};

const serverGraph = { width: 8, height: 8, noValue: 'No server data.', legend: 'bottom' } as const;
const memory = `${merged('hosting_server_memory_used_bytes')} / (${merged('hosting_server_memory_bytes')} > 0)`;
const success = merged('hosting_exporter_collector_success');
const failing = `${merged('hosting_exporter_collector_failing')} and ignoring (reason) ${success} == 0`;

function ofCollector(expression: string): string {
  return `max by (collector) (${expression})`;
}

/** The server of the account, and the polls of its collectors. */
export const server: Section = {
  row: { id: 30, title: 'Server and polls', collapsed: true },
  panels: [
    graph({
      ...serverGraph,
      id: 31,
      title: 'Server load',
      description:
        'Load average of the server that hosts the account. Other customers share it: you cannot change its load, but it can explain slow sites.',
      queries: [{ expr: merged('hosting_server_load_average'), legend: '{{server}}', colour: lineColours.first }],
      unit: 'load',
    }),
    graph({
      ...serverGraph,
      id: 32,
      title: 'Server memory',
      description: 'Share of the memory in use on the server that hosts the account. Other customers share it.',
      queries: [{ expr: memory, legend: '{{server}}', colour: lineColours.first }],
      unit: 'ratio',
      max: 1,
    }),
    graph({
      ...serverGraph,
      id: 33,
      title: 'Server uptime',
      description: 'Time since the server that hosts the account was started. A drop to zero is a restart.',
      queries: [{ expr: merged('hosting_server_uptime_seconds'), legend: '{{server}}', colour: lineColours.first }],
      unit: 'duration',
    }),
    table({
      id: 38,
      width: 24,
      height: 6,
      title: 'Server software',
      description:
        'Versions of the programs on the server that hosts the account, as the provider writes them. Sites may use other versions of PHP, which the panel "Site domains" shows.',
      noValue: 'No server data.',
      queries: [{ expr: `max by (server, software, version) (${merged('hosting_server_software_info')})` }],
      columns: [
        { of: 'software', title: 'Program' },
        { of: 'version', title: 'Version' },
        { of: 'server', title: 'Server' },
      ],
      sortBy: ['Program'],
    }),
    table({
      id: 34,
      width: 24,
      height: 14,
      title: 'Polls',
      description: 'Result of the newest poll of each collector, the reason if it failed, and the age of the data.',
      noValue: 'No poll data.',
      queries: [
        { expr: ofCollector(success) },
        { expr: ofCollector(age('hosting_exporter_collector_last_success_timestamp_seconds')) },
        { expr: ofCollector(merged('hosting_exporter_collector_interval_seconds')) },
        { expr: ofCollector(ageInIntervals) },
        { expr: ofCollector(merged('hosting_exporter_collector_series_dropped')) },
        { expr: `group by (collector, reason) (${failing})` },
        {
          expr: `${severity('collector', 'HostingPollFailing')} or 0 * ${ofCollector(`${success} and on (job, account) ${judged}`)}`,
        },
      ],
      columns: [
        { of: 'collector', title: 'Collector' },
        {
          of: 'A',
          title: 'Newest poll',
          mappings: [valueTexts({ 1: 'succeeded', 0: { text: 'failed', color: colours.warningCell } })],
          cell: 'filled',
          width: 130,
        },
        { of: 'reason', title: 'Reason', width: 110 },
        { of: 'B', title: 'Data age', unit: 'duration', width: 130 },
        { of: 'C', title: 'Interval', unit: 'duration', width: 110 },
        { of: 'D', title: 'Data age in intervals', unit: 'intervals', width: 190 },
        { of: 'G', title: 'State', mappings: [stateTexts], cell: 'filled', width: 140 },
        { of: 'E', title: 'Series dropped', unit: 'count', width: 150 },
      ],
      sortBy: ['-Data age in intervals'],
    }),
  ],
};
