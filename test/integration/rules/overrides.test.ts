import { expect, it } from 'vitest';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { testSuites } from '../../../src/rules/promtool-tests.ts';
import { type Scenario, ScenarioBuilder } from '../../../src/rules/scenarios/scenario.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { type AlertName, overridableAlerts, type Severity, severities } from '../../../src/rules/thresholds.ts';
import { failuresOf } from './failures.ts';
import { rulesOf } from './groups.ts';

const settings = settingsSchema.parse({});
const builder = new ScenarioBuilder(settings);
const scenarios = testSuites(settings).flatMap((suite) => suite.scenarios);
const slow = 900_000;

const cases = overridableAlerts.flatMap(({ alert, direction, defaults }) =>
  severities
    .filter((severity) => defaults[severity] !== undefined)
    .map((severity) => ({
      alert,
      severity,
      off: direction === 'above' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
    })),
);

/** The shortest scenario without overrides in which the alert fires. */
function scenarioWith(alert: AlertName, severity: Severity): Scenario {
  const [shortest] = scenarios
    .filter(({ series }) => !Object.keys(series).some((one) => one.startsWith('hosting_account_alert_threshold')))
    .filter((scenario) =>
      builder.firings(scenario).some((firing) => firing.expected.alert === alert && firing.severity === severity),
    )
    .toSorted((one, other) => one.minutes - other.minutes);
  if (shortest === undefined) throw new Error(`${alert} fires in no scenario`);
  return shortest;
}

/** The scenario with two twins of each account for which the alert fires: one turned the severity off, one has an own threshold. */
function withTwins(scenario: Scenario, alert: AlertName, severity: Severity, off: number): Scenario {
  const expected = scenario.expected.filter((one) => one.alert === alert);
  const accounts = [...new Set(expected.map(({ labels }) => labels['account'] ?? ''))];
  const thresholds = { off, own: Math.sign(off) * 1e6 };
  const twins = Object.entries(thresholds).flatMap(([suffix, threshold]) =>
    accounts.flatMap((account) => [
      ...Object.entries(scenario.series)
        .filter(([series]) => series.includes(`account="${account}"`))
        .map(
          ([series, values]) =>
            [series.replace(`account="${account}"`, `account="${account}-${suffix}"`), values] as const,
        ),
      ...Object.entries(builder.override(`${account}-${suffix}`, alert, severity, threshold)),
    ]),
  );
  const series = { ...scenario.series, ...Object.fromEntries(twins) };
  const [changed] = builder.suite('', [{ ...scenario, series, expected }]).scenarios;
  if (changed === undefined) throw new Error('the suite is empty');
  const only = (one: Scenario['expected'][number]) =>
    builder.firings({ ...scenario, expected: [one] }).some((firing) => firing.severity === severity) ? [severity] : [];
  return { ...changed, expected: expected.map((one) => ({ ...one, severities: only(one) })) };
}

it.each(cases)(
  'accounts override $alert with severity $severity: off, and a threshold that they do not reach',
  { timeout: slow },
  async ({ alert, severity, off }) => {
    const scenario = withTwins(scenarioWith(alert, severity), alert, severity, off);
    const rules = rulesOf(alert, ruleGroups(settings)).map((group) => ({
      ...group,
      rules: group.rules.filter((rule) => !('alert' in rule) || rule.severity === severity),
    }));

    expect(await failuresOf([scenario], rules, settings)).toBe('');
  },
);
