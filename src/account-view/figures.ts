import type { MetricName } from '../collectors/collector.ts';
import { collectors } from '../collectors/list.ts';
import type { AccountStore } from '../exposition/account-store.ts';
import type { Sample } from '../exposition/family.ts';
import { parseLabel, parseSamples, parseValues } from '../exposition/parse-samples.ts';
import type { Steps } from '../in-turns.ts';

const collectorOfMetric: ReadonlyMap<string, string> = new Map(
  collectors.flatMap(({ name, metrics }) => metrics.map((metric) => [metric.name, name] as const)),
);

/** Characters to parse in one step: a few hundred series. */
const maxPiece = 50_000;

/** Series of a metric that are a step of their own. */
const minStep = 20;

/**
 * The figures of one account as the metrics page shows them now: limited, plausible and not expired. Metrics with many series
 * are read in steps, whose work is the number of series.
 */
export class Figures {
  readonly #store: AccountStore;

  constructor(store: AccountStore) {
    store.expire();
    this.#store = store;
  }

  /** The value of a metric with at most one series; undefined if it is unknown. */
  value(metric: MetricName): number | undefined {
    const [lines] = this.#lines(metric);
    return lines === undefined ? undefined : parseValues(lines)[0];
  }

  /** The sum of all series; undefined without any. */
  *sum(metric: MetricName): Steps<number | undefined> {
    const values = yield* this.#parse(metric, parseValues);
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  }

  *samples(metric: MetricName): Steps<readonly Sample[]> {
    return yield* this.#parse(metric, parseSamples);
  }

  /** The values of one label of a metric by another. */
  *pairs(key: string, label: string, metric: MetricName): Steps<readonly (readonly [string, string])[]> {
    return yield* this.#parse(metric, (lines) => {
      const texts = parseLabel(label, lines);
      return parseLabel(key, lines).map(([text], index) => [text, texts[index]?.[0] ?? ''] as const);
    });
  }

  /** The values of a metric by one of its labels. */
  *by(label: string, metric: MetricName): Steps<ReadonlyMap<string, number>> {
    return new Map(yield* this.#parse(metric, (lines) => parseLabel(label, lines)));
  }

  *#parse<T>(metric: MetricName, parse: (lines: string) => readonly T[]): Steps<readonly T[]> {
    const texts = this.#lines(metric);
    const [first = ''] = texts;
    if (texts.length <= 1 && first.length <= maxPiece) {
      const parsed = parse(first);
      // Steps have a price; most accounts are small.
      if (parsed.length >= minStep) yield parsed.length;
      return parsed;
    }
    const all: T[] = [];
    for (const piece of texts.flatMap(splitLines)) {
      const parsed = parse(piece);
      for (const one of parsed) all.push(one);
      yield parsed.length;
    }
    return all;
  }

  #lines(metric: MetricName): readonly string[] {
    const collector = collectorOfMetric.get(metric);
    if (collector === undefined) throw new RangeError(`no collector has the metric ${metric}`);
    return this.#store.lines(collector, metric);
  }
}

/** Lines in pieces that are parsed in one step. */
function splitLines(lines: string): string | readonly string[] {
  if (lines.length <= maxPiece) return lines;
  const pieces: string[] = [];
  for (let from = 0; from < lines.length; ) {
    // Each line ends with a line break, and none is longer than a few thousand characters.
    const to = lines.indexOf('\n', from + maxPiece) + 1 || lines.length;
    pieces.push(lines.slice(from, to));
    from = to;
  }
  return pieces;
}
