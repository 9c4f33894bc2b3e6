import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { effectiveThresholds } from '../src/config/file/alert-thresholds.ts';
import { Cleanups } from '../test/fixtures/cleanups.ts';
import { startDebianServer } from '../test/fixtures/debian-server.ts';
import { groups, parseDuration, type RuleGroup } from '../test/rules/rule-file.ts';
import { startExporter } from './scrapes.ts';
import { milliseconds, table } from './table.ts';

// Measures how long Prometheus evaluates the alert rules for many accounts with days of history.

const method = `Debian's Prometheus scrapes one page with the series of all accounts, and records every series once. Of 100 accounts, one
exceeds its disk quota, which is critical, and five use 90 % of it, which is a warning; alerts fire without their waits. Each series that
a rule reads over more than a quarter of an hour then gets history, in the part of the past that the rules read: one sample per
scrape, or per evaluation of its group. A second Prometheus with one processor evaluates each group at its own interval with this
history. A third runs beside it, scrapes the same page and has no rules: its CPU time is the scrape. Both are measured for the same
minutes (--minutes), and only after a while (--first-minutes), because a Prometheus that has been running for hours has more samples in
memory. The difference of their CPU times is the cost of the rules, with the texts of the firing alerts, the storage of the results and
garbage collection. The time of a rule is evaluationTime in /api/v1/rules, the lowest of its evaluations. On a busy machine, it is
longer than the CPU time. "per minute" is the time of the rules of a group divided by the minutes of its interval.`;

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '30' },
    'first-minutes': { type: 'string', default: '60' },
  },
});
const fleets = values.accounts.split(',').map(Number);
/** Minutes before the measurement. */
const firstMinutes = Number(values['first-minutes']);
/** Minutes of the measurement: by default, every group is evaluated as often as in any other half hour, except for one evaluation. */
const minutes = Number(values.minutes);
if (![...fleets, firstMinutes, minutes].every((number) => number > 0))
  throw new Error('the flags must be numbers above 0');

/** A past period that a rule reads, in seconds before now. */
interface Reach {
  readonly from: number;
  readonly to: number;
}

interface RuleCost {
  readonly group: string;
  readonly name: string;
  readonly seconds: number;
}

interface Costs {
  /** CPU seconds of Prometheus per minute. */
  readonly cpu: number;
  readonly rules: readonly RuleCost[];
}

/** The time of the newest polls on the page, in Unix seconds. */
const startTime = Math.round(Date.now() / 1000);
/** Minutes between two evaluations of each group. */
const minutesOf = new Map(groups.map(({ name, interval: own = '1m' }) => [name, parseDuration(own) / 60]));
/** Seconds between two samples of each record. */
const steps = new Map(
  groups.flatMap(({ interval: own = '1m', rules }) =>
    rules.flatMap((rule) => (rule.record === undefined ? [] : [[rule.record, parseDuration(own)] as const])),
  ),
);
/** The groups with alerts that fire immediately, because `for` and `keep_firing_for` are removed. */
const firing = groups.map((group) => ({
  ...group,
  rules: group.rules.map(({ for: _, keep_firing_for: __, ...rule }) => rule),
}));
/** A group without work. Its evaluations count the scrapes, because both have the same interval. */
const noRules = 'groups: [{ name: none, rules: [{ record: nothing, expr: vector(1) }] }]';
const reaches = reachesOfRules(groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)));
let cleanups = new Cleanups();
let folder = '';

print(method);
const totals = [];
for (const accounts of fleets) totals.push(await costOf(accounts));
print(table(['accounts', 'series', 'scrape, CPU', 'rules, CPU', 'rules per account'], totals));

/** Measures the rules for this number of accounts. Returns the row for the last table. */
async function costOf(accounts: number): Promise<readonly string[]> {
  cleanups = new Cleanups();
  folder = mkdtempSync(join(tmpdir(), 'rules-bench-'));
  cleanups.add(() => rmSync(folder, { recursive: true }));
  try {
    const page = await fleetPage(accounts);
    const target = await serve(page);
    const current = await recordOnce(target);
    const samples = writeHistory(current);
    print(
      `\n${accounts} accounts, ${count(page)} series on the page, ${current.length} of them or of their records with history, ${samples} samples. Measured for ${minutes} minutes after ${firstMinutes} minutes.`,
    );
    const [loaded, unloaded] = await Promise.all([
      measure(target, 'data', written(firing)),
      measure(target, 'scraped', noRules),
    ]);
    report(loaded.rules);
    const rules = loaded.cpu - unloaded.cpu;
    const cost = [unloaded.cpu, rules, rules / accounts].map((seconds) => milliseconds(seconds * 1000));
    return [`${accounts}`, `${count(page)}`, ...cost];
  } finally {
    await cleanups.end();
  }
}

