import { reasonAdvice } from '../api/error.ts';
import { App } from '../app.ts';
import { type Collector, itemOf } from '../collectors/collector.ts';
import { databaseLoadDetail } from '../collectors/database-load-detail.ts';
import { Exclusion } from '../collectors/exclusion.ts';
import { siteLoadDetail } from '../collectors/site-load-detail.ts';
import type { AccountConfig, Config } from '../config/values/config.ts';
import { parseDuration } from '../config/values/duration.ts';
import { identityOf } from '../config/values/identity.ts';
import { countOf } from '../config/values/wording.ts';
import { silentLog } from '../log.ts';
import { endOfNext, savedHistory } from '../payloads/load-history.ts';
import type { Account } from '../polling/account.ts';
import { readStateFile, type SavedAccount } from '../state/state-file.ts';
import { readPlausible } from '../store/read-result.ts';
import { openMetricsEnd, renderHead, renderSeries } from '../store/render.ts';
import { type CommandContext, defineCommand, ExitError, InvalidArgumentError, Option } from './command.ts';
import { loadWithFlags, printWarning } from './config-flags.ts';
import { accountNames, configFile, defaultInstance, instanceDescription, nonEmpty, numberFrom } from './flags.ts';
import { prepareOutput } from './output-file.ts';
import { describePause, pollOnce } from './poll-once.ts';

/** The collectors whose payloads contain dated values. These values can be older than the first poll. */
const datedCollectors: readonly Collector[] = [siteLoadDetail, databaseLoadDetail];

export const command = defineCommand(
  'Write the hourly and daily load and the daily database sizes that the API still provides. The format is OpenMetrics with timestamps. The samples are as if Prometheus had scraped the values. Calls the API once for each site and database, within the budget of the account. Exits with 1 if a call fails. docs/state.md#history-before-the-first-day describes how to import the file into Prometheus and other databases.',
  (command) =>
    command
      .addOption(configFile())
      .addOption(accountNames())
      .requiredOption('--output <file>', 'file to write', nonEmpty)
      .option('--from-state', 'use the newest answers in the state directory, and call no method')
      .option('--days <number>', 'start of the history, in days before now', readDays, 30)
      .option(
        '--until <time>',
        'last sample, such as 2026-06-01T12:00:00Z, or now (default: three hours ago)',
        readPastTime,
      )
      .addOption(
        new Option('--step <duration>', 'time between two samples of a series')
          .argParser(readStep)
          .default(240_000, '4m, below the lookback delta of Prometheus'),
      )
      .option('--job <name>', 'label job of all series', nonEmpty, 'hosting')
      .option('--instance <address>', instanceDescription, nonEmpty, defaultInstance)
      .option('--label <name=value>', 'further label of the target; repeat the flag for more labels', addLabel),
  async (flags, context) => {
    const config = forHistory(await loadWithFlags(flags, context, printWarning(context)));
    if (config.accounts.every((account) => datedCollectors.every(({ name }) => !account.collectors[name]?.enabled))) {
      const names = datedCollectors.map(({ name }) => name).join(' and ');
      throw new ExitError(2, `error: nothing to write, because the collectors ${names} are disabled`);
    }
    const { job, instance, label = [] } = flags;
    return writeHistory(config, { ...flags, targetLabels: { job, instance, ...Object.fromEntries(label) } }, context);
  },
);

const readDays = numberFrom(1, 9999, /^\d{1,4}$/, 'It is not a number of days.');

/** Minimum step in milliseconds. Smaller steps are useless, because values change once an hour at most. */
const minStep = 10_000;

const ownLabels: readonly string[] = ['account', ...datedCollectors.flatMap(({ itemLabels }) => itemLabels)];

function readStep(written: string): number {
  const milliseconds = parseDuration(nonEmpty(written));
  if (!(milliseconds >= minStep))
    throw new InvalidArgumentError('It is not a duration of at least 10s; write 4m or 1h.');
  return milliseconds;
}

function readPastTime(written: string): number {
  if (written === 'now') return Date.now();
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(written);
  const time = isTime ? Date.parse(written) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('It is not a time; write it with its zone, such as 2026-06-01T12:00:00Z, or now.');
  }
  if (time > Date.now()) throw new InvalidArgumentError('It is in the future.');
  return time;
}

function addLabel(written: string, previous: readonly Label[] = []): readonly Label[] {
  const [, name = '', value = ''] = /^([a-zA-Z_][a-zA-Z0-9_]*)=(.+)$/s.exec(written) ?? [];
  if (name === '') throw new InvalidArgumentError('It is not a label; write name=value, such as env=production.');
  if (['job', 'instance'].includes(name)) throw new InvalidArgumentError(`Use --${name} for this label.`);
  if (name.startsWith('__') || ownLabels.includes(name) || previous.some(([used]) => used === name)) {
    throw new InvalidArgumentError(`The label ${name} is already used; choose another name.`);
  }
  return [...previous, [name, value]];
}

type Label = readonly [name: string, value: string];

