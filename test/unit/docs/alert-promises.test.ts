import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alertNames, type Thresholds, thresholds } from '../../../src/rules/thresholds.ts';
import { readText } from '../../fixtures/repository.ts';

const page = readText('docs/alerts.md');

/** Durations as the page writes them, in seconds. */
const durations: Readonly<Record<string, number>> = {
  '30m': 1800,
  'half an hour': 1800,
  'ten minutes': 600,
  'an hour': 3600,
  'three hours': 3 * 3600,
  'six hours': 6 * 3600,
  'thirty hours': 30 * 3600,
  'a day': 86_400,
  'last day': 86_400,
  'two hours': 2 * 3600,
  'two days': 2 * 86_400,
  'three days': 3 * 86_400,
  'seven and a half days': 7.5 * 86_400,
  'a month': 30 * 86_400,
};

/** A duration in Prometheus' notation, in seconds. */
function seconds(duration: string): number {
  const units: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 };
  return [...duration.matchAll(/(\d+)([mhd])/g)].reduce(
    (total, [, count, unit = '']) => total + Number(count) * (units[unit] ?? Number.NaN),
    0,
  );
}

/** The part of the page that the pattern's group matches. */
function stated(pattern: RegExp): string {
  const found = pattern.exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/alerts.md has no ${pattern}`);
  return found;
}

function statedDuration(pattern: RegExp): number {
  const text = stated(pattern);
  const duration = durations[text];
  if (duration === undefined) throw new Error(`add the duration ${text} to this test`);
  return duration;
}

function rowOf(alert: string): string {
  return page.split('\n').find((line) => line.startsWith(`| [${alert}]`)) ?? '';
}

/** Where the row of an alert states a parameter, as a duration or a number. */
const parameters: readonly (readonly [alert: string, parameter: string, phrase: RegExp])[] = [
  ['HostingExporterRestarting', 'window', /restarts within (an hour)/],
  ['HostingScrapedTooRarely', 'samples', /fewer than (9) scrapes in an hour/],
  ['HostingProviderUnreachable', 'accounts', /at least (two) accounts/],
  ['HostingExporterCannotPoll', 'share', /a share of ([\d.]+) or more of/],
  ['HostingExporterCannotPoll', 'accounts', /at least (two) accounts/],
  ['HostingMostLoginsRejected', 'accounts', /at least (two) accounts/],
  ['HostingAccountMissing', 'memory', /configured within the (last day)/],
  ['HostingApiLimitHit', 'window', /refused calls within the last (30m)/],
  ['HostingApiBudgetExhausted', 'window', /waiting continuously for (30m)/],
  ['HostingClocksDisagree', 'minutes', /by (10) minutes or more/],
  ['HostingAccountBlockedToday', 'days', /less than (1) day until/],
  ['HostingDiskAlmostFull', 'free', /less than (100 MB) free/],
  ['HostingDiskAlmostFull', 'days', /full within (three) days/],
  ['HostingDiskAlmostFull', 'unknown', /history, ([\d.]+) of the quota used/],
  ['HostingStateNotSaved', 'window', /saves within (two hours)/],
  ['HostingStateNotSaved', 'share', /less than ([\d.]+) of the saves/],
  ['HostingDiskFillingUp', 'floor', /([\d.]+) of the quota used/],
  ['HostingDiskFillingUpFast', 'floor', /([\d.]+) of the quota used/],
  ['HostingDiskFillingUpFast', 'long', /growth rates, of (three hours) and/],
  ['HostingDiskFillingUpFast', 'short', /and of (half an hour)/],
  ['HostingDiskFillingUpFast', 'memory', /any time in (two days)/],
  ['HostingDomainExpired', 'forget', /expired at most (a month) ago/],
  ['HostingDomainRenewalFailed', 'pending', /been pending for (three days)/],
  ['HostingBackupMissing', 'memory', /listed in (two days)/],
  ['HostingInventoryCollapsed', 'memory', /of the (last day)/],
  ['HostingMailForwardingStarted', 'memory', /the number (a day) ago/],
];

/** Parameters that only alerts/thresholds.yml explains. */
const details = [
  'HostingExporterDown memory',
  'HostingPollFailing memory',
  'HostingDiskFillingUpFast still',
  'HostingSiteLoadUnusual floor',
  'HostingSiteLoadUnusual age',
  'HostingDatabaseGrewFast memory',
  'HostingDatabaseGrewFast floor',
];

const all: Readonly<Record<string, Thresholds>> = thresholds;

/** The default of a parameter: durations in seconds. */
function defaultOf(alert: string, parameter: string): number {
  const { value, unit } = all[alert]?.parameters?.[parameter] ?? { value: Number.NaN, unit: 'count' };
  if (typeof value === 'string') return seconds(value);
  return unit === 'days' && parameter === 'forget' ? value * 86_400 : value;
}

function amountOf(phrase: string): number {
  const amounts: Readonly<Record<string, number>> = { two: 2, three: 3, '100 MB': 100e6 };
  return amounts[phrase] ?? durations[phrase] ?? Number(phrase);
}

describe('the table of alerts', () => {
  it.each(parameters)('%s states its %s', (alert, parameter, phrase) => {
    const [, text = ''] = phrase.exec(rowOf(alert)) ?? [];

    expect(amountOf(text), `${phrase} in the row of ${alert}`).toBe(defaultOf(alert, parameter));
  });

  it('states every parameter that is not a detail', () => {
    const known = alertNames.flatMap((alert) =>
      Object.keys(all[alert]?.parameters ?? {}).map((parameter) => `${alert} ${parameter}`),
    );

    const named = [...parameters.map(([alert, parameter]) => `${alert} ${parameter}`), ...details];
    expect(named.toSorted()).toEqual(known.toSorted());
  });
});

interface RuleFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert?: string;
      readonly record?: string;
      readonly expr: string;
      readonly keep_firing_for?: string;
    }[];
  }[];
}

const rules = (parse(readText('alerts/hosting.rules.yml')) as RuleFile).groups.flatMap((group) => group.rules);

function expressionOf(alert: string): string {
  const records = rules.filter(({ record }) => record !== undefined);
  const direct = rules.filter((rule) => rule.alert === alert).map(({ expr }) => expr);
  // An alert reads a ratio, whose rule reads what other rules recorded of the past.
  const used = (expressions: readonly string[]) =>
    records.filter(({ record = '' }) => expressions.some((expr) => expr.includes(record))).map(({ expr }) => expr);
  return [...direct, ...used(direct), ...used(used(direct))].join('\n');
}

describe('the drawing from the threshold to the page', () => {
  const [, drawing = ''] = /```mermaid\n([\s\S]*?)^```/m.exec(page) ?? [];
  const { levels, keepFiringFor } = thresholds.HostingDiskAlmostFull;

  it('names series that the rules record or the exporter exports', () => {
    const known = rules.flatMap(({ record = '', expr }) => [record, ...(expr.match(/\bhosting_\w+/g) ?? [])]);

    const named = drawing.match(/(?<!:)\b(?:\w+:)?hosting_\w+(?::\w+)?/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(known).toEqual(expect.arrayContaining(named));
  });

  it('states the thresholds and durations of the alert', () => {
    const { value, until, for: pending } = levels.critical;

    expect(drawing).toContain(`Default: ${value}<br>`);
    expect(drawing).toContain(`account:hosting_alert_threshold:fire (${value})`);
    expect(drawing).toContain(`account:hosting_alert_threshold:end (${until})`);
    expect(drawing).toContain(`HostingDiskAlmostFull critical<br>for ${pending}, keep_firing_for ${keepFiringFor}"`);
  });
});

