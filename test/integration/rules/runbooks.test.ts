import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { prometheusRules } from '../../../src/rules/prometheus.ts';
import { day } from '../../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { type AlertName, alertNames } from '../../../src/rules/thresholds.ts';
import { type Example, type ExampleRow, examples } from '../../fixtures/runbook-examples.ts';
import { runbook } from '../../unit/rules/pages.ts';
import { alertsWithInput, rulesOf, withoutTexts } from './groups.ts';
import { inFolder, run } from './run-tool.ts';
import { histories } from './runbook-histories.ts';
import { compress, expand } from './series-notation.ts';

const settings = settingsSchema.parse({});

describe('the queries of the runbook', () => {
  it.concurrent.each(alertNames)('of %s return the rows it shows, if exactly its fault is present', async (alert) => {
    const { output, code } = await inFolder(filesOf(alert), (folder) =>
      run('promtool', 'test', 'rules', `${folder}/test.yml`),
    );

    expect(code, output).toBe(0);
  });
});

describe('the queries about accounts', () => {
  it.concurrent.each(alertNames.filter((alert) => accountQueries(alert).length > 0))(
    'of %s count an HA pair once',
    async (alert) => {
      const { interval, input_series } = samplesOf(alert);
      const pair = input_series.flatMap(({ series, values }) => [
        { series, values },
        { series: series.replace('exporter:10380', 'replica:10380'), values },
      ]);
      const expectations = promises(accountQueries(alert), histories[alert].minutes);
      const test = { tests: [{ interval, input_series: pair, promql_expr_test: expectations }] };

      const { output, code } = await inFolder([['test.yml', stringify(test, { lineWidth: 0 })]], (folder) =>
        run('promtool', 'test', 'rules', `${folder}/test.yml`),
      );

      expect(code, output).toBe(0);
    },
  );
});

/** Queries that must not count exporters. Calls of both exporters add up, and recorded series need the rules. */
function accountQueries(alert: AlertName): readonly Example[] {
  // This alert is about a second exporter that is not one of a pair.
  if (alert === 'HostingApiLimitHit') return [];
  return examples(runbook(alert)).filter(({ query }) => !/instance|increase|rate\(|\w:\w/.test(query));
}

/** A promtool test with the history of the alert. */
function filesOf(alert: AlertName): readonly (readonly [string, string])[] {
  const { minutes, series } = histories[alert];
  const queries = examples(runbook(alert)).map(({ query }) => query);
  const all = alertsWithInput(Object.keys(series), ruleGroups(settings), queries).map(withoutTexts);
  const groups = isLong(alert) ? rulesOf(alert, all) : all;
  const test = {
    rule_files: ['rules.yml'],
    // The minute at which the alert starts does not matter here. The recorded series need one evaluation in ten or twenty minutes.
    evaluation_interval: histories[alert].minutes > day ? '20m' : '10m',
    group_eval_order: groups.map(({ name }) => name),
    tests: [
      {
        ...samplesOf(alert),
        promql_expr_test: [
          {
            expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: `${minutes}m`,
            exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }],
          },
          ...promises(examples(runbook(alert)), minutes),
        ],
      },
    ],
  };
  return [
    ['rules.yml', prometheusRules(groups, settings)],
    ['test.yml', stringify(test, { lineWidth: 0 })],
  ];
}

function isLong(alert: AlertName): boolean {
  return histories[alert].minutes > 600;
}

/** The history of the alert, with a sample every five minutes if it is long. */
function samplesOf(alert: AlertName) {
  return {
    interval: isLong(alert) ? '5m' : '1m',
    input_series: Object.entries(histories[alert].series).map(([series, values]) => ({
      series,
      values: isLong(alert) ? everyFifth(values) : values,
    })),
  };
}

/** The expectations that the queries return the rows that the runbook shows. */
function promises(queries: readonly Example[], minutes: number): readonly unknown[] {
  return queries.map(({ query, rows }) => ({
    expr: rounded(query, rows),
    eval_time: `${minutes}m`,
    exp_samples: rows.map(({ labels, value }) => ({ labels, value: Number(value) })),
  }));
}

function everyFifth(values: string): string {
  return compress(expand(values).filter((_, minute) => minute % 5 === 0));
}

/** The query, rounded to the decimals that the runbook shows. `round` would drop the name of the metric. */
function rounded(query: string, [row]: readonly ExampleRow[]): string {
  if (row === undefined || query.includes('__name__')) return query;
  const decimals = row.value.split('.')[1]?.length ?? 0;
  return `round(${query}, ${decimals === 0 ? 1 : 1 / 10 ** decimals})`;
}