interface HistorySettings extends Pick<HistoryOptions, 'step' | 'targetLabels'> {
  readonly fromState?: boolean | undefined;
  readonly output: string;
  readonly days: number;
  /** Time of the last sample in Unix milliseconds. The default is three hours ago. */
  readonly until?: number | undefined;
}

/** Writes a history. `config` must enable only collectors with dated payloads. Returns 1 if a part of the history is missing. */
export async function writeHistory(config: Config, settings: HistorySettings, context: CommandContext) {
  const { fromState, output, days, step, targetLabels } = settings;
  const write = await prepareOutput(output);
  const { saved, problems } = fromState ? await readSaved(config) : await callApi(config, context);
  if (context.signal.aborted) return 1;
  const now = Date.now();
  const options = { from: now - days * day, until: settings.until ?? now - untouchable, step, targetLabels };
  const items = config.accounts.flatMap((account) => keptItems(account, saved.get(account.name)));
  const read = items.map((item) => readHistory(item, options));
  const history = read.flatMap((one) => one.series);
  const allProblems = [...problems, ...read.flatMap(({ issues }) => issues)];
  for (const problem of allProblems) context.stderr.write(`${problem}\n`);
  const { series, samples, first, last } = summarizeHistory(history, options);
  if (first === undefined || last === undefined) {
    const range = `from ${printTime(options.from)} to ${printTime(options.until)}`;
    context.stderr.write(`No values ${range}: ${output} is not written.\n`);
    return 1;
  }
  await write(formatHistory(history, options));
  const range = `from ${printTime(first)} to ${printTime(last)}`;
  context.stderr.write(`Wrote ${output}: ${samples} samples of ${series} series, ${range}.\n`);
  return allProblems.length === 0 ? 0 : 1;
}

const day = 86_400_000;

/** Minimum age of an imported sample in milliseconds. Prometheus may still be writing younger samples. */
const untouchable = 3 * 3_600_000;

async function callApi(config: Config, context: CommandContext) {
  const { stderr } = context;
  const app = new App(config, context.build, silentLog);
  const { accounts } = app;
  const read = `Reading the sites and databases of ${countOf(accounts.length, 'account')}`;
  stderr.write(`${read}, then the load of each site and database, within the call budget.\n`);
  try {
    const printPause = (account: string, milliseconds: number) => stderr.write(describePause(account, milliseconds));
    await pollOnce(app, context, printPause, ['network', 'timeout', 'http', 'limit']);
    const saved = new Map(accounts.map((account) => [account.name, account.saved()]));
    return { saved, problems: accounts.flatMap(failuresOf) };
  } finally {
    await app.stop();
  }
}

function failuresOf({ name, pollers }: Account): readonly string[] {
  return pollers.flatMap(({ collector, newest }) => {
    const failures = newest?.failures ?? [];
    const [decisive] = failures;
    if (decisive === undefined) return [];
    const calls = failures.length === 1 ? '' : `${failures.length} failures, such as: `;
    const advice = decisive.reason === 'bug' ? (decisive.stack ?? '') : reasonAdvice[decisive.reason];
    return [`${name}: ${collector.name}: ${calls}${decisive.message}\n  -> ${advice}`];
  });
}

/** Reads the state directory of an exporter. The exporter may be running. */
async function readSaved({ stateDirectory: directory, accounts }: Config) {
  if (directory === undefined) {
    throw new ExitError(2, 'error: --from-state: no state directory; set state.directory, or leave out the flag');
  }
  const saved = new Map<string, SavedAccount | undefined>();
  for (const account of accounts) {
    const { name } = account;
    saved.set(name, (await readStateFile(directory, { name, identity: identityOf(account) })).saved);
  }
  const missing = accounts.filter((account) => keptItems(account, saved.get(account.name)).length === 0);
  const problems = missing.map(({ name }) => `${name}: ${directory} has no load of this account\n  -> ${waitAdvice}`);
  return { saved, problems };
}

const waitAdvice =
  'Start the exporter with this configuration and wait for its first polls, or leave out --from-state.';

function printTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function forHistory(config: Config): Config {
  const accounts = config.accounts.map((account) => {
    const collectors = Object.entries(account.collectors).map(([name, collector]) => {
      const enabled = collector.enabled && datedCollectors.some((dated) => dated.name === name);
      return [name, { ...collector, enabled }];
    });
    return { ...account, collectors: Object.fromEntries(collectors) };
  });
  return { ...config, accounts };
}

export function keptItems({ name, api, collectors, exclude }: AccountConfig, saved?: Pick<SavedAccount, 'collectors'>) {
  const exclusion = new Exclusion(exclude);
  return datedCollectors.flatMap((collector) => {
    if (!collectors[collector.name]?.enabled) return [];
    return Object.entries(saved?.collectors[collector.name]?.results ?? {}).flatMap(([key, answer]) => {
      const item = itemOf(collector, key);
      return item === undefined || exclusion.hasItem(item)
        ? []
        : [{ account: name, collector, item, answer, settings: api }];
    });
  });
}