describe('the text about alerts', () => {
  it('states the window through which nearly all rules read figures', () => {
    const window = statedDuration(/read every figure through a window of (.*?), so failed scrapes/);

    const windows = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/last_over_time\(hosting_\w+\{[^}]*\}\[(\w+)\]/g)].map(([, text = '']) => seconds(text)),
    );
    expect(windows.length).toBeGreaterThan(20);
    // The other windows show whether an account is still configured, or remember figures for longer.
    expect(windows.filter((one) => one === window).length).toBeGreaterThan(0.8 * windows.length);
  });

  it('states how much later a resolved notification comes at most', () => {
    const most = statedDuration(/`keep_firing_for` keeps an alert firing for at most (.*?) longer, so/);

    const given = rules.flatMap(({ keep_firing_for: text }) => (text === undefined ? [] : [seconds(text)]));
    expect(Math.max(...given)).toBe(most);
  });

  it('states how long Grafana-managed alerts remember figures', () => {
    const memory = statedDuration(/Grafana-managed alerts\*\* remember figures for (.*?) and/);

    const windows = [...readText('alerts/grafana-alerts.yml').matchAll(/\[(6h):5m\]/g)];
    expect(windows.length).toBeGreaterThan(50);
    expect(seconds(windows[0]?.[1] ?? '')).toBe(memory);
  });

  it('lists the alerts that an account can override, each with its unit', () => {
    const list = stated(/These alerts can be overridden, in the given unit: (.*)\.$/m);

    const listed = list.split('), ').flatMap((part) => {
      const [names = '', unit = ''] = part.split(' (');
      return names.split(/, | and /).map((name) => [name, unit.replace(')', '')]);
    });
    const overridable = alertNames.filter((alert) => all[alert]?.perAccount === true);
    expect(listed.toSorted()).toEqual(overridable.map((alert) => [alert, all[alert]?.unit]).toSorted());
  });

  it('states how much history alerts need that compare with the past', () => {
    const [line = ''] = /^- .* compare figures with the past\..*$/m.exec(page) ?? [];
    const needed = Object.fromEntries(
      [...line.matchAll(/(Hosting\w+) needs (?:a history of )?([a-z ]+)[,.]/g)].map(([, name, text = '']) => [
        name,
        durations[text],
      ]),
    );

    const oldest = (alert: string) =>
      [...expressionOf(alert).matchAll(/(?:\[(\w+)(?::\w+)?\] )?offset (\w+)/g)].map(
        ([, window = '', offset = '']) => [seconds(window), seconds(offset)] as const,
      );
    expect(needed).toEqual({
      HostingBackupMissing: Math.max(...oldest('HostingBackupMissing').map(([, offset]) => offset)),
      HostingDatabaseGrewFast: Math.max(...oldest('HostingDatabaseGrewFast').map(([, offset]) => offset)),
      HostingSiteLoadUnusual: Math.max(
        ...oldest('HostingSiteLoadUnusual')
          .filter(([window]) => window > 0)
          .map(([window, offset]) => window + offset),
      ),
    });
  });
});
