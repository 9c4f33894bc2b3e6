import { Document } from 'yaml';
import { annotate, generatedNote, plainGroups, printed } from './prometheus.ts';
import type { RuleGroup } from './rule.ts';
import type { Settings } from './settings.ts';

/** The rules as a PrometheusRule resource of the Prometheus operator. */
export function prometheusRuleResource(groups: readonly RuleGroup[], settings: Settings): string {
  const document = new Document({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'hosting-account-exporter',
      labels: { 'app.kubernetes.io/name': 'hosting-account-exporter' },
    },
    spec: { groups: plainGroups(groups, settings) },
  });
  document.commentBefore = `${generatedNote}\n If your Prometheus selects rules by labels (spec.ruleSelector), add these labels to metadata.labels.`;
  annotate(document, ['spec', 'groups'], groups);
  return printed(document);
}
