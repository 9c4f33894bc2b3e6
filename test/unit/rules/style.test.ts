import { describe, expect, it } from 'vitest';
import { account } from '../../../src/collectors/account.ts';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { parseDuration } from '../../../src/rules/duration.ts';
import { figures } from '../../../src/rules/figures.ts';
import { languages } from '../../../src/rules/language.ts';
import { alertLabels, links } from '../../../src/rules/prometheus.ts';
import { type AlertingRule, scopeOf } from '../../../src/rules/rule.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { prometheusTemplate } from '../../../src/rules/template.ts';
import { alertNames, overridableAlerts, severities, thresholds } from '../../../src/rules/thresholds.ts';
import { analyzeQuery } from '../../fixtures/promql.ts';
import { englishDashboards, filledIn, queriesOf as queriesOfDashboard } from '../dashboards/dashboard-reading.ts';
import { metricContract } from './metric-contract.ts';

const settings = settingsSchema.parse({});
const groups = ruleGroups(settings);
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => 'alert' in rule);
const records = rules.filter((rule) => 'record' in rule);
const recorded = new Set(records.map(({ record }) => record));
/** Labels of the metrics and of records, and `over`, which distinguishes two growth rates inside one expression. */
const knownLabels = new Set([
  ...[...metricContract.values()].flat(),
  ...records.flatMap(({ labels = {} }) => Object.keys(labels)),
  'over',
]);
const scope = scopeOf(settings);

/** Every expression of the bundle by name: rules, queries in descriptions, figures. */
const expressions = new Map([
  ...rules.map((rule) => [`${nameOf(rule)}`, rule.expr] as const),
  ...alerts.flatMap((rule) =>
    queriesOf(rule).map((query, index) => [`${nameOf(rule)} query ${index}`, query] as const),
  ),
  ...Object.entries(figures).map(([name, figure]) => [`figure ${name}`, figure.expression(scope)] as const),
]);

function nameOf(rule: (typeof rules)[number]): string {
  return 'alert' in rule ? `${rule.alert} ${rule.severity}` : `${rule.record} ${JSON.stringify(rule.labels ?? {})}`;
}

