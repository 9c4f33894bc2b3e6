import { parseDuration } from '../duration.ts';
import type { facts } from '../facts.ts';
import type { Settings } from '../settings.ts';
import type { QueryResult } from '../template.ts';
import { type AlertName, type Severity, severities, type Thresholds, thresholds } from '../thresholds.ts';

/** What the queries of a description return, by the name of the fact. */
export type QueryResults = Readonly<Partial<Record<keyof typeof facts, QueryResult | undefined>>>;

/** An alert whose condition holds in a scenario. Whether and when it fires follows from the settings. */
export interface ExpectedAlert {
  readonly alert: AlertName;
  /** Severities whose threshold is exceeded; derived from the value if omitted. */
  readonly severities?: readonly Severity[];
  /** First minute at which the condition holds. */
  readonly since: number;
  /** First minute at which it no longer holds; the end of the scenario if omitted. */
  readonly until?: number;
  /**
   * Whether it starts or ends because a recorded sample leaves a window. Records and evaluations have the same times, so this is
   * one evaluation earlier with Prometheus 3, whose windows exclude their first instant, than with Prometheus 2.
   */
  readonly recordLeavesWindow?: 'start' | 'end';
  /** Labels in addition to those of the selector and the severity. */
  readonly labels: Readonly<Record<string, string>>;
  /** The value of the alert, or a function of the minute. */
  readonly value: number | ((minute: number) => number);
  /** The results of the description's queries at a minute. */
  readonly queryResults?: (minute: number) => QueryResults;
}

/** A period with its input series and every alert that fires in it. Any other alert fails the test. */
export interface Scenario {
  readonly name: string;
  readonly minutes: number;
  /** Whether it takes days; it is then evaluated less often. */
  readonly overDays?: boolean;
  /**
   * Seconds between two samples in the test file; 60 if omitted. With 30, no window begins at the last sample before a change.
   * Windows of Prometheus 2 include their first instant, those of Prometheus 3 do not.
   */
  readonly sampleSeconds?: 30;
  /** Series in promtool's notation, one sample per minute. */
  readonly series: Readonly<Record<string, string>>;
  readonly expected: readonly ExpectedAlert[];
  /** Alerts that the scenario comes close to and that must not fire beyond those expected. */
  readonly mustNotFire: readonly AlertName[];
  /** Alerts for which the scenario is valid with default settings only. */
  readonly defaultsOnly?: readonly AlertName[];
}

/**
 * Minutes between two evaluations. They take most of promtool's time, so scenarios over days have fewer. Eight minutes divide a
 * day, and are shorter than the windows of the rules.
 */
export function evaluationMinutes({ overDays = false }: Pick<Scenario, 'overDays'>): 1 | 8 {
  return overDays ? 8 : 1;
}

/** The first evaluation at a minute or after it. */
export function nextEvaluation(minute: number, scenario: Scenario): number {
  const interval = evaluationMinutes(scenario);
  return Math.ceil(minute / interval) * interval;
}

/** Scenarios that are written to one promtool test file. Either all take days or none, because they share an interval. */
export interface TestSuite {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

/** The period in which an expected alert fires with one severity. */
export interface Firing {
  readonly expected: ExpectedAlert;
  readonly severity: Severity;
  readonly from: number;
  /** First minute at which it no longer fires. */
  readonly until: number;
}

function isExceeded({ alert, severities: named, since, value }: ExpectedAlert, severity: Severity, threshold?: number) {
  const { direction, levels, unit }: Thresholds = thresholds[alert];
  // A data age has its threshold in intervals and its value in seconds: the two cannot be compared here.
  if (named !== undefined || threshold === undefined || unit === 'intervals') {
    return (named ?? Object.keys(levels)).includes(severity);
  }
  const reached = typeof value === 'number' ? value : value(since);
  return direction === 'below' ? reached < threshold : reached >= threshold;
}

/** Builds the series of a scenario from the settings, and derives from them when each alert fires. */
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

  /** An exporter that answers its scrapes for the given number of minutes. */
  up(minutes: number, instance = 'a'): Readonly<Record<string, string>> {
    return { [this.series('up', {}, instance)]: hold(1, minutes + 1) };
  }

  /** The threshold in the settings, or `fallback` if that severity is off. */
  threshold(alert: AlertName, severity: Severity, fallback: number): number {
    return this.#settings.alerts[alert]?.levels[severity]?.value ?? fallback;
  }

  /** Minutes of `for`; 0 if that severity is off. */
  forMinutes(alert: AlertName, severity: Severity): number {
    const level = this.#settings.alerts[alert]?.levels[severity];
    return level === undefined ? 0 : parseDuration(level.for) / 60;
  }

  /** A parameter of the alert; durations in minutes. */
  parameter(alert: AlertName, name: string, fallback: number): number {
    const value = this.#settings.alerts[alert]?.parameters[name] ?? fallback;
    return typeof value === 'number' ? value : parseDuration(value) / 60;
  }

  /** When the expected alerts of a scenario fire. */
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

/** A constant value for the given number of minutes. */
export function hold(value: number, minutes: number): string {
  return minutes === 1 ? `${value}` : `${value}x${minutes - 1}`;
}

/** Values from `start` on, increasing by `step` every minute. */
export function ramp(start: number, step: number, minutes: number): string {
  return `${start}${step < 0 ? '-' : '+'}${Math.abs(step)}x${minutes - 1}`;
}

/** Minutes for which the rules still read a series that has ended. */
export const gap = 10;

/** The staleness marker that Prometheus writes when a scrape no longer contains the series. */
export const ended = 'stale';

/** No samples for the given number of minutes, starting with a staleness marker. */
export function missing(minutes: number): string {
  return minutes === 1 ? ended : `${ended} _x${minutes - 1}`;
}

/** The pieces one after the other. */
export function sequence(...pieces: readonly string[]): string {
  return pieces.join(' ');
}

/** The threshold of an alert that is off. promtool cannot repeat infinity, but a sample is valid for five minutes. */
export function infinite(minutes: number, infinity: '+Inf' | '-Inf' = '+Inf'): string {
  return Array.from({ length: Math.ceil(minutes / 5) }, (_, index) => {
    const rest = Math.min(5, minutes - index * 5) - 1;
    return rest > 0 ? `${infinity} _x${rest}` : infinity;
  }).join(' ');
}

/** Unix timestamp of a day. promtool's clock starts at 0, so negative days are in the past. */
export function atDay(days: number): number {
  return Math.round(days * 86_400);
}
