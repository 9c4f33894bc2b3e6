import { identityOf } from '../account-identity.ts';
import { adviceFor } from '../api/reason-texts.ts';
import { App } from '../app.ts';
import { collectors } from '../collectors/list.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { forHistory, keptItems } from '../history/account-payloads.ts';
import { datedCollectors } from '../history/dated-collectors.ts';
import { type KeptItem, readHistory } from '../history/history-series.ts';
import { formatHistory, summarizeHistory } from '../history/open-metrics.ts';
import type { Log } from '../log.ts';
import type { Account } from '../polling/account.ts';
import type { AccountSnapshot } from '../polling/snapshot.ts';
import { readState } from '../state/read-state.ts';
import type { HistoryArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { HistoryProgress } from './history-progress.ts';
import { type Host, printWarnings } from './host.ts';
import { prepareOutput } from './output-file.ts';
import { select } from './selection.ts';
import { UsageError } from './usage-error.ts';

/** Writes the values that the API dates as scrapes would have stored them. Exit code 1 if something is missing. */
export async function history(args: HistoryArguments, host: Host): Promise<ExitCode> {
  const { config: loaded, warnings } = await loadConfig(args.configFile, host.environment);
  printWarnings(host, [...args.warnings, ...warnings]);
  const config = forHistory(select(loaded, args));
  if (config.accounts.every((account) => datedCollectors.every(({ name }) => !account.collectors[name]?.enabled))) {
    const names = datedCollectors.map(({ name }) => name).join(' and ');
    throw new UsageError(`error: nothing to write, because the collectors ${names} are disabled`);
  }
  return writeHistory(config, args, host);
}

/** What to write, and where to. */
type HistorySettings = Pick<HistoryArguments, 'fromState' | 'output' | 'days' | 'until' | 'step' | 'targetLabels'>;

/** Writes the history of these accounts, with only the collectors that it needs. Returns 1 if something is missing. */
export async function writeHistory(config: Config, settings: HistorySettings, host: Host): Promise<ExitCode> {
  const { fromState, output, days, step, targetLabels } = settings;
  const write = await prepareOutput(output);
  const payloads = fromState ? await readSaved(config) : await callApi(config, host);
  if (host.signal.aborted) return 1;
  const now = Date.now();
  const until = settings.until ?? now - untouchable;
  const options = { from: now - days * day, until, step, targetLabels };
  const problems = [...payloads.problems];
  const items = payloads.items.filter((item) => isReadable(item, problems));
  const summary = summarizeHistory(items, options);
  problems.push(...summary.issues.slice(0, maxIssues));
  if (summary.issues.length > maxIssues)
    problems.push(`and ${summary.issues.length - maxIssues} more impossible values`);
  for (const problem of problems) host.stderr.write(`${problem}\n`);
  if (summary.first === undefined || summary.last === undefined) {
    host.stderr.write(`No values from ${printTime(options.from)} to ${printTime(until)}: ${output} is not written.\n`);
    return 1;
  }
  try {
    await write(formatHistory(items, options), host.signal);
  } catch (error) {
    if (!host.signal.aborted) throw error;
    return 1;
  }
  const { series, samples, first, last } = summary;
  host.stderr.write(
    `Wrote ${output}: ${samples} samples of ${series} series, from ${printTime(first)} to ${printTime(last)}.\n`,
  );
  if (step > lookBack) host.stderr.write(farApart);
  return problems.length === 0 ? 0 : 1;
}

const day = 86_400_000;

/** Milliseconds before now: Prometheus still writes to this time, so that blocks must not touch it. */
const untouchable = 3 * 3_600_000;

/** Milliseconds that Prometheus looks back for the newest sample of a series. */
const lookBack = 5 * 60_000;

const farApart =
  'The samples are more than 5 minutes apart, so Prometheus shows them only to queries with a range: see docs/history.md.\n';

/** Impossible values to print. */
const maxIssues = 10;

/** The payloads for a history, and one sentence for everything that is missing. */
interface Payloads {
  readonly items: readonly KeptItem[];
  readonly problems: readonly string[];
}

/** Rounds of calls. The second and third repeat what failed for a reason that may pass. */
const rounds = 3;
const passingReasons: ReadonlySet<string | undefined> = new Set(['network', 'timeout', 'http', 'limit']);

/** Asks the API for the load of each site and database, within the budgets. */
async function callApi(config: Config, host: Host): Promise<Payloads> {
  const app = new App(config, host.build, silentLog);
  const stop = () => void app.stop();
  host.signal.addEventListener('abort', stop, { once: true });
  const progress = new HistoryProgress(app.accounts, host.stderr);
  try {
    await Promise.all(app.accounts.map(pollWithRetries));
    progress.end();
    const byName = new Map(app.accounts.map((account) => [account.name, account.snapshot()]));
    return {
      items: config.accounts.flatMap((account) => keptItems(account, byName.get(account.name) ?? noPayloads)),
      problems: app.accounts.flatMap(failuresOf),
    };
  } finally {
    progress.end();
    host.signal.removeEventListener('abort', stop);
    await app.stop();
  }
}

async function pollWithRetries(account: Account): Promise<void> {
  await account.pollOnce();
  for (let round = 1; round < rounds; round += 1) {
    const failed = account.pollers.filter(({ newest }) => passingReasons.has(newest?.decisive?.reason));
    await Promise.all(failed.map((poller) => poller.poll({ retryOnly: true })));
  }
}

function failuresOf({ name, pollers }: Account): readonly string[] {
  return pollers.flatMap(({ collector, newest }) => {
    const { decisive, failures } = newest ?? {};
    if (decisive === undefined || failures === undefined) return [];
    const calls = failures.length === 1 ? '' : `${failures.length} failures, such as: `;
    const advice = decisive.reason === 'bug' ? (decisive.stack ?? '') : adviceFor(decisive.reason);
    return [`${name}: ${collector.name}: ${calls}${decisive.message}\n  -> ${advice}`];
  });
}

const noPayloads: AccountSnapshot = { collectors: new Map() };

/** Failures are printed at the end. */
const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Reads what an exporter has saved. It may be running. */
async function readSaved({ stateDirectory: directory, accounts }: Config): Promise<Payloads> {
  if (directory === undefined) {
    throw new UsageError('error: --from-state: no state directory; set state.directory, or leave out the flag');
  }
  const versions = new Map(collectors.map(({ name, payloadVersion = 1 }) => [name, payloadVersion]));
  const items: KeptItem[] = [];
  const problems: string[] = [];
  for (const account of accounts) {
    const { state } = await readState(directory, { name: account.name, identity: identityOf(account) }, versions);
    const found = state === undefined ? [] : keptItems(account, state.polls);
    items.push(...found);
    if (found.length === 0)
      problems.push(`${account.name}: ${directory} has no load of this account\n  -> ${adviceForState}`);
  }
  return { items, problems };
}

const adviceForState =
  'Start the exporter with this configuration and wait for its first polls, or leave out --from-state.';

/** Whether the payload is one that a collector has written: a damaged file may contain anything. */
function isReadable(item: KeptItem, problems: string[]): boolean {
  try {
    const { series } = readHistory(item);
    if (series.every(({ values }) => values.every((value) => Object.values(value).every(Number.isFinite)))) return true;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
  }
  problems.push(`${item.account}: ${Object.values(item.item).join(' ')}: the saved load cannot be read`);
  return false;
}

function printTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