function queriesOf(rule: AlertingRule): readonly string[] {
  return [...prometheusTemplate(rule.description, scope, 'en').matchAll(/`([^`]+)`/g)].map(([, query = '']) =>
    query.replaceAll('%q', '"x"'),
  );
}

describe('the texts of the alerts', () => {
  it.each(alerts)('$alert with severity $severity has a conventional name, summary and description', (rule) => {
    const description = prometheusTemplate(rule.description, scope, 'en');

    expect(rule.alert).toMatch(/^Hosting([A-Z]+[a-z0-9]+)+$/);
    expect(rule.alert.length).toBeLessThanOrEqual(40);
    expect(severities).toContain(rule.severity);
    expect(rule.summary).toMatch(/^[A-Z][^{}]+\.$/);
    expect(description).toMatch(/\{\{ \$labels\.\w+ \}\}/);
    expect(description).toMatch(/^[A-Z].+[.]$/);
    expect(description).not.toContain('..');
  });

  it('are the same summary for all severities of an alert', () => {
    for (const alert of alertNames) {
      expect(new Set(alerts.filter((rule) => rule.alert === alert).map(({ summary }) => summary)).size).toBe(1);
    }
  });

  it.each(alerts)('$alert with severity $severity has no value in a label', (rule) => {
    expect(JSON.stringify(alertLabels(rule, settings))).not.toContain('{{');
  });

  it.each(alerts)('$alert with severity $severity links to its runbook and to a dashboard', (rule) => {
    const { runbook_url, dashboard_url } = links(rule, settings);

    expect(runbook_url).toBe(
      `https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks/${rule.alert}.md`,
    );
    expect(dashboard_url).toMatch(/^\/d\/hosting-(fleet|account|workload|exporter)(\?var-account=\{\{.+\}\})?$/);
  });

  it('link to runbooks and dashboards in their language, and to an own base URL as it is', () => {
    const russian = settingsSchema.parse({ language: 'ru' });
    const own = settingsSchema.parse({ language: 'ru', runbook_base_url: 'https://wiki.example/alerts' });
    const rule = alerts.find(({ alert }) => alert === 'HostingPollFailing');

    expect(rule && links(rule, russian)).toMatchObject({
      runbook_url: expect.stringMatching(/\/docs\/runbooks\/ru\/HostingPollFailing\.md$/),
      dashboard_url: expect.stringMatching(/^\/d\/hosting-exporter-ru\?var-account=/),
    });
    expect(rule && links(rule, own).runbook_url).toBe('https://wiki.example/alerts/HostingPollFailing.md');
  });

  it('contain every alert with every default severity', () => {
    const written = alerts.map(({ alert, severity }) => `${alert} ${severity}`).toSorted();

    expect(written).toEqual(
      alertNames
        .flatMap((alert) => Object.keys(thresholds[alert].levels).map((level) => `${alert} ${level}`))
        .toSorted(),
    );
  });
});

/** The operands left of a comparison, except names of series. */
function comparedIn(expr: string): readonly string[] {
  return expr
    .split(/\n?\b(?:and|or|unless)\b/)
    .flatMap((part) => /^[\s(]*(.+?)\s+(?:>=|<=|==|[<>])\s/s.exec(part)?.[1] ?? [])
    .filter((operand) => !/^[\w:]+$/.test(operand));
}

describe('the rules are short enough to read at night', () => {
  const lengths = rules.map(({ expr }) => expr.length).toSorted((one, other) => one - other);

  it('has a median of at most 200 characters', () => {
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(200);
  });

  it.each(alerts)('$alert with severity $severity has at most 300 characters and 8 lines', ({ expr }) => {
    expect(expr.length).toBeLessThanOrEqual(300);
    expect(expr.split('\n').length).toBeLessThanOrEqual(8);
  });

  it.each(records)('$record has at most 500 characters', ({ expr }) => {
    expect(expr.length).toBeLessThanOrEqual(500);
  });

  it.each(rules.map((rule) => ({ ...rule, name: nameOf(rule) })))('$name compares nothing twice', ({ expr }) => {
    const compared = comparedIn(expr);

    expect(new Set(compared).size).toBe(compared.length);
  });

  it.each(languages.flatMap((language) => alerts.map((rule) => ({ language, rule, alert: rule.alert }))))(
    'the description of $alert in $language has at most two queries and 300 characters',
    ({ language, rule }) => {
      const text = ruleGroups(settingsSchema.parse({ language }))
        .flatMap((group) => group.rules)
        .filter((one) => 'alert' in one)
        .find((one) => one.alert === rule.alert && one.severity === rule.severity);
      const description = prometheusTemplate(text?.description ?? [], scope, language);

      expect(description.length).toBeLessThanOrEqual(300);
      expect(description.split('query').length - 1).toBeLessThanOrEqual(2);
    },
  );
});

describe('the groups', () => {
  it('are short and have short, unique names', () => {
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    for (const group of groups) {
      expect(group.name.length).toBeLessThanOrEqual(40);
      expect(group.rules.length).toBeLessThanOrEqual(20);
    }
  });

  it('record a series before another rule reads it', () => {
    const known = new Set<string>();
    for (const group of groups) {
      for (const rule of group.rules) {
        if ('record' in rule) {
          known.add(rule.record);
        }
        for (const { metric } of analyzeQuery(rule.expr).selectors) {
          if (recorded.has(metric)) {
            expect(known, nameOf(rule)).toContain(metric);
          }
        }
      }
    }
  });

  it('or the dashboards read every recorded series', () => {
    const panels = englishDashboards().flatMap((dashboard) =>
      queriesOfDashboard(dashboard).map(({ expr }) => filledIn(expr)),
    );
    const read = new Set(
      [...rules.map(({ expr }) => expr), ...panels].flatMap((expr) =>
        analyzeQuery(expr).selectors.map(({ metric }) => metric),
      ),
    );

    expect([...recorded].filter((name) => !read.has(name))).toEqual([]);
  });

  it('name recorded series as level:metric:operation', () => {
    for (const name of recorded) {
      expect(name).toMatch(/^(account(_[a-z]+)?|alert|instance|job):hosting_[a-z_]+:[a-z0-9_]+$/);
    }
  });
});

describe.each([...expressions])('the expression of %s', (_, expr) => {
  const { selectors, grouping, divisors } = analyzeQuery(expr);

  it('uses only metrics and labels that exist', () => {
    for (const { metric, labels } of selectors) {
      if (recorded.has(metric)) {
        for (const label of labels) {
          expect(knownLabels).toContain(label);
        }
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

  it('guards every divisor against zero', () => {
    for (const divisor of divisors) {
      expect(divisor).toMatch(/^[0-9]+$|^1e9$|> 0\s*\)$|>= [1-9][0-9]*\)$|^clamp_min\(.*, [1-9][0-9]*\)$/s);
    }
  });

  it('has no rounding noise, no topk, and selects the job', () => {
    expect(expr).not.toMatch(/\d\.\d{7,}/);
    expect(expr).not.toMatch(/\b(topk|bottomk|limitk)\b/);
    for (const { metric, labels } of selectors) {
      if (!recorded.has(metric)) {
        expect(labels, metric).toContain('job');
      }
    }
  });
});

describe('the query analysis', () => {
  it('finds metrics, labels and unguarded divisors', () => {
    const expr = 'sum by (nosuch) (rate(a_total{x="y{z",job="h"}[5m] offset 1d)) / b:c:d and foo / (bar > 0) / 60';

    expect(analyzeQuery(expr)).toMatchObject({
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

describe('dependencies on other parts', () => {
  it('report stale data before it expires, three intervals and ten minutes after the last successful poll', () => {
    const { value, for: wait } = thresholds.HostingPollFailing.levels.warning;

    expect(value).toBeLessThanOrEqual(3);
    expect(parseDuration(wait)).toBeLessThan(600);
  });

  it('report the cause before the effect: unreachable and rejected before stale', () => {
    const interval = parseDuration(account.schedule);
    const waits = [
      parseDuration(thresholds.HostingProviderUnreachable.levels.critical.for),
      parseDuration(thresholds.HostingCredentialsRejected.levels.warning.for),
    ];

    // The last successful poll is up to one interval older than the cause; the poll that detects it, one interval younger.
    const effect = 2 * interval + parseDuration(thresholds.HostingPollFailing.levels.warning.for);
    const cause = interval + Math.max(...waits);

    // A timeout, a scrape and an evaluation, of 30 s each.
    expect(cause + 90).toBeLessThanOrEqual(effect);
  });

  it('allow overrides for exactly the alerts whose thresholds are recorded for each account', () => {
    const joined = new Set(
      records
        .filter(({ record }) => record === 'account:hosting_alert_threshold:fire')
        .map(({ labels }) => labels?.['alert']),
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
