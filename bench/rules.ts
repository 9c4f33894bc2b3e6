import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { ruleGroups } from '../src/rules/bundle.ts';
import { parseDuration } from '../src/rules/duration.ts';
import { prometheusRules } from '../src/rules/prometheus.ts';
import { settingsSchema } from '../src/rules/settings.ts';
import { Cleanups } from '../test/fixtures/cleanups.ts';
import { startDebianServer } from '../test/fixtures/debian-server.ts';
import { accountName } from './fleet.ts';
import { startScript } from './processes.ts';
import { median, milliseconds, table } from './table.ts';

// How long Prometheus evaluates the alert rules with many accounts and days of history.

const method = `Debian's Prometheus scrapes one page with the series of all accounts, at values that fire no alert, and records every series
once. Each series that a rule reads over more than a quarter of an hour then gets history: one sample a minute, in the part of
the past that the rules read. A second Prometheus evaluates the rules with this history. Times are medians of
prometheus_rule_group_last_duration_seconds by group, and of evaluationTime in /api/v1/rules by rule.`;

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    evaluations: { type: 'string', default: '5' },
    interval: { type: 'string', default: '60' },
  },
});
const accounts = Number(values.accounts);
const evaluations = Number(values.evaluations);
/** Seconds between two scrapes and between two evaluations. */
const interval = Number(values.interval);
if (!(accounts > 0 && evaluations > 0 && interval > 0)) throw new Error('the flags must be numbers above 0');

/** A part of the past that a rule reads: seconds before now. */
interface Reach {
  readonly from: number;
  readonly to: number;
}

interface RuleTimes {
  /** CPU seconds of Prometheus between two evaluations, with scrapes. */
  readonly cpu: number;
  readonly groups: ReadonlyMap<string, number>;
  readonly rules: ReadonlyMap<string, number>;
}

const groups = ruleGroups(settingsSchema.parse({}));
const reaches = reachesOfRules(groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)));
const cleanups = new Cleanups();
const folder = mkdtempSync(join(tmpdir(), 'rules-bench-'));
cleanups.add(() => rmSync(folder, { recursive: true }));

try {
  print(method);
  const page = await fleetPage();
  const target = await serve(page);
  const current = await recordOnce(target);
  const samples = writeHistory(current);
  print(
    `\n${accounts} accounts, ${count(page)} series on the page, ${current.length} of them or of their records with history, ${samples} samples.`,
  );
  report(await measure(target));
} finally {
  await cleanups.end();
}

/** What the rules read of the past, by metric: ranges and offsets that reach further back than a quarter of an hour. */
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

/** The page of the exporter with one account, repeated for all accounts, with values at which no alert fires. */
async function fleetPage(): Promise<string> {
  const exporter = await startScript('exporter.ts', '1');
  const lines = (await (await fetch(exporter.url)).text()).split('\n');
  await exporter.stop();
  const samples = lines.filter((line) => line.startsWith('hosting_')).map(healthy);
  const ofAccount = samples.filter((line) => line.includes(`"${accountName(0)}"`));
  const others = samples.filter((line) => !ofAccount.includes(line));
  const all = Array.from({ length: accounts }, (_, index) =>
    ofAccount.map((line) => line.replaceAll(accountName(0), accountName(index))),
  );
  // The text format allows each metric once, so that lines must be sorted by it.
  return `${[...others, ...all.flat()].toSorted().join('\n')}\n`;
}

function healthy(line: string): string {
  const now = Math.round(Date.now() / 1000);
  const [, series = '', metric = ''] = /^((\w+)(?:\{.*\})?) \S+$/.exec(line) ?? [];
  const fixed: Readonly<Record<string, number>> = {
    hosting_up: 1,
    hosting_exporter_collector_success: 1,
    hosting_exporter_collector_interval_seconds: 3600,
    hosting_exporter_collector_last_success_timestamp_seconds: now,
    hosting_exporter_config_last_reload_successful: 1,
    hosting_exporter_web_config_last_reload_successful: 1,
    hosting_exporter_api_queue_length: 0,
    hosting_account_disk_usage_bytes: 40e9,
    hosting_account_disk_limit_bytes: 100e9,
    hosting_account_load_limit: 1000,
    hosting_account_block_timestamp_seconds: now + 60 * 86_400,
    hosting_domain_expiry_timestamp_seconds: now + 200 * 86_400,
    hosting_database_size_bytes: 1e9,
  };
  const value =
    fixed[metric] ?? (metric.endsWith('_timestamp_seconds') ? now - 3600 : metric.endsWith('_info') ? 1 : 7);
  return `${series} ${value}`;
}

function count(page: string): number {
  return page.split('\n').length - 1;
}

