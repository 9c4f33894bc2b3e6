import { describe, expect, it } from 'vitest';
import { derive } from '../../src/rules/derive.ts';
import { alertThresholds } from '../../src/rules/thresholds.ts';
import { analyzeQuery } from '../fixtures/promql.ts';
import { readText, readYaml } from '../fixtures/repository.ts';
import { alertNames, rules, severitiesOf, testFiles } from './rule-file.ts';

const alerts = rules.filter(({ alert }) => alert !== undefined);
const records = rules.filter(({ record }) => record !== undefined);

const thresholdRecord = 'account:hosting_alert_threshold:max';

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

describe('alerts/hosting.rules.yml', () => {
  it('stays short enough to be read', () => {
    const lengths = alerts.map(({ expr }) => expr.length);

    expect(readText('alerts/hosting.rules.yml').split('\n').length).toBeLessThanOrEqual(1080);
    expect(records.length).toBeLessThanOrEqual(66);
    expect(median(lengths)).toBeLessThanOrEqual(200);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(300);
    expect(Math.max(...records.map(({ expr }) => expr.length))).toBeLessThanOrEqual(400);
  });

  it('selects every metric of the exporter by its job, and writes the selector in one way', () => {
    for (const { expr } of rules) {
      for (const { metric, text } of analyzeQuery(expr).selectors) {
        const isRaw = !metric.includes(':') && metric !== 'ALERTS';
        expect(text.includes('job="hosting"'), text).toBe(isRaw);
      }
    }
  });

  it('reads records that are 15 minutes apart only over a range, also in the texts of alerts', () => {
    const [others = '', slow = ''] = readText('alerts/hosting.rules.yml').split('  - name: hosting-history\n');
    const names = [...slow.matchAll(/- record: (\S+)/g)].map(([, name = '']) => name);

    expect(names).toContain('account_collector:hosting_poll_fresh_timestamp_seconds:max');
    for (const name of names) {
      const reads = `${others}${readText('alerts/texts.ru.yml')}`.matchAll(
        RegExp(`(?<!\\w)${name}(?!\\w)(?:\\{[^}]*\\})?(.)`, 'g'),
      );
      for (const [read, next] of reads) expect(next, read).toBe('[');
    }
  });

  it('reads a threshold for each alert and severity that the configuration has, and no other', () => {
    const read = alerts.flatMap(({ expr }) =>
      [...expr.matchAll(/hosting_alert_threshold:\w+\{alert="(\w+)",severity="(\w+)"\}/g)].map(
        ([, alert, severity]) => `${alert} ${severity}`,
      ),
    );
    const urgent = records.flatMap(({ expr }) =>
      [...expr.matchAll(/alert="(\w+)",severity="(critical)"/g)].map(([, alert, severity]) => `${alert} ${severity}`),
    );
    const configured = alertThresholds.flatMap(({ alert, levels }) =>
      Object.keys(levels).map((severity) => `${alert} ${severity}`),
    );

    expect([...new Set([...read, ...urgent])].toSorted()).toEqual(configured.toSorted());
  });

  it('compares with the stricter threshold of two exporters', () => {
    const below = new Set<string>(
      alertThresholds.filter(({ direction }) => direction === 'below').map(({ alert }) => alert),
    );
    for (const { expr } of rules) {
      for (const [, operation, alert = ''] of expr.matchAll(/hosting_alert_threshold:(min|max)\{alert="(\w+)"/g)) {
        expect(operation, alert).toBe(below.has(alert) ? 'max' : 'min');
      }
    }
    const [, written = ''] =
      /alert=~"(.+?)"/.exec(rules.find(({ record }) => record === thresholdRecord)?.expr ?? '') ?? [];
    for (const { alert } of alertThresholds) {
      expect(new RegExp(`^(?:${written})$`).test(alert), `whether ${thresholdRecord} selects ${alert}`).toBe(
        below.has(alert),
      );
    }
  });
});

describe('alerts/texts.ru.yml', () => {
  const texts =
    readYaml<Readonly<Record<string, { readonly description: string | Readonly<Record<string, string>> }>>>(
      'alerts/texts.ru.yml',
    );

  it('has the alerts and severities of the rules', () => {
    expect(Object.keys(texts).toSorted()).toEqual(alertNames.toSorted());
    for (const [alert, { description }] of Object.entries(texts)) {
      if (typeof description !== 'string')
        expect(Object.keys(description).toSorted(), alert).toEqual(severitiesOf(alert).toSorted());
    }
  });

  it('says only in the critical text that accounts are not monitored', () => {
    const { critical = '', warning = '' } = Object(texts['HostingExporterDown']?.description);
    expect([critical, warning].map((text) => text.includes('без мониторинга'))).toEqual([true, false]);
  });

  it('names the labels that the English texts name', () => {
    const labelsOf = (text: string) => [...new Set(text.match(/\$labels\.\w+/g))].toSorted();
    for (const { alert = '', labels, annotations } of alerts) {
      const { description } = texts[alert] ?? {};
      const russian = typeof description === 'string' ? description : description?.[labels?.['severity'] ?? ''];
      expect(labelsOf(russian ?? ''), alert).toEqual(labelsOf(annotations?.['description'] ?? ''));
    }
  });
});

interface Suite {
  readonly tests: readonly {
    readonly alert_rule_test?: readonly {
      readonly alertname: string;
      readonly exp_alerts?: readonly {
        readonly exp_labels: { readonly severity: string };
        readonly exp_annotations?: object;
      }[];
    }[];
  }[];
}
const suites = testFiles.flatMap((path) => readYaml<Suite>(path).tests);

it('alerts/tests have a scenario with the text of each alert and severity', () => {
  const fired = suites.flatMap(({ alert_rule_test: checks = [] }) =>
    checks.flatMap(({ alertname, exp_alerts: expected = [] }) =>
      expected
        .filter((alert) => alert.exp_annotations !== undefined)
        .map((alert) => `${alertname} ${alert.exp_labels.severity}`),
    ),
  );

  expect([...new Set(fired)].toSorted()).toEqual(
    alerts.map(({ alert, labels }) => `${alert} ${labels?.['severity']}`).toSorted(),
  );
});

describe('the derived files', () => {
  const derived = derive();

  it.each([...derived])('alerts/%s is up to date', (path, content) => {
    expect(readText(`alerts/${path}`)).toBe(content);
  });

  it('apply every change', () => {
    const changed = derive({
      selector: 'job="web"',
      labels: { team: 'hosting' },
      severities: { critical: 'page' },
      runbooks: 'https://wiki.example.com/',
      dashboards: 'https://grafana.example.com',
      off: ['HostingSiteLoadUnusual', 'HostingDiskAlmostFull:warning'],
    });
    const text = changed.get('hosting.rules.yml') ?? '';

    expect(text).not.toContain('job="hosting"');
    expect(text.match(/team: hosting/g)).toHaveLength(alerts.length - 2);
    expect(text).toContain('severity: page');
    expect(text).toContain('alertname="HostingDiskAlmostFull",alertstate="firing",severity="page"');
    expect(text).toContain('{alert="HostingDiskAlmostFull",severity="critical"}');
    expect(text).toContain('runbook_url: https://wiki.example.com/HostingExporterDown.md');
    expect(text).toContain('dashboard_url: https://grafana.example.com/d/hosting-exporter');
    expect(text).not.toContain('alert: HostingSiteLoadUnusual');
    expect(changed.get('alertmanager.example.yml')).toContain('severity = "page"');
    expect(changed.get('templates/hosting.tmpl')).toContain('.Labels.severity "page"');
  });

  it('contain no query in the descriptions for Grafana', () => {
    expect(derived.get('grafana-alerts.yml')).not.toMatch(/\| query|range query|\$value\b/);
  });
});
