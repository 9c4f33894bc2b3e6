import { expect, it } from 'vitest';
import { ruleGroups } from '../../src/rules/bundle.ts';
import { testSuites } from '../../src/rules/promtool-tests.ts';
import type { RuleGroup } from '../../src/rules/rule.ts';
import { type Scenario, ScenarioBuilder } from '../../src/rules/scenarios/scenario.ts';
import { type Settings, settingsSchema } from '../../src/rules/settings.ts';
import { type AlertName, overridableAlerts, type Severity, severities } from '../../src/rules/thresholds.ts';
import { failuresOf } from '../integration/rules/failures.ts';
import { rulesOf } from '../integration/rules/groups.ts';

const settings = settingsSchema.parse({});
const builder = new ScenarioBuilder(settings);
const scenarios = testSuites(settings).flatMap((suite) => suite.scenarios);

/** A severity of an alert whose threshold accounts can override. */
interface Overridable {
  readonly alert: AlertName;
  readonly severity: Severity;
  readonly direction: 'above' | 'below';
  /** The default threshold. */
  readonly threshold: number;
  /** A threshold that no account reaches. */
  readonly unreached: number;
  readonly off: number;
  /** The shortest scenario without overrides in which the alert fires. */
  readonly scenario: Scenario;
}

const overridable: readonly Overridable[] = overridableAlerts.flatMap(({ alert, direction, defaults }) =>
  severities.flatMap((severity) => {
    const threshold = defaults[severity];
    if (threshold === undefined) return [];
    const sign = direction === 'above' ? 1 : -1;
    const thresholds = { threshold, unreached: sign * 1e6, off: sign * Number.POSITIVE_INFINITY };
    return [{ alert, severity, direction, ...thresholds, scenario: scenarioWith(alert, severity) }];
  }),
);

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

/** The scenario with twins of each account for which the alert fires. Each twin overrides the threshold. Only some of the accounts fire. */
function withTwins(
  { scenario, alert, severity }: Overridable,
  { overrides, firing }: { readonly overrides: Readonly<Record<string, number>>; readonly firing: string },
): Scenario {
  const originals = scenario.expected.filter((one) => one.alert === alert);
  const accounts = [...new Set(originals.map(({ labels }) => labels['account'] ?? ''))];
  const twins = Object.entries(overrides).flatMap(([suffix, threshold]) =>
    accounts.flatMap((account) => [
      ...Object.entries(scenario.series)
        .filter(([series]) => series.includes(`account="${account}"`))
        .map(
          ([series, values]) =>
            [series.replace(`account="${account}"`, `account="${account}${suffix}"`), values] as const,
        ),
      ...Object.entries(builder.override(`${account}${suffix}`, alert, severity, threshold)),
    ]),
  );
  const series = { ...scenario.series, ...Object.fromEntries(twins) };
  const only = (one: Scenario['expected'][number]) =>
    builder.firings({ ...scenario, expected: [one] }).some((firing) => firing.severity === severity) ? [severity] : [];
  const expected = originals.map((one) => ({
    ...one,
    labels: { ...one.labels, account: `${one.labels['account']}${firing}` },
    severities: only(one),
  }));
  const [changed] = builder.suite('', [{ ...scenario, series, expected }]).scenarios;
  if (changed === undefined) throw new Error('the suite is empty');
  return changed;
}

/** The rules of one severity of an alert. */
function rulesWith(ofSettings: Settings, alert: AlertName, severity: Severity): readonly RuleGroup[] {
  return rulesOf(alert, ruleGroups(ofSettings)).map((group) => ({
    ...group,
    rules: group.rules.filter((rule) => !('alert' in rule) || rule.severity === severity),
  }));
}

/** promtool's output if an account still fires that turned the alert off or does not reach its own threshold. */
async function failuresWithoutReached(one: Overridable): Promise<string> {
  const overrides = { '-off': one.off, '-own': one.unreached };
  const scenario = withTwins(one, { overrides, firing: '' });
  return failuresOf([scenario], rulesWith(settings, one.alert, one.severity), settings);
}

/** promtool's output if, with a threshold in the settings that no account reaches, not exactly the accounts with a lower one fire. */
async function failuresWithReached(one: Overridable): Promise<string> {
  const { alert, severity, direction, threshold, unreached } = one;
  const others = severities.filter((other) => other !== severity).map((other) => [other, 'off']);
  const levels = { ...Object.fromEntries(others), [severity]: { [direction]: unreached } };
  const unreachable = settingsSchema.parse({ alerts: { [alert]: levels } });
  const scenario = withTwins(one, { overrides: { '-own': threshold }, firing: '-own' });
  return failuresOf([scenario], rulesWith(unreachable, alert, severity), unreachable);
}

it.each(overridable)(
  'accounts override $alert with severity $severity: off, and a threshold that they do not reach',
  async (one) => {
    expect(await failuresWithoutReached(one)).toBe('');
  },
);

it.each(overridable)(
  'accounts override $alert with severity $severity: only they reach their threshold',
  async (one) => {
    expect(await failuresWithReached(one)).toBe('');
  },
);
