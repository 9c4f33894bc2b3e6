import PQueue from 'p-queue';
import type { AccountConfig } from '../config/values/config.ts';
import { countOf } from '../config/values/wording.ts';
import { formatOf } from '../pages/format.ts';
import { inRussian } from '../pages/translate.ts';
import type { Language } from '../rules/languages.ts';
import { type AccountResult, checkAccount, isHealthy } from './check/check.ts';
import { Recorder } from './check/recorder.ts';
import { type CommandContext, defineCommand, ExitError } from './command.ts';
import { loadWithFlags, printWarning } from './config-flags.ts';
import { accountNames, configFile, inLanguage, language, nonEmpty, numberFrom, sandboxPort } from './flags.ts';
import { describePause } from './poll-once.ts';

/** Maximum number of accounts that are checked at the same time. Each account has its own budget. */
const concurrency = 20;

export const command = defineCommand(
  'Call the API for each enabled collector, within the budget of the account. For a collector with one call per site, database or domain, make only the first call; with --record, make all calls. Report which collectors work and how to fix the others. Exits with 1 if a collector fails. To validate only the configuration, without calling the API, use --config.check.',
  (command) =>
    command
      .addOption(configFile())
      .addOption(accountNames())
      .addOption(language().default('en' as const))
      .option('--json', 'print the results as JSON')
      .option(
        '--record <folder>',
        'save each answer of the API in this new folder, with substitutes for all names, addresses and texts, to send it to the developers; see docs/project/recordings.md',
        nonEmpty,
      )
      .option('--record.shift <days>', 'number of days by which all dates in the recording are moved', readDays),
  async ({ language, ...flags }, { stdout, ...rest }) => {
    const { json, record: folder, 'record.shift': shift } = flags;
    const context = inLanguage({ ...rest, stdout }, language);
    const { accounts } = await loadWithFlags(flags, context, printWarning(context));
    if (folder === undefined && shift !== undefined) throw new ExitError(2, '--record.shift: give --record as well');
    const recorder = folder === undefined ? undefined : new Recorder(folder, shift ?? 0);
    const results = await checkAll(accounts, context, recorder);
    recorder?.finish(`http://127.0.0.1:${sandboxPort}/api`);
    if (results === undefined) return 1;
    if (json) stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    else context.stdout.write(checkReport(results, language));
    if (recorder !== undefined) (json ? context.stderr : context.stdout).write(recordingReport(recorder));
    return results.every(isHealthy) ? 0 : 1;
  },
);

const notDays = 'It is not a number of days; write a whole number such as -30.';
const readDays = numberFrom(-9999, 9999, /^-?\d{1,4}$/, notDays);

/** Returns the results of all accounts; undefined if the process receives a signal to stop. */
export async function checkAll(
  accounts: readonly AccountConfig[],
  context: CommandContext,
  recorder?: Recorder,
  onResult?: Parameters<typeof checkAccount>[1]['onResult'],
) {
  const { stderr, signal } = context;
  const enabledOf = ({ collectors }: AccountConfig) => Object.values(collectors).filter(({ enabled }) => enabled);
  const total = countOf(accounts.flatMap(enabledOf).length, 'collector');
  stderr.write(`Checking ${total} of ${countOf(accounts.length, 'account')}, within the call budget.\n`);
  if (recorder !== undefined)
    stderr.write('A recording takes longer: it needs one call per site, database and domain.\n');
  const checks = accounts.map((account) => () => {
    const onPause = (milliseconds: number) => stderr.write(describePause(account.name, milliseconds));
    return checkAccount(account, { signal, onPause, onResult, onAnswer: recorder?.forAccount(account) });
  });
  try {
    return await new PQueue({ concurrency }).addAll(checks);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Translates table cells before it aligns them, and formats sizes for the language. The output stream translates all other texts. */
export function checkReport(results: readonly AccountResult[], language: Language = 'en'): string {
  const unhealthy = results.filter((result) => !isHealthy(result)).length;
  const which = results.length === 1 ? '1 account needs' : `${unhealthy} of ${results.length} accounts need`;
  const conclusion = unhealthy === 0 ? 'All collectors work.' : `${which} attention.`;
  return `${results.map((result) => accountReport(result, language)).join('\n')}\n${conclusion}\n`;
}

function accountReport(result: AccountResult, language: Language): string {
  const { account, baseUrl, collectors, advice } = result;
  const translate = language === 'en' ? String : inRussian;
  const rows = collectors.map(({ collector, state, reason, detail }) => {
    const ended = state === 'failed' && reason !== undefined ? `failed (${reason})` : state;
    return [collector, translate(ended), translate(detail)];
  });
  const table = alignColumns([['COLLECTOR', 'STATE', 'DETAIL'].map(translate), ...rows]);
  const heading = `${account}  ${baseUrl}\n  ${facts(result, language).join(' · ')}\n`;
  const lines = [heading, ...table.map((line) => `  ${line}`), ...advice.map((sentence) => `\n  -> ${sentence}`)];
  return `${lines.join('\n')}\n`;
}

const connections = {
  ok: 'reachable',
  foreign: 'NOT THE API',
  failing: 'RESPONDS WITH ERRORS',
  failed: 'NOT REACHABLE',
} as const;

function facts(result: AccountResult, language: Language): readonly string[] {
  const { connection, clockSkewSeconds, credentials, sites, databases, domains, callsPerMinute, budget } = result;
  const { diskUsedBytes: used, diskLimitBytes: limit, paidUntil } = result;
  const { bytes } = formatOf(language, 'UTC');
  return [
    connections[connection],
    clockSkewSeconds === undefined ? undefined : `clock skew ${clockSkewSeconds} s`,
    credentials === 'unknown' ? undefined : `credentials ${credentials}`,
    sites === undefined ? undefined : countOf(sites, 'site'),
    databases === undefined ? undefined : countOf(databases, 'database'),
    domains === undefined ? undefined : countOf(domains, 'domain'),
    used === undefined ? undefined : `disk ${bytes(used)}${limit === undefined ? '' : ` of ${bytes(limit)}`}`,
    paidUntil && `paid until ${paidUntil}`,
    `${callsPerMinute} of ${budget} calls per minute`,
  ].filter((fact) => fact !== undefined);
}

function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  return padded.map((row) => row.join('  ').trimEnd());
}

/** Maximum number of unknown fields that the report names. An answer can have many unknown fields, such as one per domain. */
const maxNamedFields = 20;

function recordingReport({ folder, answers, withSecret, anonymizer }: Recorder): string {
  const { replaced, unknownFields, keptWords } = anonymizer;
  const leftOut = `${countOf(withSecret, 'answer')} contained the password or token. Only the length of such answers is saved.\n`;
  const named = [...unknownFields].slice(0, maxNamedFields).join(', ');
  const fields = `The documentation does not name ${countOf(unknownFields.size, 'field')}: ${named}\n`;
  const kept = `Kept as words of states, because they are no name of the account elsewhere: ${keptWords.join(', ')}
If one of them is a name after all, do not send the folder.\n`;
  return `
Recorded ${countOf(answers, 'answer')} in ${folder}, with substitutes for ${countOf(replaced, 'different value')}.
Numbers, dates and documented words are kept.
${withSecret === 0 ? '' : leftOut}${unknownFields.size === 0 ? '' : fields}${keptWords.length === 0 ? '' : kept}
Before you send the folder, look through the files and search them for your names:
  less ${folder}/*/*
  grep -ri example.com ${folder}
docs/project/recordings.md describes how to send the folder, and how a developer replays the recording.
`;
}
