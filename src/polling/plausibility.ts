import { ApiError } from '../api/error.ts';
import { describeIssues } from '../api/payload.ts';
import type { Collector, MetricDescription } from '../collectors/collector.ts';
import type { Family } from '../exposition/family.ts';

interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly name: string;
}

/** Unix seconds of the start of the year 10000. */
const endOfTime = 253_402_300_800;

/** The possible values in the unit that a metric's name ends in. */
function rangeOf(metric: string): Range {
  if (metric.endsWith('_timestamp_seconds')) return { from: 0, to: endOfTime, name: 'a time from 1970 to 9999' };
  if (metric.endsWith('_seconds')) return { from: 0, to: endOfTime, name: 'a time in seconds' };
  if (metric.endsWith('_bytes')) return { from: 0, to: 2 ** 63, name: 'a size in bytes' };
  // The balance of an account in debt is negative.
  return { from: -(2 ** 53), to: 2 ** 53, name: 'an amount' };
}

/** Families without the values that are impossible in their unit, and one sentence for each of those values. */
interface PlausibleFamilies {
  readonly families: readonly Family[];
  readonly issues: readonly string[];
}

/** The failure of a call whose payload has impossible values. */
export function implausibleError({ methods }: Collector, issues: readonly string[]): ApiError {
  return new ApiError(`${methods.join(' or ')}: ${describeIssues(issues)}`, { reason: 'payload', accepted: true });
}

/** Removes values that are not finite or that the unit of their metric does not allow. */
export function rejectImplausible(
  families: readonly Family[],
  metrics: readonly MetricDescription[],
): PlausibleFamilies {
  const issues: string[] = [];
  const plausible = families.map((family) => {
    const { from, to, name } = rangeOf(family.name);
    const samples = family.samples.filter(({ value }) => value >= from && value < to);
    if (samples.length === family.samples.length) return family;
    const field = metrics.find(({ name }) => name === family.name)?.field.replaceAll('|', ' or ');
    for (const { value } of family.samples) {
      if (!(value >= from && value < to)) issues.push(`${family.name} (${field}) is ${value}, not ${name}`);
    }
    return { ...family, samples };
  });
  return { families: plausible, issues };
}
