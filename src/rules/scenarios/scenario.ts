import { seconds } from '../duration.ts';
import type { Settings } from '../settings.ts';
import { type AlertName, type Severity, severities, type Thresholds, thresholds } from '../thresholds.ts';

/** An alert that a scenario makes true, and for how long. Whether and when it fires follows from the settings. */
export interface Truth {
  readonly alert: AlertName;
  /** Severities whose threshold is passed; where left out, those that the value passes. */
  readonly severities?: readonly Severity[];
  /** First minute at which the condition holds. */
  readonly since: number;
  /** First minute at which it does not hold any more; the end of the scenario where left out. */
  readonly until?: number;
  /** Labels beside those of the selector and the severity. */
  readonly labels: Readonly<Record<string, string>>;
  /** The alert's value at a minute. */
  readonly value: number | ((minute: number) => number);
  /** The answers to the questions of its description at a minute. */
  readonly answers?: (minute: number) => readonly (number | readonly string[] | undefined)[];
}

/** A stretch of time with all its series, and every alert that fires in it. Any other alert is a failed test. */
export interface Scenario {
  readonly name: string;
  readonly minutes: number;
  /** Minutes between two evaluations, 1 where left out. Days and weeks take 5, as often as an account is polled. */
  readonly every?: 5;
  /** Series in promtool's notation, one sample a minute. */
  readonly series: Readonly<Record<string, string>>;
  readonly truths: readonly Truth[];
  /** Alerts that the scenario tempts and that must not fire at all. */
  readonly tempted: readonly AlertName[];
  /** True where the figures were measured with the default settings of these alerts and hold for no others. */
  readonly defaultsOnly?: readonly AlertName[];
}

/** Scenarios of one theme, and so one test file. */
export interface Theme {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
}

/** One alert's time of firing, settled. */
export interface Firing {
  readonly truth: Truth;
  readonly severity: Severity;
  readonly from: number;
  /** First minute at which it fires no more. */
  readonly until: number;
}

function isPassed({ alert, severities: named, since, value }: Truth, severity: Severity, threshold?: number): boolean {
  const { direction, levels, unit }: Thresholds = thresholds[alert];
  // The value of an age in turns is in seconds: only its own severity is known to be passed.
  if (named !== undefined || threshold === undefined || unit === 'turns') {
    return (named ?? Object.keys(levels)).includes(severity);
  }
  const reached = typeof value === 'number' ? value : value(since);
  return direction === 'below' ? reached < threshold : reached >= threshold;
}

/** What scenarios are made of: series of the settings' job, and figures just beyond or short of a threshold. */
export class Stage {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** `name{job="hosting",...}` of one exporter. */
  series(name: string, labels: Readonly<Record<string, string>> = {}, instance = 'a'): string {
    const all = { ...this.#settings.selector, [this.#replicaLabel()]: instance, ...labels };
    const pairs = Object.entries(all).map(([label, value]) => `${label}="${value}"`);
    return `${name}{${pairs.join(',')}}`;
  }

  /** The label that tells the exporters of the scenarios apart. */
  exporter(instance: string): Readonly<Record<string, string>> {
    return { [this.#replicaLabel()]: instance };
  }

  /** An exporter that answers for so many minutes. */
  up(minutes: number, instance = 'a'): Readonly<Record<string, string>> {
    return { [this.series('up', {}, instance)]: hold(1, minutes + 1) };
  }

  /** The threshold of the settings, or the other value where that severity is off. */
  threshold(alert: AlertName, severity: Severity, otherwise: number): number {
    return this.#settings.alerts[alert]?.levels[severity]?.value ?? otherwise;
  }

  /** Minutes of `for`; 0 where that severity is off. */
  wait(alert: AlertName, severity: Severity): number {
    const level = this.#settings.alerts[alert]?.levels[severity];
    return level === undefined ? 0 : seconds(level.for) / 60;
  }

  /** A number inside the alert's condition. */
  knob(alert: AlertName, name: string, otherwise: number): number {
    const value = this.#settings.alerts[alert]?.knobs[name] ?? otherwise;
    return typeof value === 'number' ? value : seconds(value) / 60;
  }

  /** When the truths of a scenario turn into firing alerts. */
  firings(scenario: Scenario): readonly Firing[] {
    return scenario.truths.flatMap((truth) =>
      severities.flatMap((severity) => {
        const settings = this.#settings.alerts[truth.alert];
        const level = settings?.levels[severity];
        if (settings === undefined || level === undefined || !isPassed(truth, severity, level.value)) {
          return [];
        }
        const next = (minute: number) => Math.ceil(minute / (scenario.every ?? 1)) * (scenario.every ?? 1);
        const end = next(scenario.minutes + 1);
        const keep = settings.keepFiringFor === undefined ? 0 : seconds(settings.keepFiringFor) / 60;
        const from = next(next(truth.since) + seconds(level.for) / 60);
        const ends = truth.until === undefined ? end : next(truth.until);
        return from < ends ? [{ truth, severity, from, until: Math.min(end, next(ends + keep)) }] : [];
      }),
    );
  }

  #replicaLabel(): string {
    return this.#settings.replicaLabels[0] ?? 'instance';
  }
}

/** The value for so many minutes. */
export function hold(value: number, minutes: number): string {
  return minutes === 1 ? `${value}` : `${value}x${minutes - 1}`;
}

/** So many minutes from `start`, `step` more each minute. */
export function ramp(start: number, step: number, minutes: number): string {
  return `${start}${step < 0 ? '-' : '+'}${Math.abs(step)}x${minutes - 1}`;
}

/** The series has ended: the exporter no longer shows it. */
export const ended = 'stale';

/** The series is not there for so many minutes, ended properly as a scrape without it ends it. */
export function missing(minutes: number): string {
  return minutes === 1 ? ended : `${ended} _x${minutes - 1}`;
}

/** The pieces one after the other. (A module that exports a function called `then` cannot be imported by import().) */
export function inTurn(...pieces: readonly string[]): string {
  return pieces.join(' ');
}

/** The threshold that is never passed, for so many minutes: promtool cannot repeat it, but a sample lasts five minutes. */
export function never(minutes: number, infinity: '+Inf' | '-Inf' = '+Inf'): string {
  return Array.from({ length: Math.ceil(minutes / 5) }, (_, turn) => {
    const rest = Math.min(5, minutes - turn * 5) - 1;
    return rest > 0 ? `${infinity} _x${rest}` : infinity;
  }).join(' ');
}

/** Seconds since 1970 at so many days; promtool's clock starts there. */
export function at(days: number): number {
  return Math.round(days * 86_400);
}
