import { describe, expect, it } from 'vitest';
import { account } from '../../../src/collectors/account.ts';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { seconds } from '../../../src/rules/duration.ts';
import { defaultReplicaLabels, figures } from '../../../src/rules/figures.ts';
import { alertLabels, links } from '../../../src/rules/prometheus.ts';
import { type AlertingRule, RuleWriter } from '../../../src/rules/rule.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { prometheusTemplate } from '../../../src/rules/text.ts';
import { alertNames, overridableAlerts, severities, thresholds } from '../../../src/rules/thresholds.ts';
import { asked } from '../../fixtures/promql.ts';
import { metricContract } from './metric-contract.ts';

const settings = settingsSchema.parse({});
const writer = new RuleWriter(settings);
const groups = ruleGroups(settings);
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => 'alert' in rule);
const records = rules.filter((rule) => 'record' in rule);
const recorded = new Set(records.map(({ record }) => record));
const knownLabels = new Set([...metricContract.values()].flat());
const scope = { matchers: 'job="hosting"', replicaLabels: defaultReplicaLabels };

/** Every expression of the bundle with a name for the message: rules, descriptions' questions, figures. */
const expressions = new Map([
  ...rules.map((rule) => [`${nameOf(rule)}`, rule.expr] as const),
  ...alerts.flatMap((rule) =>
    questionsOf(rule).map((query, index) => [`${nameOf(rule)} question ${index}`, query] as const),
  ),
  ...Object.entries(figures).map(([name, figure]) => [`figure ${name}`, figure.expression(scope)] as const),
]);

function nameOf(rule: (typeof rules)[number]): string {
  return 'alert' in rule ? `${rule.alert} ${rule.severity}` : `${rule.record} ${JSON.stringify(rule.labels ?? {})}`;
}

