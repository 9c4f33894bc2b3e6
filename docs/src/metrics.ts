import type { Collector, MetricDescription } from '../../src/collectors/collector.ts';

/** A metric about the exporter, as its page tells of it. */
export interface SelfMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

/** A line of the metrics page for each metric's name. */
export type Examples = ReadonlyMap<string, string>;

/** docs/metrics.md: every metric with what it means and where it comes from. */
export function metricsMarkdown(
  collectors: readonly Collector[],
  selfMetrics: readonly SelfMetric[],
  examples: Examples,
): string {
  return `# Metrics

<!-- Written by docs/src/metrics.ts: change a collector or that file, then run vitest -u. -->

Every metric about an account has the label \`account\`, the account's name in the configuration. All of them are gauges;
counters end in \`_total\`.

A figure that the API does not give, or gives as "no limit", is a missing series: never 0, -1 or infinity. Sizes are in
bytes, times in seconds; times of day are unix seconds. A load is counted in points of the provider, who does not say
what they are; those of sites and those of databases are not the same and must not be added to each other.

## Collectors

A collector is one source of metrics, with its own schedule. Each can be switched off, or polled more or less often, in
the [configuration](configuration.md).

| Collector | What it polls | Methods | Every |
| --- | --- | --- | --- |
${collectors.map(collectorRow).join('\n')}

${collectors.map((collector) => collectorSection(collector, examples)).join('\n')}
## About the exporter

${selfMetrics.map((metric) => selfMetricSection(metric, examples)).join('\n')}
Besides there are \`process_*\` and \`nodejs_*\`: processor time, memory, open files, event loop and garbage collection of
the exporter's own process.
`;
}

function collectorRow({ name, help, methods, schedule, offByDefault }: Collector): string {
  const every = offByDefault === true ? `${schedule}, off by default` : schedule;
  return `| [\`${name}\`](#collector-${name}) | ${help} | ${methods.map(code).join(', ')} | ${every} |`;
}

function collectorSection(collector: Collector, examples: Examples): string {
  const { name, help, metrics } = collector;
  return `## Collector ${name}

${help}

${metrics.map((metric) => metricSection(metric, collector, examples)).join('\n')}`;
}

function metricSection(metric: MetricDescription, { schedule }: Collector, examples: Examples): string {
  const { name, help, labelNames, methods, field, dialects } = metric;
  const [meaning] = help.split('. From ');
  const facts = [
    `gauge, labels ${labelNames.map(code).join(', ')}`,
    `from ${methods.map(code).join(', ')}, ${field.replaceAll('|', ' or ')}`,
    `every ${schedule}`,
    `given by ${dialects.length === 2 ? 'both dialects of the API' : `the ${dialects[0]}'s dialect`}`,
  ];
  return `### ${name}\n\n${meaning}.\n\n${facts.join(' · ')}\n${exampleOf(name, examples)}`;
}

function selfMetricSection({ name, help, type, labelNames }: SelfMetric, examples: Examples): string {
  const labels = labelNames.length === 0 ? 'no labels' : `labels ${labelNames.map(code).join(', ')}`;
  return `### ${name}\n\n${help}\n\n${type}, ${labels}\n${exampleOf(name, examples)}`;
}

function exampleOf(name: string, examples: Examples): string {
  const example = examples.get(name);
  return example === undefined ? '' : `\n\`\`\`text\n${example}\n\`\`\`\n`;
}

function code(text: string): string {
  return `\`${text}\``;
}
