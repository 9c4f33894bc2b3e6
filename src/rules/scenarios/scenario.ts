import { parseDuration } from '../duration.ts';
import type { Settings } from '../settings.ts';
import { type AlertName, type Severity, severities, type Thresholds, thresholds } from '../thresholds.ts';

/** An alert whose condition holds in a scenario. The settings determine whether and when the alert fires. */
interface ExpectedAlert {
  readonly alert: AlertName;
  /** Default: the severities whose threshold `value` reaches. Without `value`: all default severities of the alert. */
  readonly severities?: readonly Severity[];
  /** The value of the alert when it starts. */
  readonly value?: number;
  /** First minute at which the condition holds. */
  readonly since: number;
  /** First minute at which the condition no longer holds; the end of the scenario if omitted. */
  readonly until?: number;
  /**
   * Set if the alert starts or ends when a sample of a recording rule leaves the window of the alert's query. The sample leaves the window
   * one evaluation earlier in Prometheus 3, whose windows exclude a sample at their start.
   */
  readonly recordLeavesWindow?: 'start' | 'end';
  /** Labels in addition to those of the selector and the severity. */
  readonly labels: Readonly<Record<string, string>>;
}

/** A period with its input series and every alert that fires in it. Any other alert fails the test. */
export interface Scenario {
  readonly name: string;
  readonly minutes: number;
  /** True if the scenario lasts days. Scenarios that last days are evaluated less often. */
  readonly overDays?: boolean;
  /**
   * Seconds between two samples in the test file; 60 if omitted. With 30, the last sample before a change is at a half minute, so no window
   * begins at this sample. Only Prometheus 2 would include a sample at the start of a window.
   */
  readonly sampleSeconds?: 30;
  /** Series in promtool's notation, one sample per minute. */
  readonly series: Readonly<Record<string, string>>;
  readonly expected: readonly ExpectedAlert[];
  /** Alerts whose condition almost holds in the scenario. Each of them fires only as `expected` states. */
  readonly mustNotFire: readonly AlertName[];
  /** Alerts for which the scenario is valid with default settings only. */
  readonly defaultsOnly?: readonly AlertName[];
}

/**
 * Minutes between two evaluations. Scenarios that last days have fewer evaluations, because evaluations take most of promtool's time.
 * Eight minutes divide a day evenly and are shorter than all windows of the rules.
 */
export function evaluationMinutes({ overDays = false }: Pick<Scenario, 'overDays'>): 1 | 8 {
  return overDays ? 8 : 1;
}

/** The minute of the first evaluation at or after `minute`. */
function nextEvaluation(minute: number, scenario: Scenario): number {
  const interval = evaluationMinutes(scenario);
  return Math.ceil(minute / interval) * interval;
}

/**
 * A scenario as written in the source. A number is the constant value of a series. Exporter `a` answers all scrapes unless the scenario
 * defines its series `up`.
 */
export interface ScenarioDefinition extends Omit<Scenario, 'series'> {
  readonly series: Readonly<Record<string, string | number>>;
}

