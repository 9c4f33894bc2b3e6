import { metricContract as exported, processSeries } from '../fixtures/metric-contract.ts';

const target = ['job', 'instance', 'pod'];

/** Every metric that rules and runbooks may use, with its labels and those of the scrape target. */
export const metricContract: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...exported,
    ...[...processSeries, 'up'].map((name): [string, readonly string[]] => [name, []]),
    ['ALERTS', ['alertname', 'alertstate', 'severity', 'account', 'collector']] as const,
  ].map(([name, labels]) => [name, [...target, ...labels]]),
);
