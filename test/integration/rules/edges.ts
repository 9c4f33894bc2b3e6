import { prometheusRules } from '../../../src/rules/prometheus.ts';
import type { RuleGroup } from '../../../src/rules/rule.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import type { AlertName } from '../../../src/rules/thresholds.ts';
import { rulesOf, rulesWithInput } from './groups.ts';
import { inFolder, run } from './run-tool.ts';

const settings = settingsSchema.parse({});

/** Minutes of each history. */
const minutes = 200;
const day = 86_400;

/** An alert at the exact edge of its threshold. All numbers are literal, because the rules are under test. */
export interface Edge {
  readonly alert: AlertName;
  readonly severity: string;
  /** Values for `minutes`, by series. */
  readonly series: Readonly<Record<string, string>>;
  /** The label whose value `loud` fires, and `quiet` does not. */
  readonly by?: string;
  /** The minute at which it fires, and not a minute earlier. */
  readonly fires: number;
}

function constant(value: number): string {
  return `${value}x${minutes}`;
}

/** A history that changes at a minute. */
function change(from: number, minute: number, to: number): string {
  return `${from}x${minute - 1} ${to}x${minutes - minute}`;
}

function loudAndQuiet(name: string, loud: string, quiet: string): Readonly<Record<string, string>> {
  return { [`${name},account="loud"}`]: loud, [`${name},account="quiet"}`]: quiet };
}

const target = 'job="hosting",instance="a"';

/** In minute 10, the domain has exactly `days` days left, and a minute later less. */
const domain = (days: number, renews: 0 | 1) => ({
  [`hosting_domain_expiry_timestamp_seconds{${target},account="loud",domain="a.example"}`]: constant(days * day + 600),
  [`hosting_domain_auto_renew{${target},account="loud",domain="a.example"}`]: constant(renews),
});

export const edges: readonly Edge[] = [
  // The expiry is the start of the last day.
  { alert: 'HostingDomainExpired', severity: 'critical', series: domain(-1, 0), fires: 11 + 15 },
  {
    alert: 'HostingDomainExpired',
    severity: 'warning',
    series: {
      ...domain(-1, 0),
      [`hosting_domain_under_control{${target},account="loud",domain="a.example"}`]: constant(0),
    },
    fires: 11 + 15,
  },
  { alert: 'HostingDomainExpiring', severity: 'critical', series: domain(7, 0), fires: 11 + 60 },
  { alert: 'HostingDomainExpiring', severity: 'warning', series: domain(30, 0), fires: 11 + 60 },
  { alert: 'HostingDomainRenewalOverdue', severity: 'warning', series: domain(3, 1), fires: 11 + 60 },
  // The figure counts begun days: in minute 10, six days and a part become six days.
  {
    alert: 'HostingAccountBlockedSoon',
    severity: 'warning',
    series: { [`hosting_account_block_timestamp_seconds{${target},account="loud"}`]: constant(6 * day + 600) },
    fires: 10 + 60,
  },
  {
    alert: 'HostingAccountBlockedSoon',
    severity: 'critical',
    series: { [`hosting_account_block_timestamp_seconds{${target},account="loud"}`]: constant(2 * day + 600) },
    fires: 10 + 60,
  },
  {
    alert: 'HostingBackupTooOld',
    severity: 'warning',
    series: {
      [`hosting_backup_last_timestamp_seconds{${target},account="loud",kind="files"}`]: constant(-5 * day + 600),
    },
    fires: 10 + 60,
  },
  {
    alert: 'HostingDiskAlmostFull',
    severity: 'warning',
    series: {
      ...loudAndQuiet(
        `hosting_account_disk_usage_bytes{${target}`,
        change(1e9, 10, 850e9),
        change(1e9, 10, 849_999_999_999),
      ),
      ...loudAndQuiet(`hosting_account_disk_limit_bytes{${target}`, constant(1e12), constant(1e12)),
    },
    by: 'account',
    fires: 10 + 30,
  },
  {
    alert: 'HostingDiskAlmostFull',
    severity: 'critical',
    series: {
      ...loudAndQuiet(
        `hosting_account_disk_usage_bytes{${target}`,
        change(1e6, 10, 950e6),
        change(1e6, 10, 949_999_999),
      ),
      // 5 % of this quota are less than 100 MB.
      ...loudAndQuiet(`hosting_account_disk_limit_bytes{${target}`, constant(1e9), constant(1e9)),
    },
    by: 'account',
    fires: 10 + 15,
  },
  {
    alert: 'HostingPlanLoadHigh',
    severity: 'warning',
    series: {
      ...loudAndQuiet(
        `hosting_site_load_average{${target},site_id="1",site="a"`,
        change(1, 10, 80),
        change(1, 10, 79.9),
      ),
      ...loudAndQuiet(`hosting_account_load_limit{${target}`, constant(100), constant(100)),
    },
    by: 'account',
    fires: 10 + 120,
  },
  {
    alert: 'HostingInventoryCollapsed',
    severity: 'warning',
    series: loudAndQuiet(`hosting_sites{${target}`, change(100, 30, 49), change(100, 30, 50)),
    by: 'account',
    fires: 30 + 90,
  },
  {
    alert: 'HostingExporterRestarting',
    severity: 'warning',
    series: {
      'process_start_time_seconds{job="hosting",instance="loud"}': `1x9 2 3 4x${minutes}`,
      'process_start_time_seconds{job="hosting",instance="quiet"}': `1x9 2 3x${minutes}`,
    },
    by: 'instance',
    fires: 12 + 2,
  },
  {
    alert: 'HostingProviderUnreachable',
    severity: 'critical',
    series: Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((account) => [
        `hosting_up{${target},account="${account}"}`,
        'abc'.includes(account) ? change(1, 10, 0) : constant(1),
      ]),
    ),
    fires: 10 + 10,
  },
];

