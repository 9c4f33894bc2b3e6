import { Document } from 'yaml';
import { annotate, generatedNote, plainGroups, printed } from './prometheus.ts';
import type { RuleGroup, RuleWriter } from './rule.ts';
import type { Settings } from './settings.ts';

/** The same rules as a resource of the Prometheus operator. */
export function prometheusRuleResource(groups: readonly RuleGroup[], writer: RuleWriter, settings: Settings): string {
  const document = new Document({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: {
      name: 'hosting-account-exporter',
      labels: { 'app.kubernetes.io/name': 'hosting-account-exporter' },
    },
    spec: { groups: plainGroups(groups, writer, settings) },
  });
  document.commentBefore = `${generatedNote}\n Your Prometheus may select rules by labels (spec.ruleSelector): add those to metadata.labels.`;
  annotate(document, ['spec', 'groups'], groups);
  return printed(document);
}
