import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { accountStates } from '../../dashboards/src/state.ts';
import { colours } from '../../dashboards/src/theme.ts';
import { alertThresholds } from '../../src/rules/thresholds.ts';
import { groups, rulesFor } from '../rules/rule-file.ts';
import { inFolder, testRules } from '../rules/run-tool.ts';
import { englishDashboards, filledIn, queriesOf } from './dashboard-reading.ts';

// Evaluates queries of panels on what the rules record, with promtool.

const step = 30;
const hour = 60 / step;
const day = 24 * hour;
const gigabyte = 1e9;
const secondsPerDay = 86_400;

interface Shown {
  readonly labels: string;
  readonly value: number;
}

/** What the query of a panel returns, `steps` steps after the start. */
interface Expectation {
  readonly uid: string;
  readonly title: string;
  readonly refId: string;
  readonly account: string;
  readonly steps: number;
  readonly shown: readonly Shown[];
}

const queries = englishDashboards().flatMap((dashboard) => queriesOf(dashboard));

function query({ uid, title, refId, account }: Expectation): string {
  const found = queries.find((one) => one.uid === uid && one.panel.title === title && one.refId === refId);
  if (found === undefined) throw new Error(`no query ${refId} of ${title}`);
  return filledIn(found.expr, account);
}

function series(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const all = { job: 'hosting', instance: 'exporter:10380', ...labels };
  return `${name}{${Object.entries(all).map(([label, value]) => `${label}="${value}"`)}}`;
}

/** Runs the rules that the panels read on the series, which have one sample every half hour, and compares what the panels show. */
async function expectPanels(
  input: Readonly<Record<string, string>>,
  expectations: readonly Expectation[],
  hasRules = true,
): Promise<void> {
  const metrics = Object.keys(input).map((one) => one.replace(/\{.*/, ''));
  const tests = {
    rule_files: ['rules.yml'],
    evaluation_interval: `${step}m`,
    group_eval_order: groups.map(({ name }) => name),
    tests: [
      {
        interval: `${step}m`,
        input_series: Object.entries(input).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: expectations.map((expectation) => ({
          expr: query(expectation),
          eval_time: `${expectation.steps * step}m`,
          exp_samples: expectation.shown,
        })),
      },
    ],
  };

  const { code, output } = await inFolder(
    [
      ['rules.yml', hasRules ? rulesFor(metrics) : '{}'],
      ['test.yml', stringify(tests, { lineWidth: 0 })],
    ],
    (folder) => testRules(`${folder}/test.yml`),
  );

  expect(code, output).toBe(0);
}

function hold(value: number, steps: number): string {
  return `${value}x${steps - 1}`;
}

/** Values from `start` on, which increase by `step` at every step. */
function ramp(start: number, step: number, steps: number): string {
  return `${start}+${step}x${steps - 1}`;
}

/** Series of an account with a quota of 100 GB and the default thresholds. */
function account(name: string, steps: number, usage: string): Readonly<Record<string, string>> {
  const defaults = alertThresholds.flatMap(({ alert, levels }) =>
    Object.entries(levels).map(([severity, { value }]) => [
      series('hosting_account_alert_threshold', { account: name, alert, severity }),
      hold(value, steps),
    ]),
  );
  return {
    ...Object.fromEntries(defaults),
    [series('hosting_up', { account: name })]: hold(1, steps),
    [series('hosting_account_disk_usage_bytes', { account: name })]: usage,
    [series('hosting_account_disk_limit_bytes', { account: name })]: hold(100 * gigabyte, steps),
  };
}

/** The configured thresholds of HostingDiskAlmostFull. */
function override(name: string, severity: string, value: number, steps: number): Readonly<Record<string, string>> {
  const labels = { account: name, alert: 'HostingDiskAlmostFull', severity };
  return { [series('hosting_account_alert_threshold', labels)]: hold(value, steps) };
}

test('a disk that grew until 30 hours ago has no time until it is full', async () => {
  const growing = 5 * day;
  const perStep = (4.8 * gigabyte) / day;
  const from = 50 * gigabyte;
  const end = growing + 30 * hour;
  const usage = `${ramp(from, perStep, growing)} ${hold(from + growing * perStep, 30 * hour + 1)}`;
  const fullIn = (steps: number, shown: readonly Shown[]): readonly Expectation[] => [
    {
      uid: 'hosting-account',
      title: 'Full in',
      refId: 'A',
      account: 'shop',
      steps,
      shown: shown.map((one) => ({ ...one, labels: '{job="hosting",account="shop",state="2"}' })),
    },
    { uid: 'hosting-fleet', title: 'Accounts', refId: 'C', account: '.+', steps, shown },
  ];

  await expectPanels({ [series('up')]: hold(1, end + 1), ...account('shop', end + 1, usage) }, [
    ...fullIn(growing, [
      {
        labels: '{account="shop"}',
        value: (secondsPerDay * (100 * gigabyte - from - growing * perStep)) / (4.8 * gigabyte),
      },
    ]),
    ...fullIn(end, []),
  ]);
});

test('the state of a disk follows the thresholds of its account', async () => {
  const steps = 2 * day;
  const used = (percent: number): string => hold(percent * gigabyte, steps + 1);
  const input = {
    [series('up')]: hold(1, steps + 1),
    ...account('early', steps + 1, used(75)),
    ...override('early', 'warning', 0.7, steps + 1),
    ...account('late', steps + 1, used(90)),
    ...override('late', 'warning', 0.95, steps + 1),
    ...override('late', 'critical', 0.99, steps + 1),
    ...account('usual', steps + 1, used(86)),
    ...account('over', steps + 1, used(101)),
  };
  const diskUsed = (name: string, state: string, value: number): Expectation => ({
    uid: 'hosting-account',
    title: 'Disk used',
    refId: 'A',
    account: name,
    steps,
    shown: [{ labels: `{job="hosting",account="${name}",state="${state}"}`, value }],
  });
  const accounts = (rank: (name: string) => number): readonly Shown[] =>
    ['early', 'late', 'over', 'usual'].map((name) => ({ labels: `{account="${name}"}`, value: rank(name) }));
  const ranks: Readonly<Record<string, string>> = { late: 'OK', over: 'critical: disk' };

  await expectPanels(input, [
    diskUsed('early', '2', 0.75),
    diskUsed('late', '0', 0.9),
    diskUsed('usual', '2', 0.86),
    diskUsed('over', '3', 1.01),
    {
      uid: 'hosting-fleet',
      title: 'Accounts',
      refId: 'A',
      account: '.+',
      steps,
      shown: accounts((name) => rankOf(ranks[name] ?? 'warning: disk')),
    },
  ]);
});

test('colours each state in the table of accounts by its severity', () => {
  const coloured = Object.values(accountStates.options).map(({ text, color }) => [text, color] as const);
  const wanted = coloured.map(([text = '', color]) => {
    if (text.startsWith('critical')) return [text, colours.critical];
    return [text, /^(?:warning|no new data|partially)/.test(text) ? colours.warningCell : color];
  });

  expect(coloured).toEqual(wanted);
  expect(coloured.length).toBeGreaterThan(5);
});

/** The number that the table of accounts shows as this text. */
function rankOf(text: string): number {
  const [rank] = Object.entries(accountStates.options).find(([, result]) => result.text === text) ?? [];
  return Number(rank);
}
