import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { type Language, languages } from '../../../src/rules/language.ts';
import { plainGroups } from '../../../src/rules/prometheus.ts';
import { testFile, testSuites } from '../../../src/rules/promtool-tests.ts';
import { evaluationMinutes, ScenarioBuilder } from '../../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { prometheusTemplate, type ValueFormat, value } from '../../../src/rules/template.ts';
import { rulesWithInput } from './groups.ts';
import { realLife } from './real-life.ts';
import { inFolder, run } from './run-tool.ts';

/** The content of texts.yml. */
interface Texts {
  readonly summaries: Readonly<Record<string, { readonly dashboard: string } & Readonly<Record<Language, string>>>>;
  readonly descriptions: readonly Description[];
}

/** All alerts of one name that fire in a minute of a scenario, with their descriptions. */
interface Description {
  readonly scenario: string;
  readonly minute: number;
  readonly alert: string;
  readonly alerts: readonly ({ readonly labels: Readonly<Record<string, string>> } & Readonly<
    Record<Language, string>
  >)[];
}

const { summaries, descriptions } = parse(readFileSync(new URL('texts.yml', import.meta.url), 'utf8')) as Texts;
const described = Map.groupBy(descriptions, ({ scenario }) => scenario);
const defaults = settingsSchema.parse({});
const suites = [...testSuites(defaults), realLife(new ScenarioBuilder(defaults))];
const scenarios = suites.flatMap((suite) => suite.scenarios);

interface TestFile {
  readonly tests: readonly { readonly name: string; readonly interval: string; readonly input_series: unknown }[];
}

const tests = suites.flatMap((suite) => (parse(testFile(suite, ruleGroups(defaults), defaults)) as TestFile).tests);

/** Where the links of the alerts lead, by language. */
const places = {
  en: {
    runbooks: 'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks',
    dashboardSuffix: '',
  },
  ru: {
    runbooks: 'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks/ru',
    dashboardSuffix: '-ru',
  },
} as const;

describe.each(languages)('promtool renders the texts in %s', (language) => {
  const settings = settingsSchema.parse({ language });

  it.concurrent.each([...described])('of the alerts in: %s', { timeout: 900_000 }, async (name, ofScenario) => {
    const scenario = scenarios.find((one) => one.name === name);
    const test = tests.find((one) => one.name === name);
    if (scenario === undefined || test === undefined) throw new Error(`no scenario is named ${name}`);
    const groups = rulesWithInput(Object.keys(scenario.series), ruleGroups(settings));

    const outcome = await problems(
      { groups: plainGroups(groups, settings) },
      {
        evaluation_interval: `${evaluationMinutes(scenario)}m`,
        group_eval_order: groups.map((group) => group.name),
        tests: [
          {
            name,
            interval: test.interval,
            input_series: test.input_series,
            alert_rule_test: ofScenario.map(({ minute, alert, alerts }) => ({
              eval_time: `${minute}m`,
              alertname: alert,
              exp_alerts: alerts.map(({ labels, [language]: description }) => ({
                exp_labels: { job: 'hosting', ...labels },
                exp_annotations: annotations(alert, labels['account'], description, language),
              })),
            })),
          },
        ],
      },
    );

    expect(outcome).toBe('');
  });
});

/** Numbers, and how a description contains them. */
const numbers: readonly (readonly [ValueFormat, number, en: string, ru: string])[] = [
  ['percent', 0.9532, '95.32%', '95,32%'],
  ['percent', 1, '100%', '100%'],
  ['whole', 2.6, '3', '3'],
  ['tenths', 1.04, '1.0', '1,0'],
  ['number', 12.5, '12.50', '12,50'],
];

it('promtool writes numbers in the notation of each language', async () => {
  const scope = { matchers: '', replicaLabels: [] };
  const alerts = numbers.map(([format, number, en, ru], index) => ({
    alert: `Number${index}`,
    expr: `vector(${number})`,
    annotations: {
      en: prometheusTemplate([value(format)], scope, 'en'),
      ru: prometheusTemplate([value(format)], scope, 'ru'),
    },
    expected: { en, ru },
  }));
  const rules = alerts.map(({ expected: _, ...rule }) => rule);
  const tests = alerts.map(({ alert: alertname, expected }) => {
    return { alertname, eval_time: '0m', exp_alerts: [{ exp_annotations: expected }] };
  });

  expect(await problems({ groups: [{ name: 'numbers', rules }] }, { tests: [{ alert_rule_test: tests }] })).toBe('');
});

it('each severity of each alert has a description and a summary, and no text is left over', () => {
  const alerts = ruleGroups(settingsSchema.parse({})).flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));

  const texts = descriptions.flatMap(({ alert, alerts: ofAlert }) =>
    ofAlert.map(({ labels }) => `${alert} ${labels['severity']}`),
  );

  expect(new Set(texts)).toEqual(new Set(alerts.map(({ alert, severity }) => `${alert} ${severity}`)));
  expect(new Set(Object.keys(summaries))).toEqual(new Set(alerts.map(({ alert }) => alert)));
});

/** The output of promtool if a test fails; empty if not. */
async function problems(rules: unknown, tests: Readonly<Record<string, unknown>>): Promise<string> {
  const files = [
    ['rules.yml', stringify(rules)],
    ['tests.yml', stringify({ rule_files: ['rules.yml'], ...tests })],
  ] as const;
  const { code, output } = await inFolder(files, (folder) =>
    run('promtool', 'test', 'rules', join(folder, 'tests.yml')),
  );
  return code === 0 ? '' : output;
}

function annotations(alert: string, account: string | undefined, description: string, language: Language): unknown {
  const { runbooks, dashboardSuffix } = places[language];
  return {
    summary: summaries[alert]?.[language],
    description,
    runbook_url: `${runbooks}/${alert}.md`,
    dashboard_url: `/d/${summaries[alert]?.dashboard}${dashboardSuffix}${account === undefined ? '' : `?var-account=${account}`}`,
  };
}
