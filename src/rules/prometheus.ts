import { Document, isNode } from 'yaml';
import type { AlertingRule, Rule, RuleGroup, RuleWriter } from './rule.ts';
import type { Settings } from './settings.ts';
import { prometheusTemplate } from './text.ts';

/** Stands at the head of every file of the bundle. */
export const generatedNote =
  ' Written by `hosting-account-exporter rules`. Change the settings and write it anew; edits here are lost.';

/** A plain rule file for Prometheus 2.42 and later, and for whatever reads its rules. */
export function prometheusRules(groups: readonly RuleGroup[], writer: RuleWriter, settings: Settings): string {
  const document = new Document({ groups: plainGroups(groups, writer, settings) });
  document.commentBefore = generatedNote;
  annotate(document, ['groups'], groups);
  return printed(document);
}

/** The groups as Prometheus names their fields, without comments. */
export function plainGroups(groups: readonly RuleGroup[], writer: RuleWriter, settings: Settings): unknown[] {
  return groups.map(({ name, rules }) => ({ name, rules: rules.map((rule) => plainRule(rule, writer, settings)) }));
}

/** Puts each rule's comment above it; `path` leads to the groups. */
export function annotate(document: Document, path: readonly string[], groups: readonly RuleGroup[]): void {
  for (const [groupIndex, group] of groups.entries()) {
    for (const [ruleIndex, { comment }] of group.rules.entries()) {
      const node = document.getIn([...path, groupIndex, 'rules', ruleIndex], true);
      // Severities of one alert follow each other: what is said above the first holds for all.
      if (comment !== undefined && comment !== group.rules[ruleIndex - 1]?.comment && isNode(node)) {
        node.commentBefore = comment.replaceAll(/^/gm, ' ');
      }
    }
  }
}

/** YAML with expressions as blocks and no line folded. */
export function printed(document: Document): string {
  return document.toString({ lineWidth: 0, blockQuote: 'literal' });
}

function plainRule(rule: Rule, writer: RuleWriter, settings: Settings): unknown {
  if ('record' in rule) {
    const { record, expr, labels } = rule;
    return { record, expr, ...(labels && { labels }) };
  }
  return {
    alert: rule.alert,
    expr: rule.expr,
    for: rule.for,
    ...(rule.keepFiringFor !== undefined && { keep_firing_for: rule.keepFiringFor }),
    labels: alertLabels(rule, settings),
    annotations: {
      summary: rule.summary,
      description: prometheusTemplate(rule.description, writer.scope),
      ...links(rule, settings),
    },
  };
}

/** The labels that the rule itself gives its alert. */
export function alertLabels(rule: AlertingRule, settings: Settings): Readonly<Record<string, string>> {
  return { severity: settings.severityNames[rule.severity], ...settings.labels };
}

/** Where to read on; the account in the dashboard's address is filled in as a template. */
export function links(rule: AlertingRule, settings: Settings) {
  const perAccount = rule.description.some(
    (part) => typeof part === 'object' && part.kind === 'label' && part.name === 'account',
  );
  return {
    runbook_url: `${settings.runbookBaseUrl}/${rule.alert}.md`,
    dashboard_url: `${settings.dashboardBaseUrl}/d/${rule.dashboard}${perAccount ? '?var-account={{ $labels.account | urlquery }}' : ''}`,
  };
}
