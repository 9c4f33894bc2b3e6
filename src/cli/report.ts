import { readFile } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { App } from '../app.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { ConfigError, writeError } from '../config/values/config-error.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import { identityOf } from '../config/values/identity.ts';
import { readTextFileSync } from '../config/values/text-file.ts';
import { validateBaseUrl } from '../config/values/validators.ts';
import type { LogDestination } from '../log.ts';
import type { TextContext } from '../pages/context.ts';
import { formatOf } from '../pages/format.ts';
import { textsOf } from '../pages/language.ts';
import { changesOf, type FleetReport, fleetOf, fleetReport, problemList, reportAccounts } from '../pages/report.ts';
import { reportExitCodes, reportFormats } from '../pages/report-formats.ts';
import { defaultDays } from '../pages/view/problems.ts';
import { readStateFile } from '../state/state-file.ts';
import { type CommandContext, defineCommand, ExitError, type FlagsOf, Option } from './command.ts';
import { knownAccounts, loadWithFlags, logFormat, logLevel, logWarning, openLog } from './config-flags.ts';
import { accountNames, collected, configFile, language, nonEmpty, numberFrom } from './flags.ts';
import { logPause } from './once.ts';
import { prepareOutput } from './output-file.ts';
import { pollOnce } from './poll-once.ts';

const days = numberFrom(1, 9999, /^\d{1,4}$/, 'It is not a number of days.');
const formats = ['text', 'json', 'csv', 'html', 'mail', 'ics', 'nagios'] as const;

const addFlags = (command: Command) =>
  command
    .option('--url <url>', 'get the report of this running exporter, instead of polling every account once', nonEmpty)
    .option('--url.login-file <file>', 'file with user:password for that exporter', nonEmpty)
    .addOption(configFile())
    .addOption(accountNames())
    .option('--label <name=value>', 'only accounts with this label; repeat for more labels', collected(nonEmpty))
    .addOption(new Option('--format <format>', 'format of the report').choices(formats).default('text' as const))
    .addOption(language().default('en' as const))
    .addOption(new Option('--only <what>', 'omit accounts without problems').choices(['problems']))
    .option(
      '--days <number>',
      'with csv: for how many days the balance is to last after the payment',
      days,
      defaultDays,
    )
    .option('--new <file>', 'only problems that began or ended since the last report with this file', nonEmpty)
    .addOption(logLevel('warn'))
    .addOption(logFormat());

type Flags = FlagsOf<typeof addFlags>;

export const command = defineCommand(
  'Print the problems of the accounts, as the pages show them. With --only or --new, the formats text, html and mail print nothing if there is no problem or change. Exits with 0 if no account has a problem, 1 for a warning, 2 if an account is critical, and 3 if figures are unknown or the report fails.',
  addFlags,
  async (flags, context) => {
    let memory: Awaited<ReturnType<typeof openMemory>> | undefined;
    let outcome: Outcome;
    try {
      memory = flags.new === undefined ? undefined : await openMemory(flags.new);
      outcome = await report(flags, context, memory?.previous ?? []);
    } catch (error) {
      if (!(error instanceof ExitError || error instanceof ConfigError)) throw error;
      outcome = failure(error.message, flags, memory?.previous ?? []);
    }
    // Save the problems only after the output is written: if writing fails, the next run reports them again.
    await deliver(context.stdout, outcome.stdout);
    await deliver(context.stderr, outcome.stderr);
    await memory?.write(JSON.stringify(outcome.open)).catch((error: Error) => {
      throw new ExitError(3, error.message, error);
    });
    return outcome.code;
  },
);

type Problems = FleetReport['problems'];

/** The exit code and the output of a report. `open`: the problems with which the next report is compared. */
type Outcome = Awaited<ReturnType<typeof report>>;

async function report(flags: Flags, context: CommandContext, previous: Problems) {
  const { url, account: names, only, format, new: isShort } = flags;
  const all = url === undefined ? await poll(flags, context) : await ask(url, flags, context);
  const selected = fleetOf(all, (one) => names?.includes(one.account) !== false && hasLabels(one, flags));
  const unknown = names?.find((name) => !selected.accounts.some(({ account }) => account === name));
  const missing = unknown ?? (selected.accounts.length === 0 ? flags.label?.join(', ') : undefined);
  if (missing !== undefined) {
    const known = unknown === undefined ? '' : knownAccounts(all.accounts.map(({ account }) => account));
    throw new ExitError(3, `error: ${missing}: there is no such account${known}`);
  }
  const { changes, open } = changesOf(selected, previous);
  const ended = previous.filter(isFailure).map((one) => ({ ...one, change: 'ended' as const }));
  const accounts = selected.accounts.filter(({ state }) => only === undefined || state !== 'ok');
  const shown =
    isShort === undefined ? { ...selected, accounts } : { ...changes, problems: [...changes.problems, ...ended] };
  const isSilent = (only ?? isShort) !== undefined && shown.problems.length === 0 && /text|html|mail/.test(format);
  const stdout = isSilent ? '' : reportFormats[format](textContext(flags), shown, flags.days);
  return { code: reportExitCodes[shown.state], stdout, stderr: '', open };
}