function questionsOf(rule: AlertingRule): readonly string[] {
  return [...prometheusTemplate(rule.description, writer.scope).matchAll(/`([^`]+)`/g)].map(([, query = '']) =>
    query.replaceAll(/%\[\d\]q/g, '"x"'),
  );
}

describe('the words of the alerts', () => {
  it.each(alerts)('$alert at $severity is named, summed up and described as the field does', (rule) => {
    const description = prometheusTemplate(rule.description, writer.scope);

    expect(rule.alert).toMatch(/^Hosting([A-Z]+[a-z0-9]+)+$/);
    expect(rule.alert.length).toBeLessThanOrEqual(40);
    expect(severities).toContain(rule.severity);
    expect(rule.summary).toMatch(/^[A-Z][^{}]+\.$/);
    expect(description).toMatch(/\{\{ \$labels\.\w+ \}\}/);
    expect(description).toMatch(/^[A-Z].+[.]$/);
    expect(description).not.toContain('..');
  });

  it('gives all severities of an alert the same summary', () => {
    for (const alert of alertNames) {
      expect(new Set(alerts.filter((rule) => rule.alert === alert).map(({ summary }) => summary)).size).toBe(1);
    }
  });

  it.each(alerts)('$alert at $severity carries no value in a label', (rule) => {
    expect(JSON.stringify(alertLabels(rule, settings))).not.toContain('{{');
  });

  it.each(alerts)('$alert at $severity links to its runbook and to a dashboard', (rule) => {
    const { runbook_url, dashboard_url } = links(rule, settings);

    expect(runbook_url).toBe(
      `https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks/${rule.alert}.md`,
    );
    expect(dashboard_url).toMatch(/^\/d\/hosting-(fleet|account|workload|exporter)(\?var-account=\{\{.+\}\})?$/);
  });

  it('writes every alert with every severity that has a default', () => {
    const written = alerts.map(({ alert, severity }) => `${alert} ${severity}`).toSorted();

    expect(written).toEqual(
      alertNames
        .flatMap((alert) => Object.keys(thresholds[alert].levels).map((level) => `${alert} ${level}`))
        .toSorted(),
    );
  });
});

describe('the groups', () => {
  it('are short, and named shortly and once', () => {
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    for (const group of groups) {
      expect(group.name.length).toBeLessThanOrEqual(40);
      expect(group.rules.length).toBeLessThanOrEqual(20);
    }
  });

  it('record a series before a rule reads it, in the same group', () => {
    for (const group of groups) {
      const known = new Set<string>();
      for (const rule of group.rules) {
        if ('record' in rule) {
          known.add(rule.record);
        }
        for (const { metric } of asked(rule.expr).selectors) {
          if (recorded.has(metric)) {
            expect(known, nameOf(rule)).toContain(metric);
          }
        }
      }
    }
  });

  it('read every series that they record', () => {
    const read = new Set(rules.flatMap(({ expr }) => asked(expr).selectors.map(({ metric }) => metric)));

    expect([...recorded].filter((name) => !read.has(name))).toEqual([]);
  });

  it('name recorded series as level:metric:operation', () => {
    for (const name of recorded) {
      expect(name).toMatch(/^account(_[a-z]+)?:hosting_[a-z_]+:[a-z0-9]+$/);
    }
  });
});

describe.each([...expressions])('the expression of %s', (_, expr) => {
  const { selectors, grouping, divisors } = asked(expr);

  it('uses metrics and labels of the contract only', () => {
    for (const { metric, labels } of selectors) {
      if (recorded.has(metric)) {
        expect(labels).toEqual([]);
        continue;
      }
      expect([...metricContract.keys()]).toContain(metric);
      for (const label of labels) {
        expect(metricContract.get(metric), metric).toContain(label);
      }
    }
    for (const label of grouping) {
      expect(knownLabels).toContain(label);
    }
  });

  it('guards every divisor', () => {
    for (const divisor of divisors) {
      expect(divisor).toMatch(/^[0-9]+$|> 0\s*\)$|>= [1-9][0-9]*\)$/);
    }
  });

  it('has no noise of binary fractions, no topk, and selects the job', () => {
    expect(expr).not.toMatch(/\d\.\d{7,}/);
    expect(expr).not.toMatch(/\b(topk|bottomk|limitk)\b/);
    for (const { metric, labels } of selectors) {
      if (!recorded.has(metric)) {
        expect(labels, metric).toContain('job');
      }
    }
  });
});

describe('the checks themselves', () => {
  it('find metrics, labels and bare divisors', () => {
    const expr = 'sum by (nosuch) (rate(a_total{x="y{z",job="h"}[5m] offset 1d)) / b:c:d and foo / (bar > 0) / 60';

    expect(asked(expr)).toMatchObject({
      selectors: [
        { metric: 'a_total', labels: ['x', 'job'] },
        { metric: 'b:c:d', labels: [] },
        { metric: 'foo', labels: [] },
        { metric: 'bar', labels: [] },
      ],
      grouping: ['nosuch'],
      divisors: ['b:c:d', '(bar > 0)', '60'],
      valid: true,
    });
  });
});

describe('what rests on other parts', () => {
  it('reports stale figures before the exporter drops them, three turns and ten minutes after the last good poll', () => {
    const { value, for: wait } = thresholds.HostingPollFailing.levels.warning;

    expect(value).toBeLessThanOrEqual(3);
    expect(seconds(wait)).toBeLessThan(600);
  });

  it('names the cause before the effect: unreachable and rejected come before stale', () => {
    const turn = seconds(account.schedule);
    const waits = [
      seconds(thresholds.HostingProviderUnreachable.levels.critical.for),
      seconds(thresholds.HostingCredentialsRejected.levels.warning.for),
    ];

    // The last good poll may be a turn older than the cause; the next poll, which shows the cause, a turn younger.
    const effect = 2 * turn + seconds(thresholds.HostingPollFailing.levels.warning.for);
    const cause = turn + Math.max(...waits);

    // A timeout, a scrape and an evaluation, of 30 s each.
    expect(cause + 90).toBeLessThanOrEqual(effect);
  });

  it('lets the cause outlive the effect that it mutes', () => {
    const turn = seconds(account.schedule);
    const effect = seconds(thresholds.HostingPollFailing.keepFiringFor);

    // Most accounts may be back a turn before the last one is.
    expect(seconds(thresholds.HostingProviderUnreachable.keepFiringFor)).toBeGreaterThanOrEqual(effect + turn + 60);
    expect(seconds(thresholds.HostingCredentialsRejected.keepFiringFor)).toBeGreaterThanOrEqual(effect + 60);
  });

  it('offers to accounts exactly the alerts whose rules read their overrides', () => {
    const joined = new Set(
      alerts.filter(({ expr }) => expr.includes('hosting_account_alert_threshold')).map(({ alert }) => alert),
    );

    expect(overridableAlerts.map(({ alert }) => alert).toSorted()).toEqual([...joined].toSorted());
    for (const { alert, direction, defaults } of overridableAlerts) {
      expect(['above', 'below']).toContain(direction);
      expect(Object.keys(defaults), alert).toEqual(
        severities.filter((severity) => Object.hasOwn(thresholds[alert].levels, severity)),
      );
    }
  });
});