async function serve(page: string): Promise<string> {
  const body = Buffer.from(page);
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4');
    response.end(body);
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

async function startPrometheus(target: string, data: string, seconds: number, ended: Cleanups): Promise<string> {
  const configuration = {
    global: { scrape_interval: `${seconds}s`, scrape_timeout: `${seconds}s`, evaluation_interval: `${seconds}s` },
    rule_files: ['rules.yml'],
    scrape_configs: [{ job_name: 'hosting', static_configs: [{ targets: [target] }] }],
  };
  writeFileSync(join(folder, 'rules.yml'), prometheusRules(groups, settingsSchema.parse({})));
  writeFileSync(join(folder, 'prometheus.yml'), stringify(configuration));
  const { address } = await startDebianServer(ended, 'prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${data}`,
    '--storage.tsdb.retention.time=30d',
    // Blocks of different size would be merged while the rules are measured.
    '--storage.tsdb.max-block-duration=2h',
    '--query.max-samples=500000000',
  ]);
  return address;
}

/** The labels and values of the series that the rules read over long ranges, after the rules have recorded each of them. */
async function recordOnce(target: string): Promise<readonly Series[]> {
  const ended = new Cleanups();
  try {
    const address = await startPrometheus(target, join(folder, 'first'), 20, ended);
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

/** Waits until every group was evaluated that many times. */
async function evaluated(address: string, times: number): Promise<void> {
  for (;;) {
    const text = await (await fetch(`http://${address}/metrics`)).text();
    const done = [...text.matchAll(/^prometheus_rule_group_iterations_total\{.*\} (\d+)$/gm)].map(([, n]) => Number(n));
    if (done.length > 0 && Math.min(...done) >= times) return;
    await setTimeout(1000);
  }
}

/** Writes the history as blocks of two hours. Returns the number of samples. */
function writeHistory(series: readonly Series[]): number {
  const data = join(folder, 'data');
  mkdirSync(data);
  const now = Math.floor(Date.now() / 60_000) * 60;
  const block = 7200;
  const oldest = Math.max(...[...reaches.values()].flat().map(({ from }) => from));
  let samples = 0;
  for (let start = Math.floor((now - oldest) / block) * block; start < now; start += block) {
    const file = join(folder, 'history.om');
    const written = writeBlock(file, series, start, Math.min(start + block, now), now);
    if (written > 0) {
      execFileSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, data, '--quiet'], {
        stdio: 'ignore',
      });
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
    for (let time = start; time < end; time += 60) {
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

/** Sizes grow by a thousandth a day; timestamps move with time; all else is constant. */
function past(value: number, age: number): number {
  if (value < 1e9) return value;
  return value > 1e9 && value < 3e9 ? value - age : Math.round(value * (1 - age / 86_400_000));
}

async function measure(target: string): Promise<RuleTimes> {
  const ended = new Cleanups();
  try {
    const address = await startPrometheus(target, join(folder, 'data'), interval, ended);
    const perGroup = new Map<string, number[]>();
    const perRule = new Map<string, number[]>();
    let cpu = 0;
    // The first evaluations come before the first scrape.
    for (let round = 3; round <= 3 + evaluations; round += 1) {
      await evaluated(address, round);
      const text = await (await fetch(`http://${address}/metrics`)).text();
      const used = Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
      if (round === 3) cpu = -used;
      if (round === 3 + evaluations) cpu = (cpu + used) / evaluations;
      for (const [, name = '', seconds] of text.matchAll(
        /^prometheus_rule_group_last_duration_seconds\{rule_group=".*;(.*)"\} (\S+)$/gm,
      )) {
        perGroup.set(name, [...(perGroup.get(name) ?? []), Number(seconds)]);
      }
      for (const { name, evaluationTime, labels } of await rulesOf(address)) {
        const key = [name, labels['kind'], labels['severity']].filter((part) => part !== undefined).join(' ');
        perRule.set(key, [...(perRule.get(key) ?? []), evaluationTime]);
      }
    }
    const medians = (times: ReadonlyMap<string, number[]>) =>
      new Map([...times].map(([name, seconds]) => [name, median(seconds)]));
    return { cpu, groups: medians(perGroup), rules: medians(perRule) };
  } finally {
    await ended.end();
  }
}

interface EvaluatedRule {
  readonly name: string;
  readonly evaluationTime: number;
  readonly labels: Readonly<Record<string, string>>;
}

async function rulesOf(address: string): Promise<readonly EvaluatedRule[]> {
  const response = await fetch(`http://${address}/api/v1/rules`);
  const { data } = (await response.json()) as {
    readonly data: { readonly groups: readonly { readonly rules: readonly EvaluatedRule[] }[] };
  };
  return data.groups.flatMap(({ rules }) => rules.map((rule) => ({ ...rule, labels: rule.labels ?? {} })));
}

function report({ cpu, groups: perGroup, rules }: RuleTimes): void {
  const rows = (times: ReadonlyMap<string, number>) =>
    [...times]
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, seconds]) => [name, milliseconds(seconds * 1000)]);
  const total = [...perGroup.values()].reduce((sum, seconds) => sum + seconds, 0);
  print(`\n${table(['group', 'evaluation'], [...rows(perGroup), ['all groups', milliseconds(total * 1000)]])}`);
  print(`CPU of Prometheus per ${interval} s, with the scrape: ${cpu.toFixed(1)} s.\n`);
  print(table(['slowest rules', 'evaluation'], rows(rules).slice(0, 12)));
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