export type KeptItem = ReturnType<typeof keptItems>[number];

export interface HistoryOptions {
  readonly from: number;
  /** Latest possible time of a sample (inclusive), in Unix milliseconds. */
  readonly until: number;
  /** Milliseconds between two samples of a series. Sample times are multiples of `step`, so a second export has the same times. */
  readonly step: number;
  /** The labels that Prometheus adds to a scraped series: `job`, `instance` and other labels of the target. */
  readonly targetLabels: Readonly<Record<string, string>>;
}

export interface HistorySeries {
  readonly metric: string;
  readonly labelNames: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** In chronological order. Each run has `count` samples with the same value. `start`: time of its first sample, in Unix milliseconds. */
  readonly runs: readonly { readonly start: number; readonly count: number; readonly value: number }[];
}

/**
 * Returns the samples that continuous polling would have stored for one site or database. The value of an hour or day starts `settlingTime`
 * after the hour or day ends, and lasts until the next value is due. A missing value leaves a gap. `issues`: one sentence if the payload
 * cannot be read, and one for each impossible value, which `series` omits.
 */
export function readHistory({ account, collector, item, answer, settings }: KeptItem, options: HistoryOptions) {
  const lists = savedHistory.safeParse(answer.payload).data;
  if (lists === undefined)
    return { series: [], issues: [`${account}: ${Object.values(item).join(' ')}: the saved load cannot be read`] };
  const nothing = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
  const { settlingTime, timeZone } = settings;
  const series = new Map<string, HistorySeries & { readonly runs: HistorySeries['runs'][number][] }>();
  const issues: string[] = [];
  for (const [name, rows = []] of Object.entries(lists)) {
    const settled = rows.filter(({ period }) => period.end <= answer.providerTime - settlingTime);
    const known = settled.filter(({ value }) => value !== undefined && value !== null);
    // If clocks are set back, the same hour occurs twice. Use the last row of this hour.
    const unique = [...new Map(known.map((row) => [row.period.start, row])).values()];
    unique.sort((one, other) => one.period.start - other.period.start);
    for (const [index, { period }] of unique.entries()) {
      const next = unique[index + 1]?.period.end ?? Number.POSITIVE_INFINITY;
      const from = Math.max(period.end + settlingTime, options.from);
      // `to` is exclusive: at this time, the value ends or the next one replaces it. `until` is inclusive, so 1 is added.
      const to = Math.min(endOfNext(period, timeZone) + settlingTime, next + settlingTime, options.until + 1);
      const start = Math.ceil(from / options.step) * options.step;
      const count = Math.ceil((to - start) / options.step);
      if (count <= 0) continue;
      const payload = { ...nothing, [name]: unique.slice(0, index + 1) };
      const time = { now: answer.providerTime, settled: period.end };
      for (const family of collector.read(payload, account, item, time, answer.complete)) {
        const { name: metric, labelNames } = family;
        for (const { labels, value } of readPlausible(collector, family, issues)) {
          const one = series.get(metric) ?? { metric, labelNames, labels, runs: [] };
          one.runs.push({ start, count, value });
          series.set(metric, one);
        }
      }
    }
  }
  return { series: [...series.values()], issues };
}

/** Counts the samples. `first` and `last`: Unix milliseconds of the first and last sample; undefined without samples. */
export function summarizeHistory(history: readonly HistorySeries[], { step }: Pick<HistoryOptions, 'step'>) {
  let samples = 0;
  let first: number | undefined;
  let last: number | undefined;
  for (const { start, count } of history.flatMap(({ runs }) => runs)) {
    samples += count;
    first = Math.min(first ?? start, start);
    last = Math.max(last ?? 0, start + (count - 1) * step);
  }
  return { series: history.length, samples, first, last };
}

/** Yields the text of a history in one piece per series, because the whole text may not fit into memory. */
export function* formatHistory(
  history: readonly HistorySeries[],
  options: Pick<HistoryOptions, 'step' | 'targetLabels'>,
) {
  const { step, targetLabels } = options;
  for (const metric of datedCollectors.flatMap((collector) => collector.metrics)) {
    const ofMetric = history.filter((series) => series.metric === metric.name);
    // Sort by labels, so that the order is the same on every machine. Two series of a metric never have equal labels.
    ofMetric.sort((one, other) => (JSON.stringify(one.labels) < JSON.stringify(other.labels) ? -1 : 1));
    if (ofMetric.length > 0) yield renderHead('openmetrics', { ...metric, type: 'gauge' });
    for (const { labelNames, labels, runs } of ofMetric) {
      const names = [...labelNames, ...Object.keys(targetLabels)];
      const name = renderSeries(metric.name, names, { ...labels, ...targetLabels });
      const linesOf = ({ start, count, value }: HistorySeries['runs'][number]) =>
        Array.from({ length: count }, (_, index) => `${name} ${value} ${(start + index * step) / 1000}\n`);
      yield runs.flatMap(linesOf).join('');
    }
  }
  yield openMetricsEnd;
}