function written(rules: readonly RuleGroup[]): string {
  return stringify({ groups: rules }, { lineWidth: 0 });
}

/** The past periods that rules read, by metric. Omits periods within the last quarter of an hour. */
function reachesOfRules(expressions: readonly string[]): ReadonlyMap<string, readonly Reach[]> {
  const found = new Map<string, Reach[]>();
  const read = /([a-zA-Z_][\w:]*)(?:\{[^}]*\})?(?:\[(\w+)(?::\w+)?\])?(?: offset (\w+))?/g;
  for (const expr of expressions) {
    for (const [, metric = '', range, offset] of expr.matchAll(read)) {
      if (range === undefined && offset === undefined) continue;
      const to = offset === undefined ? 0 : parseDuration(offset);
      const from = to + (range === undefined ? 300 : parseDuration(range));
      if (from > 900) found.set(metric, [...(found.get(metric) ?? []), { from, to: Math.max(0, to - 300) }]);
    }
  }
  return found;
}

/** Returns a page with all accounts. It repeats the figures of one account, but some accounts have an almost full disk. */
async function fleetPage(accounts: number): Promise<string> {
  await using exporter = await startExporter('fleet', 1);
  await exporter.ask('poll all');
  const lines = (await (await fetch(exporter.url)).text()).split('\n');
  const samples = lines.filter((line) => line.startsWith('hosting_')).map(healthy);
  const [, name = ''] = /^hosting_account_disk_usage_bytes\{account="([^"]+)"\}/m.exec(samples.join('\n')) ?? [];
  if (name === '') throw new Error('the exporter has no figures of the account');
  const ofAccount = samples.filter((line) => line.includes(`account="${name}"`));
  const others = samples.filter((line) => !ofAccount.includes(line));
  for (const { alert, severity, value } of effectiveThresholds()) {
    const labels = `account="${name}",alert="${alert}",severity="${severity}"`;
    ofAccount.push(`hosting_account_alert_threshold{${labels}} ${value}`);
  }
  const all = Array.from({ length: accounts }, (_, index) =>
    ofAccount.map((line) => withDisk(line, index).replaceAll(name, `${name}-${index + 1}`)),
  );
  // Sort the lines, because the text format requires adjacent lines for each metric.
  return `${[...others, ...all.flat()].toSorted().join('\n')}\n`;
}

/** Of 100 accounts, one exceeds its quota of 100 GB, and five use 90 % of it. */
function withDisk(line: string, index: number): string {
  if (!line.startsWith('hosting_account_disk_usage_bytes')) return line;
  const used = index % 100 === 0 ? 101e9 : index % 20 === 1 ? 90e9 : 40e9;
  return line.replace(/ \S+$/, ` ${used}`);
}

function healthy(line: string): string {
  const [, series = '', metric = ''] = /^((\w+)(?:\{.*\})?) \S+$/.exec(line) ?? [];
  const fixed: Readonly<Record<string, number>> = {
    hosting_up: 1,
    hosting_exporter_collector_success: 1,
    hosting_exporter_collector_interval_seconds: 3600,
    hosting_exporter_collector_last_success_timestamp_seconds: startTime,
    hosting_exporter_config_last_reload_successful: 1,
    hosting_exporter_web_config_last_reload_successful: 1,
    hosting_exporter_api_queue_length: 0,
    hosting_account_disk_usage_bytes: 40e9,
    hosting_account_disk_limit_bytes: 100e9,
    hosting_account_load_limit: 1000,
    hosting_account_block_timestamp_seconds: startTime + 60 * 86_400,
    hosting_domain_expiry_timestamp_seconds: startTime + 200 * 86_400,
    hosting_database_size_bytes: 1e9,
  };
  const value =
    fixed[metric] ?? (metric.endsWith('_timestamp_seconds') ? startTime - 3600 : metric.endsWith('_info') ? 1 : 7);
  return `${series} ${value}`;
}