/** The outcome of a report that failed. Except in the format nagios, omits a reason that the previous report had too. */
function failure(message: string, { format }: Flags, previous: Problems): Outcome {
  const failed = { account: 'report', state: 'failing' as const, kind: 'no report', text: message, collectors: [] };
  const open = [...previous.filter((one) => !isFailure(one)), ...(message === '' ? [] : [failed])];
  const stdout = format === 'nagios' ? `HOSTING UNKNOWN: ${message.replaceAll('\n', ' ')}\n` : '';
  if (stdout === '' && previous.some((one) => isFailure(one) && one.text === message))
    return { code: 0, stdout, stderr: '', open };
  return { code: 3, stdout, stderr: message && `${message}\n`, open };
}

const isFailure = ({ kind }: Problems[number]) => kind === 'no report';

/** Resolves when the text is written. Rejects with ExitError if the reader of the output is gone or the disk is full. */
async function deliver(output: LogDestination, text: string): Promise<void> {
  if (text === '') return;
  const error = await new Promise((resolve) => output.write(text, resolve));
  if (error) throw new ExitError(3, writeError('output', error).message, error);
}

/** Reads the problems of the previous report. If the file contains anything else, rejects and does not change the file. */
async function openMemory(file: string) {
  const write = await prepareOutput(file, 0o600);
  try {
    const text = await unlessCode(['ENOENT'], readFile(file, 'utf8'));
    return { previous: problemList.parse(JSON.parse(text || '[]')), write };
  } catch (error) {
    throw new ExitError(3, `error: ${file} contains no report; delete the file, or name another file for --new`, error);
  }
}

function textContext({ language }: Flags): TextContext {
  return { language, texts: textsOf[language], format: formatOf(language, 'UTC'), now: Date.now() };
}

function hasLabels({ labels }: Pick<AccountConfig, 'labels'>, { label: wanted = [] }: Flags): boolean {
  const own = Object.entries(labels).map((label) => label.join('='));
  return wanted.every((one) => own.includes(one));
}

async function poll(flags: Flags, context: CommandContext): Promise<FleetReport> {
  const log = openLog(flags, context);
  const config = await loadWithFlags(flags, context, logWarning(log));
  const accounts = config.accounts.filter((account) => hasLabels(account, flags));
  const app = new App({ ...config, accounts }, context.build, log);
  await pollOnce(app, context, logPause(log));
  // Read figures of earlier days from the exporter's state directory, if the configuration sets one.
  const { stateDirectory } = config;
  for (const account of stateDirectory === undefined ? [] : accounts) {
    const saved = { name: account.name, identity: identityOf(account) };
    const { saved: { memory } = {} } = await readStateFile(stateDirectory ?? '', saved);
    const polled = app.fleet.byName.get(account.name);
    if (polled !== undefined && memory !== undefined) polled.memory = memory;
  }
  const polled = await reportAccounts(textContext(flags), app.accounts, flags.new === undefined);
  await app.stop();
  if (context.signal.aborted) throw new ExitError(3, '');
  return polled;
}

async function ask(url: string, flags: Flags, context: CommandContext): Promise<FleetReport> {
  if (url.includes('@')) {
    const advice = 'write user:password in a file, and name it with --url.login-file';
    throw new ExitError(3, `error: --url: contains a login, which would be shown; ${advice}`);
  }
  const loginFile = flags['url.loginFile'];
  const problem = loginFile === undefined ? undefined : validateBaseUrl(url);
  if (problem !== undefined) throw new ExitError(3, `error: --url: ${problem}`);
  const file = loginFile === undefined ? { text: '' } : readTextFileSync(loginFile, 65_536, { regularOnly: false });
  if ('failure' in file) throw new ExitError(3, `error: --url.login-file: ${loginFile} ${file.failure}`);
  try {
    const login = file.text.trimEnd();
    const headers = login ? { authorization: `Basic ${Buffer.from(login).toString('base64')}` } : {};
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(20_000)]);
    const target = `${url.replace(/\/+$/, '')}/accounts.json?lang=${flags.language}${flags.new === undefined ? '&changes' : ''}`;
    const response = await fetch(target, { headers, redirect: 'error', signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return fleetReport.parse(await response.json());
  } catch (error) {
    const { message, cause } = error as Error;
    throw new ExitError(3, `error: ${url}: ${cause instanceof Error ? cause.message : message}`, error);
  }
}
