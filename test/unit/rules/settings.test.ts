import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateBundle, ruleGroups } from '../../../src/rules/bundle.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { settingsFile } from '../../../src/rules/settings-file.ts';

function rulesOf(given: unknown): string {
  return generateBundle(settingsSchema.parse(given)).get('hosting.rules.yml') ?? '';
}

describe('the settings file', () => {
  it('parses to the same settings as an empty file', () => {
    expect(settingsSchema.parse(parse(settingsFile()))).toEqual(settingsSchema.parse({}));
  });

  it('has a comment above every key', () => {
    const lines = settingsFile().split('\n');
    const bare = lines.filter((line, index) => {
      const key = /^\s*[A-Za-z_]+:/.test(line);
      // The severities share one comment.
      return key && !/^ {2}(job|critical|warning|info):/.test(line) && !lines[index - 1]?.trim().startsWith('#');
    });

    expect(bare).toEqual([]);
  });

  it.each([
    [{ alerts: { HostingDiskFull: 'off' } }, 'HostingDiskFull'],
    [{ alerts: { HostingDiskAlmostFull: { warning: { below: 0.5 } } } }, 'below'],
    [{ alerts: { HostingDiskAlmostFull: { warning: { above: 0.99 } } } }, 'critical must be above warning'],
    [{ alerts: { HostingDiskAlmostFull: { warning: { until: 0.9 } } } }, 'until must not be above the threshold'],
    [{ alerts: { HostingAccountBlockedSoon: { warning: { until: 6 } } } }, 'until must not be below the threshold'],
    [{ language: 'fr' }, 'is not a language'],
    [{ alerts: { HostingAccountBlockedSoon: { critical: { below: 10 } } } }, 'critical must be below warning'],
    [{ alerts: { HostingDiskAlmostFull: { info: { above: 0.5 } } } }, 'specify above and for'],
    [{ alerts: { HostingDiskAlmostFull: { warning: { for: '30 minutes' } } } }, 'is not a duration'],
    [{ alerts: { HostingDiskFillingUpFast: { short: '1h' } } }, 'for must be at least as long as short'],
    [{ selector: { cluster: 'eu' } }, 'must contain job'],
    [{ selector: { job: 'a"b' } }, 'without quotes'],
    [{ labels: { 'my-team': 'x' } }, 'is not a label name'],
    [{ time_factor: 0 }, 'time_factor'],
    [{ account_labels: 'customer' }, 'write one such as [customer]'],
    [{ account_labels: ['own-label'] }, 'is not a label name'],
    [{ account_labels: ['customer', 'customer'] }, 'is in the list twice'],
    [{ account_labels: ['domain'] }, 'is a label that alerts have already'],
    [{ labels: { team: 'hosting' }, account_labels: ['team'] }, 'is a label that alerts have already'],
    [{ replica_labels: ['replica'], account_labels: ['replica'] }, 'is a label that alerts have already'],
    [{ runbooks: 'x' }, 'runbooks'],
  ])('rejects %j with the message %s', (given, message) => {
    const { error } = settingsSchema.safeParse(given);

    expect(JSON.stringify(error?.issues)).toContain(message);
  });
});

describe('the bundle', () => {
  it('uses the thresholds, durations, labels, severity names and URLs of the settings', () => {
    const rules = rulesOf({
      selector: { job: 'web-hosting', cluster: 'eu' },
      replica_labels: ['replica'],
      labels: { team: 'hosting' },
      severities: { critical: 'page' },
      runbook_base_url: 'https://wiki.example/alerts/',
      dashboard_base_url: 'https://grafana.example/',
      alerts: {
        HostingDiskAlmostFull: { critical: { above: 0.97, for: '5m' }, warning: 'off', keep_firing_for: 'off' },
      },
    });

    expect(rules).toContain('max without (replica) (last_over_time(hosting_up{job="web-hosting",cluster="eu"}[10m]))');
    expect(rules).toContain('0.97 * group without () (account:hosting_account_seen_timestamp_seconds:max)');
    expect(rules).not.toContain('alert="HostingDiskAlmostFull",severity="warning"');
    expect(rules).toContain('severity: page');
    expect(alertSeverities(rules)).toEqual(new Set(['page', 'warning', 'info']));
    expect(rules).toContain('team: hosting');
    expect(rules).toContain('runbook_url: https://wiki.example/alerts/HostingDiskAlmostFull.md');
    expect(rules).toContain('dashboard_url: https://grafana.example/d/hosting-account?var-account=');
  });

  it('reads overrides by the exported severity name, independent of the severity label', () => {
    expect(rulesOf({ severities: { critical: 'page' } })).toContain(
      'alert="HostingDiskAlmostFull",severity="critical"',
    );
  });

  it('ends an alert without an own end value at its threshold', () => {
    const { alerts } = settingsSchema.parse({ alerts: { HostingMailForwardingStarted: { info: { above: 3 } } } });

    expect(alerts['HostingMailForwardingStarted']?.levels.info).toMatchObject({ value: 3, until: 3 });
    expect(rulesOf({})).not.toContain('threshold:end{alert="HostingMailForwardingStarted"');
  });

  it('omits disabled alerts and groups without alerts', () => {
    const groups = ruleGroups(
      settingsSchema.parse({ alerts: { HostingPlanLoadHigh: 'off', HostingSiteLoadUnusual: false } }),
    );

    expect(groups.map(({ name }) => name)).not.toContain('hosting-load');
  });

  it('accepts a severity that the alert does not have by default', () => {
    expect(rulesOf({ alerts: { HostingDatabaseGrewFast: { warning: { above: 3, for: '2h' } } } })).toContain(
      'alert="HostingDatabaseGrewFast",severity="warning"',
    );
  });

  it('changes only texts and links in Russian', () => {
    const withoutTexts = (rules: string) => rules.replaceAll(/^ +(?:summary|description|\w+_url): .*$/gm, '');

    expect(withoutTexts(rulesOf({ language: 'ru' }))).toBe(withoutTexts(rulesOf({})));
  });

  it('writes the texts in Russian, with units and decimal commas', () => {
    const rules = rulesOf({ language: 'ru' });

    for (const [, text] of rules.matchAll(/^ +(?:summary|description): (.*)$/gm)) {
      expect(text).toMatch(/[а-я]{4}/);
    }
    expect(rules).toContain('} ГБ{{ end }}');
    expect(rules).toContain('reReplaceAll "[.]" ","');
    expect(rules).not.toMatch(/[а-я]d |expires|account [{]/);
  });

  it('multiplies every duration by the time factor, and then writes no tests', () => {
    const bundle = generateBundle(settingsSchema.parse({ time_factor: 1 / 60 }));
    const rules = bundle.get('hosting.rules.yml') ?? '';

    expect(rules).toContain('for: 15s');
    expect(rules).not.toMatch(/for: \d+h/);
    expect(rules).toContain('offset 24m');
    expect([...bundle.keys()].filter((path) => path.startsWith('tests/'))).toEqual([]);
  });
});

/** The severities of all alerts in a rule file. */
function alertSeverities(rules: string): ReadonlySet<unknown> {
  const { groups } = parse(rules) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert?: string; readonly labels?: Readonly<Record<string, string>> }[];
    }[];
  };
  const alerts = groups.flatMap((group) => group.rules.filter(({ alert }) => alert !== undefined));
  return new Set(alerts.map(({ labels }) => labels?.['severity']));
}
