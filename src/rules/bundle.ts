import { accountFigures } from './account-figures.ts';
import { alertmanagerExample } from './alertmanager.ts';
import { billingRules } from './billing.ts';
import { collectorRules } from './collector-health.ts';
import { diskRules } from './disk.ts';
import { accountRules, exporterRules, providerRules } from './exporter-health.ts';
import { grafanaAlerts } from './grafana.ts';
import { historyRules } from './history.ts';
import { inventoryRules } from './inventory.ts';
import { loadRules } from './load.ts';
import { notificationTemplates } from './notification-templates.ts';
import { problemRules } from './problems.ts';
import { prometheusRules } from './prometheus.ts';
import { prometheusRuleResource } from './prometheus-operator.ts';
import { testFile, testSuites } from './promtool-tests.ts';
import { thresholdRules } from './recorded-thresholds.ts';
import { RuleBuilder, type RuleGroup } from './rule.ts';
import type { Settings } from './settings.ts';

/** All rule groups. A group reads the records of the groups above it. */
export function ruleGroups(settings: Settings, options: { readonly stateless?: boolean } = {}): readonly RuleGroup[] {
  const builder = new RuleBuilder(settings, options);
  return [
    accountRules(builder),
    ...thresholdRules(builder),
    exporterRules(builder),
    providerRules(builder),
    collectorRules(builder),
    ...accountFigures(builder),
    historyRules(builder),
    ...diskRules(builder),
    billingRules(builder),
    loadRules(builder),
    inventoryRules(builder),
    problemRules(builder),
  ].filter(({ rules }) => rules.length > 0);
}

/** One rule file per additional language. Prometheus must load only one rule file: one of these translations, or hosting.rules.yml. */
function translated(settings: Settings): readonly (readonly [string, string])[] {
  if (settings.language !== 'en') return [];
  const russian: Settings = { ...settings, language: 'ru' };
  return [['hosting.rules.ru.yml', prometheusRules(ruleGroups(russian), russian)]];
}

/** The text of every file in the bundle, by its path in the output folder. */
export function generateBundle(settings: Settings): ReadonlyMap<string, string> {
  const groups = ruleGroups(settings);
  const files = new Map([
    ['hosting.rules.yml', prometheusRules(groups, settings)],
    ...translated(settings),
    ['prometheusrule.yml', prometheusRuleResource(groups, settings)],
    ['grafana-alerts.yml', grafanaAlerts(ruleGroups(settings, { stateless: true }), settings)],
    ['alertmanager.example.yml', alertmanagerExample(settings)],
    ...notificationTemplates(settings),
  ]);
  if (settings.timeFactor === 1) {
    for (const suite of testSuites(settings)) {
      files.set(`tests/${suite.name}.yml`, testFile(suite, groups, settings));
    }
  }
  return files;
}
