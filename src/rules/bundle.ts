import { diskRules } from './disk.ts';
import { holdingsRules } from './holdings.ts';
import { loadRules } from './load.ts';
import { ownerRules } from './owner.ts';
import { type RuleGroup, RuleWriter } from './rule.ts';
import type { Settings } from './settings.ts';
import { collectorRules, exporterRules, providerRules } from './watching.ts';

/** All rule groups in the order of triage. Groups without a rule that is on are left out. */
export function ruleGroups(settings: Settings): readonly RuleGroup[] {
  const writer = new RuleWriter(settings);
  return [exporterRules, providerRules, collectorRules, diskRules, ownerRules, loadRules, holdingsRules]
    .map((rules) => rules(writer))
    .filter(({ rules }) => rules.some((rule) => 'alert' in rule));
}