const up = Object.fromEntries(
  ['a', 'loud', 'quiet'].map((instance) => [`up{job="hosting",instance="${instance}"}`, constant(1)]),
);

/** Accounts whose polls succeed. Rules know the thresholds of reported accounts only. */
const accounts = Object.fromEntries(
  ['loud', 'quiet'].map((account) => [`hosting_up{${target},account="${account}"}`, constant(1)]),
);

function inputOf({ series }: Edge): Readonly<Record<string, string>> {
  return { ...up, ...(Object.keys(series).some((name) => name.startsWith('hosting_up')) ? {} : accounts), ...series };
}

function testFile(edge: Edge, groups: readonly string[]): string {
  const { alert, severity, series, by = 'account', fires } = edge;
  const expr = `count by (${by}) (ALERTS{alertname="${alert}",alertstate="firing",severity="${severity}"})`;
  const label = /[{,]account="loud"|instance="loud"/.test(Object.keys(series).join()) ? `{${by}="loud"}` : '{}';
  return JSON.stringify({
    rule_files: ['hosting.rules.yml'],
    evaluation_interval: '1m',
    group_eval_order: groups,
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(inputOf(edge)).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          { expr, eval_time: `${fires - 1}m`, exp_samples: [] },
          { expr, eval_time: `${fires}m`, exp_samples: [{ labels: label, value: 1 }] },
        ],
      },
    ],
  });
}

/** The output of promtool if an edge fails with these rules. It tests only those rules that the alert needs and that can have a result. */
export function failureAt(edge: Edge, groups: readonly RuleGroup[]): Promise<string> {
  const rules = rulesOf(edge.alert, rulesWithInput(Object.keys(inputOf(edge)), groups));
  return failureOf(
    edge,
    prometheusRules(rules, settings),
    rules.map(({ name }) => name),
  );
}

/** The output of promtool if an edge fails with the rules of this file. */
export async function failureOf(edge: Edge, ruleFile: string, groups: readonly string[]): Promise<string> {
  const files = [
    ['hosting.rules.yml', ruleFile],
    ['edges.yml', testFile(edge, groups)],
  ] as const;
  const { code, output } = await inFolder(files, (folder) => run('promtool', 'test', 'rules', `${folder}/edges.yml`));
  return code === 0 ? '' : output;
}