function count(page: string): number {
  return page.split('\n').length - 1;
}

/** Serves the page. Every hour, the polls succeed again. */
async function serve(page: string): Promise<string> {
  const server = createServer((_, response) => {
    const hours = Math.floor((Date.now() / 1000 - startTime) / 3600);
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(page.replaceAll(` ${startTime}\n`, ` ${startTime + hours * 3600}\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.add(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the page has no port');
  return `127.0.0.1:${address.port}`;
}

async function startPrometheus(
  target: string,
  data: string,
  rules: string,
  seconds: number,
  ended: Cleanups,
): Promise<string> {
  const ruleFile = join(folder, `${data}.rules.yml`);
  const configFile = join(folder, `${data}.yml`);
  const configuration = {
    global: { scrape_interval: `${seconds}s`, scrape_timeout: `${seconds}s`, evaluation_interval: `${seconds}s` },
    rule_files: [ruleFile],
    scrape_configs: [{ job_name: 'hosting', static_configs: [{ targets: [target] }] }],
  };
  writeFileSync(ruleFile, rules);
  writeFileSync(configFile, stringify(configuration));
  const { address } = await startDebianServer(
    ended,
    'prometheus',
    [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder, data)}`,
      '--storage.tsdb.retention.time=30d',
      // Without this flag, Prometheus would merge blocks during the measurement.
      '--storage.tsdb.max-block-duration=2h',
      '--query.max-samples=500000000',
    ],
    { environment: { GOMAXPROCS: '1' } },
  );
  return address;
}

/** Evaluates the rules. Returns the labels and values of the series that rules read over long ranges. */
async function recordOnce(target: string): Promise<readonly Series[]> {
  const ended = new Cleanups();
  try {
    const often = firing.map((group) => ({ ...group, interval: '20s' }));
    const address = await startPrometheus(target, 'first', written(often), 20, ended);
    await evaluated(address, 3);
    const series = [];
    for (const metric of reaches.keys()) {
      const query = `${metric}${metric === 'ALERTS' ? '' : '{job="hosting"}'}`;
      series.push(...(await instant(address, query)));
    }
    return series;
  } finally {
    await ended.end();
  }
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

async function instant(address: string, query: string): Promise<readonly Series[]> {
  const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await response.json()) as { readonly data: { readonly result: readonly Series[] } };
  return data.result;
}

/** Waits until every group was evaluated `times` times. */
async function evaluated(address: string, times: number): Promise<void> {
  while (Math.min(...(await iterations(address))) < times) await setTimeout(1000);
}

/** Number of evaluations of each group; with `iterations_missed`, of those that were skipped because the previous one had not ended. */
async function iterations(address: string, name = 'iterations'): Promise<readonly number[]> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  const pattern = new RegExp(`^prometheus_rule_group_${name}_total\\{.*\\} (\\d+)$`, 'gm');
  return [...text.matchAll(pattern)].map(([, count]) => Number(count));
}

/** Writes the history as blocks of 18 hours, like old blocks of Prometheus. Returns the number of samples. */
function writeHistory(series: readonly Series[]): number {
  const data = join(folder, 'data');
  mkdirSync(data);
  const now = Math.floor(Date.now() / 60_000) * 60;
  const block = 18 * 3600;
  const oldest = Math.max(...[...reaches.values()].flat().map(({ from }) => from));
  let samples = 0;
  for (let start = Math.floor((now - oldest) / block) * block; start < now; start += block) {
    const file = join(folder, 'history.om');
    const written = writeBlock(file, series, start, Math.min(start + block, now), now);
    if (written > 0) {
      execFileSync(
        'promtool',
        ['tsdb', 'create-blocks-from', '--max-block-duration=18h', 'openmetrics', file, data, '--quiet'],
        {
          stdio: 'ignore',
        },
      );
    }
    rmSync(file);
    samples += written;
  }
  return samples;
}

function writeBlock(path: string, series: readonly Series[], start: number, end: number, now: number): number {
  const file = openSync(path, 'w');
  let samples = 0;
  let buffered = '';
  for (const { metric, value } of series) {
    const { __name__: name = '', ...labels } = metric;
    const parts = reaches.get(name) ?? [];
    const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    const step = steps.get(name) ?? 60;
    for (let time = Math.ceil(start / step) * step; time < end; time += step) {
      const age = now - time;
      if (!parts.some(({ from, to }) => age <= from && age >= to)) continue;
      buffered += `${name}{${pairs.join(',')}} ${past(Number(value[1]), age)} ${time}\n`;
      samples += 1;
    }
    if (buffered.length > 4_000_000) {
      writeSync(file, buffered);
      buffered = '';
    }
  }
  writeSync(file, `${buffered}# EOF\n`);
  closeSync(file);
  return samples;
}

/** Returns a value of the history. Sizes grow by a thousandth a day. Timestamps move with time. All other values are constant. */
function past(value: number, age: number): number {
  if (value < 1e9) return value;
  return value > 1e9 && value < 3e9 ? value - age : Math.round(value * (1 - age / 86_400_000));
}

/** Measures Prometheus after its first scrapes and evaluations and {@link firstMinutes}. */
async function measure(target: string, data: string, rules: string): Promise<Costs> {
  const ended = new Cleanups();
  try {
    const address = await startPrometheus(target, data, rules, 60, ended);
    const lowest = new Map<string, RuleCost>();
    // Wait for three evaluations, because the first ones come before the first scrape.
    while (Math.max(...(await iterations(address))) < 3) await setTimeout(1000);
    await setTimeout(firstMinutes * 60_000);
    const atStart = await cpuSeconds(address);
    const start = performance.now();
    for (let minute = 1; minute <= minutes; minute += 1) {
      await setTimeout(start + minute * 60_000 - performance.now());
      for (const [id, rule] of await rulesOf(address)) {
        if (rule.seconds > 0 && rule.seconds < (lowest.get(id)?.seconds ?? Number.POSITIVE_INFINITY))
          lowest.set(id, rule);
      }
    }
    const elapsed = (performance.now() - start) / 60_000;
    const missed = (await iterations(address, 'iterations_missed')).reduce((sum, times) => sum + times, 0);
    if (missed > 0)
      print(`The machine was too busy: ${missed} evaluations were missed, so that the CPU time is too low.`);
    return { cpu: ((await cpuSeconds(address)) - atStart) / elapsed, rules: [...lowest.values()] };
  } finally {
    await ended.end();
  }
}

async function cpuSeconds(address: string): Promise<number> {
  const text = await (await fetch(`http://${address}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

/** The name and duration of the newest evaluation of each rule, by the rule's place in the file. */
async function rulesOf(address: string): Promise<readonly (readonly [string, RuleCost])[]> {
  const response = await fetch(`http://${address}/api/v1/rules`);
  const { data } = (await response.json()) as { readonly data: { readonly groups: readonly EvaluatedGroup[] } };
  return data.groups.flatMap(({ name: group, rules }) =>
    rules.map(({ name, labels, evaluationTime: seconds }, index) => {
      const parts = [name, labels?.['kind'], labels?.['severity']].filter((part) => part !== undefined);
      return [`${group} ${index}`, { group, name: parts.join(' '), seconds }] as const;
    }),
  );
}

interface EvaluatedGroup {
  readonly name: string;
  readonly rules: readonly {
    readonly name: string;
    readonly evaluationTime: number;
    readonly labels?: Readonly<Record<string, string>>;
  }[];
}

/** Prints the times of groups and rules. */
function report(rules: readonly RuleCost[]): void {
  const time = (seconds: number) => milliseconds(seconds * 1000);
  const costs = [...minutesOf].map(([name, minutes]) => {
    const ofGroup = rules.filter(({ group }) => group === name);
    const seconds = ofGroup.reduce((sum, rule) => sum + rule.seconds, 0);
    return { name, minutes, seconds, perMinute: seconds / minutes };
  });
  const total = costs.reduce((sum, { perMinute }) => sum + perMinute, 0);
  const rows = costs.map((one) => [one.name, `${one.minutes}m`, time(one.seconds), time(one.perMinute)]);
  print(table(['group', 'interval', 'evaluation', 'per minute'], [...rows, ['all groups', '', '', time(total)]]));
  const slowest = rules.toSorted((one, other) => other.seconds - one.seconds).slice(0, 12);
  print(
    table(
      ['slowest rules', 'evaluation'],
      slowest.map(({ name, seconds }) => [name, time(seconds)]),
    ),
  );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
