import { alertmanagerExample } from './alertmanager.ts';
import { diskRules } from './disk.ts';
import { grafanaAlerts } from './grafana.ts';
import { holdingsRules } from './holdings.ts';
import { loadRules } from './load.ts';
import { prometheusRuleResource } from './operator.ts';
import { ownerRules } from './owner.ts';
import { prometheusRules } from './prometheus.ts';
import { type RuleGroup, RuleWriter } from './rule.ts';
import type { Settings } from './settings.ts';
import { testFile, themes } from './tests.ts';
import { collectorRules, exporterRules, providerRules } from './watching.ts';

/** All rule groups in the order of triage. Groups without a rule that is on are left out. */
export function ruleGroups(settings: Settings): readonly RuleGroup[] {
  const writer = new RuleWriter(settings);
  return [exporterRules, providerRules, collectorRules, diskRules, ownerRules, loadRules, holdingsRules]
    .map((rules) => rules(writer))
    .filter(({ rules }) => rules.some((rule) => 'alert' in rule));
}

/** Every file of the bundle: its path below the output folder, and its text. */
export function generateBundle(settings: Settings): ReadonlyMap<string, string> {
  const writer = new RuleWriter(settings);
  const groups = ruleGroups(settings);
  const files = new Map([
    ['hosting.rules.yml', prometheusRules(groups, writer, settings)],
    ['prometheusrule.yml', prometheusRuleResource(groups, writer, settings)],
    ['grafana-alerts.yml', grafanaAlerts(groups, settings)],
    ['alertmanager.example.yml', alertmanagerExample(settings)],
  ]);
  if (settings.timeFactor === 1) {
    for (const theme of themes(settings)) {
      files.set(`tests/${theme.name}.yml`, testFile(theme, groups, settings));
    }
  }
  return files;
}
