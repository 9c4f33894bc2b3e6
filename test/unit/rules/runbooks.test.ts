import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import {
  alertNames,
  overridableAlerts,
  type Severity,
  severities,
  type Thresholds,
  thresholds,
} from '../../../src/rules/thresholds.ts';
import { codeBlocks } from '../../fixtures/markdown.ts';
import { analyzeQuery } from '../../fixtures/promql.ts';
import { examples } from '../../fixtures/runbook-examples.ts';
import { metricContract } from './metric-contract.ts';
import { alertsPage, runbook } from './pages.ts';

const headings = ['Meaning', 'Impact', 'Diagnosis', 'Mitigation', 'When it is safe to ignore', 'How to silence'];
const rules = ruleGroups(settingsSchema.parse({})).flatMap((group) => group.rules);
const records = new Set(rules.filter((rule) => 'record' in rule).map(({ record }) => record));
const alertingRules = rules.filter((rule) => 'alert' in rule);
const knownLabels = new Set([...metricContract.values()].flat());

describe('docs/runbooks', () => {
  it('contains exactly one page per alert', () => {
    const pages = readdirSync(new URL('../../../docs/runbooks/', import.meta.url));

    expect(pages.toSorted()).toEqual(alertNames.map((alert) => `${alert}.md`).toSorted());
  });
});

describe.each(alertNames)('the runbook of %s', (alert) => {
  const text = runbook(alert);

  it('has its title, and all sections in order with content', () => {
    const sections = text.split(/^## /m);

    expect(text.startsWith(`# ${alert}\n`)).toBe(true);
    expect(sections.slice(1).map((section) => section.split('\n')[0])).toEqual(headings);
    for (const section of sections.slice(1)) {
      expect(section.split('\n').slice(1).join('').trim().length).toBeGreaterThan(60);
    }
  });

  it('names its severities, and contains no placeholder', () => {
    const named = severities.filter((severity) =>
      new RegExp(`\\*\\*${severity}\\*\\*`).test(text.split('## ')[0] ?? ''),
    );
    const own: Thresholds = thresholds[alert];

    expect(named).toEqual(severities.filter((severity: Severity) => own.levels[severity] !== undefined));
    expect(text).not.toMatch(/TODO|FIXME|TBD|XXX|lorem/i);
  });

  it('begins with the first step, the panel to open, and how to see that the fault is fixed', () => {
    const [, board, panel] = /^- \*\*Dashboard\*\*: (.+), panel "(.+)"\.$/m.exec(text) ?? [];
    const linked = alertingRules.filter((rule) => rule.alert === alert).map(({ dashboard }) => dashboard);

    expect(text).toMatch(/^- \*\*First step\*\*: .{20,}$/m);
    expect(text).toMatch(/^- \*\*Solved when\*\*: .{20,}$/m);
    for (const uid of linked) {
      const dashboard = readDashboard(uid);
      expect(board).toBe(dashboard.title);
      expect(panelTitles(dashboard)).toContain(panel);
    }
  });

  it('says once which names to replace', () => {
    const mentions = text.split('replace `shop` with the account of the alert').length - 1;

    expect(mentions).toBe(codeBlocks(text, 'promql').some((query) => query.includes('"shop"')) ? 1 : 0);
  });

  it('shows a result below each query, in units that people read', () => {
    const shown = examples(text);

    expect(shown.length).toBeGreaterThanOrEqual(1);
    for (const { rows } of shown) {
      for (const { value } of rows) {
        expect(value.replace('-', '').length, value).toBeLessThanOrEqual(5);
      }
    }
  });

  it('queries only metrics and labels that exist, one quantity per query', () => {
    const queries = codeBlocks(text, 'promql');

    expect(queries.length).toBeGreaterThanOrEqual(1);
    for (const query of queries) {
      // `or` drops series with equal labels: two quantities of one account need two queries.
      expect(query).not.toContain(' or ');
      const { selectors, grouping } = analyzeQuery(query);
      for (const { metric, labels } of selectors) {
        const isAny = records.has(metric) || metric === '';
        const known = isAny ? ['__name__', ...knownLabels] : metricContract.get(metric);
        expect(known, metric).toBeDefined();
        for (const label of labels) {
          expect(known, metric).toContain(label);
        }
      }
      for (const label of grouping) {
        expect(['__name__', ...knownLabels]).toContain(label);
      }
    }
  });

  it('mentions the control panel of the provider, and ends with an amtool command', () => {
    expect(text).toMatch(/provider's control panel/);
    expect(codeBlocks(text, 'sh').at(-1)).toMatch(
      new RegExp(
        `^amtool silence add alertname=${alert} \\S.*\\\\\\n {2}--duration=\\d+[hd] --author="\\$USER" --comment=".+"$`,
      ),
    );
  });

  it('shows a valid override if the alert can be overridden', () => {
    const own = overridableAlerts.find((one) => one.alert === alert);
    const examples = codeBlocks(text, 'yaml').filter((yaml) => yaml.includes('alerts:'));

    expect(examples.length).toBe(own === undefined ? 0 : 1);
    for (const example of examples) {
      const value: unknown = parse(example).accounts[0].alerts[alert];
      if (value !== 'off') {
        for (const [severity, threshold] of Object.entries(value as object)) {
          expect(Object.keys(own?.defaults ?? {})).toContain(severity);
          expect(typeof threshold).toBe('number');
        }
      }
    }
  });
});

describe('docs/alerts.md', () => {
  const rows = alertsPage()
    .split('\n')
    .filter((line) => line.startsWith('| ['));

  it('has a row per alert that links to its runbook', () => {
    expect(rows.map((row) => /^\| \[(\w+)\]\(runbooks\/(\w+)\.md\) \|/.exec(row)?.slice(1))).toEqual(
      alertNames.map((alert) => [alert, alert]),
    );
  });

  it.each(alertNames)('states the defaults of %s', (alert) => {
    const row = rows.find((one) => one.startsWith(`| [${alert}]`)) ?? '';
    const { levels }: Thresholds = thresholds[alert];

    for (const [severity, level] of Object.entries(levels)) {
      expect(row).toContain(severity);
      expect(row).toContain(`for ${level.for}`);
      if (level.value !== undefined) {
        expect(row).toMatch(new RegExp(`(?<![\\d.])${String(level.value).replace('.', '\\.')}(?![\\d.])`));
      }
    }
  });

  it('links to files that exist', () => {
    for (const [, target = ''] of alertsPage().matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      expect(
        () => readFileSync(new URL(target, new URL('../../../docs/alerts.md', import.meta.url))),
        target,
      ).not.toThrow();
    }
  });
});

interface Panel {
  readonly title?: string;
  readonly panels?: readonly Panel[];
}

function readDashboard(uid: string): Panel {
  return JSON.parse(readFileSync(new URL(`../../../dashboards/${uid}.json`, import.meta.url), 'utf8')) as Panel;
}

/** The titles of all panels, also of those in collapsed rows. */
function panelTitles({ panels = [] }: Panel): readonly (string | undefined)[] {
  return panels.flatMap((panel) => [panel.title, ...panelTitles(panel)]);
}
