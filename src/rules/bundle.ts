import { alertmanagerExample } from './alertmanager.ts';
import { billingRules } from './billing.ts';
import { diskRules } from './disk.ts';
import { collectorRules, exporterRules, providerRules } from './exporter-health.ts';
import { grafanaAlerts } from './grafana.ts';
import { inventoryRules } from './inventory.ts';
import { loadRules } from './load.ts';
import { notificationTemplates } from './notification-templates.ts';
import { prometheusRules } from './prometheus.ts';
import { prometheusRuleResource } from './prometheus-operator.ts';
import { testFile, testSuites } from './promtool-tests.ts';
import { RuleBuilder, type RuleGroup } from './rule.ts';
import type { Settings } from './settings.ts';

/** All rule groups in the order of triage, without groups whose alerts are all off. */
export function ruleGroups(settings: Settings, options: { readonly stateless?: boolean } = {}): readonly RuleGroup[] {
  const builder = new RuleBuilder(settings, options);
  return [exporterRules, providerRules, collectorRules, diskRules, billingRules, loadRules, inventoryRules]
    .map((rules) => rules(builder))
    .filter(({ rules }) => rules.some((rule) => 'alert' in rule));
}

/** One rule file per additional language. Prometheus must load exactly one rule file: one of these files or hosting.rules.yml. */
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