/** Scenarios of one promtool test file. The scenarios share an evaluation interval, so either all or none of them last days. */
export interface TestSuite {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

/** The period in which an expected alert fires with one severity. */
export interface Firing {
  readonly expected: ExpectedAlert;
  readonly severity: Severity;
  readonly from: number;
  /** First minute at which the alert no longer fires. */
  readonly until: number;
}

function isExceeded({ alert, severities: named, value }: ExpectedAlert, severity: Severity, threshold?: number) {
  const { direction, levels }: Thresholds = thresholds[alert];
  if (named !== undefined || value === undefined || threshold === undefined) {
    return (named ?? Object.keys(levels)).includes(severity);
  }
  return direction === 'below' ? value < threshold : value >= threshold;
}

/** Builds the series of a scenario from the settings, and computes when each expected alert fires. */
export class ScenarioBuilder {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** `name{job="hosting",...}` of one exporter. */
  series(name: string, labels: Readonly<Record<string, string>> = {}, instance = 'a'): string {
    const all = { ...this.#settings.selector, ...this.exporter(instance), ...labels };
    const pairs = Object.entries(all).map(([label, value]) => `${label}="${value}"`);
    return `${name}{${pairs.join(',')}}`;
  }

  /** The label that identifies an exporter. */
  exporter(instance: string): Readonly<Record<string, string>> {
    return { [this.#settings.replicaLabels[0] ?? 'instance']: instance };
  }

  /** The series of an exporter that answers all scrapes. */
  up(instance: string): Readonly<Record<string, number>> {
    return { [this.series('up', {}, instance)]: 1 };
  }

  /** A threshold from the configuration of an account; infinite if the account turned the severity off. */
  override(account: string, alert: AlertName, severity: Severity, value: string | number, instance = 'a') {
    return { [this.series('hosting_account_alert_threshold', { account, alert, severity }, instance)]: value };
  }

  /** A suite with the complete series of its scenarios. */
  suite(name: string, definitions: readonly ScenarioDefinition[]): TestSuite {
    const scenarios = definitions.map((definition) => {
      const samples = definition.minutes + 1;
      const given = { ...this.up('a'), ...definition.series };
      const series = Object.entries({ ...accountsOf(given), ...given }).map(([one, values]) => [
        one,
        typeof values === 'string' ? values : hold(values, samples),
      ]);
      return { ...definition, series: Object.fromEntries(series) };
    });
    return { name, scenarios };
  }

  /** The threshold in the settings, or `fallback` if the severity is off. */
  threshold(alert: AlertName, severity: Severity, fallback: number): number {
    return this.#settings.alerts[alert]?.levels[severity]?.value ?? fallback;
  }

  /** Minutes of `for`; 0 if the severity is off. */
  forMinutes(alert: AlertName, severity: Severity): number {
    const level = this.#settings.alerts[alert]?.levels[severity];
    return level === undefined ? 0 : parseDuration(level.for) / 60;
  }

  /** A parameter of the alert; durations in minutes. */
  parameter(alert: AlertName, name: string, fallback: number): number {
    const value = this.#settings.alerts[alert]?.parameters[name] ?? fallback;
    return typeof value === 'number' ? value : parseDuration(value) / 60;
  }

  /** The periods in which the expected alerts of a scenario fire. */
  firings(scenario: Scenario): readonly Firing[] {
    const next = (minute: number) => nextEvaluation(minute, scenario);
    const end = next(scenario.minutes + 1);
    return scenario.expected.flatMap((expected) =>
      severities.flatMap((severity) => {
        const settings = this.#settings.alerts[expected.alert];
        const level = settings?.levels[severity];
        if (settings === undefined || level === undefined || !isExceeded(expected, severity, level.value)) {
          return [];
        }
        const keep = settings.keepFiringFor === undefined ? 0 : parseDuration(settings.keepFiringFor) / 60;
        const from = next(next(expected.since) + parseDuration(level.for) / 60);
        const ends = expected.until === undefined ? end : next(expected.until);
        return from < ends ? [{ expected, severity, from, until: Math.min(end, next(ends + keep)) }] : [];
      }),
    );
  }
}

/** Returns a series `hosting_up` for each account that has none. Its value 1 means that the newest poll succeeded. */
function accountsOf(series: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  const names = Object.keys(series);
  const accountOf = (name: string) => /[{,](account="[^"]*")/.exec(name)?.[1];
  const known = new Set(names.filter((name) => name.startsWith('hosting_up{')).map(accountOf));
  return Object.fromEntries(
    names.flatMap((name) => {
      const account = accountOf(name);
      if (account === undefined || known.has(account)) return [];
      const target = /\{(.*?),account="/.exec(name)?.[1];
      return [[`hosting_up{${target},${account}}`, 1]];
    }),
  );
}

/** Joins `times` pieces. `piece` creates each piece from its index. */
export function repeat(times: number, piece: (index: number) => string): string {
  return Array.from({ length: times }, (_, index) => piece(index)).join(' ');
}

/** A constant value for the given number of minutes. */
export function hold(value: number, minutes: number): string {
  if (!Number.isFinite(value)) return infinite(minutes, value);
  return minutes === 1 ? `${value}` : `${value}x${minutes - 1}`;
}

/** One sample every five minutes, because promtool cannot repeat infinity. A sample is valid for five minutes. */
function infinite(minutes: number, value: number): string {
  const sample = value > 0 ? '+Inf' : '-Inf';
  return repeat(Math.ceil(minutes / 5), (index) => {
    const rest = Math.min(5, minutes - index * 5) - 1;
    return rest > 0 ? `${sample} _x${rest}` : sample;
  });
}

/** Values from `start` on, increasing by `step` every minute. */
export function ramp(start: number, step: number, minutes: number): string {
  return `${start}${step < 0 ? '-' : '+'}${Math.abs(step)}x${minutes - 1}`;
}

/** Minutes for which the rules read a series after its end. */
export const gap = 10;

/** Minutes for which the rules read the newest record of a slow group. */
export const slowGap = 60;

/** The staleness marker that Prometheus writes when a scrape no longer contains the series. */
export const ended = 'stale';

/** No samples for the given number of minutes, starting with a staleness marker. */
export function missing(minutes: number): string {
  return minutes === 1 ? ended : `${ended} _x${minutes - 1}`;
}

/** Joins pieces of a series in order of time. */
export function sequence(...pieces: readonly string[]): string {
  return pieces.join(' ');
}

/** Minutes of a day. */
export const day = 1440;

/** Unix timestamp of a day. promtool's clock starts at 0, so negative days are in the past. */
export function atDay(days: number): number {
  return Math.round(days * 86_400);
}
