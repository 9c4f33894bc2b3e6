import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { type Language, languages } from '../../../src/rules/language.ts';
import { plainGroups } from '../../../src/rules/prometheus.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { alertsWithInput } from './groups.ts';

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

export const { summaries, descriptions } = parse(readFileSync(new URL('texts.yml', import.meta.url), 'utf8')) as Texts;

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

interface PlainGroup {
  readonly rules: readonly { readonly annotations?: Readonly<Record<string, string>> }[];
}

/** The rules with default settings that can have a result from these series. Each alert has the annotations of both languages. */
export function groupsWithTexts(series: readonly string[]): readonly unknown[] {
  const [en = [], ru = []] = languages.map((language) => {
    const settings = settingsSchema.parse({ language });
    return plainGroups(alertsWithInput(series, ruleGroups(settings)), settings) as readonly PlainGroup[];
  });
  return en.map((group, index) => ({
    ...group,
    rules: group.rules.map((rule, of) => {
      const { annotations } = ru[index]?.rules[of] ?? {};
      return annotations === undefined
        ? rule
        : { ...rule, annotations: { ...rule.annotations, ...named('ru', annotations) } };
    }),
  }));
}

/** promtool's tests of the texts that texts.yml has for a scenario, in both languages. */
export function textTests(scenario: string): readonly unknown[] {
  return descriptions
    .filter((description) => description.scenario === scenario)
    .map(({ minute, alert, alerts }) => ({
      eval_time: `${minute}m`,
      alertname: alert,
      exp_alerts: alerts.map(({ labels, en, ru }) => ({
        exp_labels: { job: 'hosting', ...labels },
        exp_annotations: {
          ...annotationsOf(alert, labels['account'], en, 'en'),
          ...named('ru', annotationsOf(alert, labels['account'], ru, 'ru')),
        },
      })),
    }));
}

function annotationsOf(alert: string, account: string | undefined, description: string, language: Language) {
  const { runbooks, dashboardSuffix } = places[language];
  return {
    summary: summaries[alert]?.[language] ?? '',
    description,
    runbook_url: `${runbooks}/${alert}.md`,
    dashboard_url: `/d/${summaries[alert]?.dashboard}${dashboardSuffix}${account === undefined ? '' : `?var-account=${account}`}`,
  };
}

/** The annotations under names that tell the language. */
function named(language: Language, annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotations).map(([name, text]) => [`${language}_${name}`, text]));
}
