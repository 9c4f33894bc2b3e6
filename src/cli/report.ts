import { readFile } from 'node:fs/promises';
import type { Command } from '@commander-js/extra-typings';
import { App } from '../app.ts';
import type { AccountConfig } from '../config/values/config.ts';
import { ConfigError } from '../config/values/config-error.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import { validateBaseUrl } from '../config/values/validators.ts';
import type { TextContext } from '../pages/context.ts';
import { formatOf } from '../pages/format.ts';
import { languages, textsOf } from '../pages/language.ts';
import { changesOf, type FleetReport, fleetOf, fleetReport, problemList, reportAccounts } from '../pages/report.ts';
import { reportExitCodes, reportFormats } from '../pages/report-formats.ts';
import { identityOf } from '../polling/identity.ts';
import { readStateFile } from '../state/state-file.ts';
import { type CommandContext, defineCommand, type ExitCode, ExitError, type FlagsOf, Option } from './command.ts';
import { loadWithFlags, logFormat, logLevel, logWarning, openLog } from './config-flags.ts';
import { accountNames, collected, configFile, nonEmpty } from './flags.ts';
import { logPause } from './once.ts';
import { prepareOutput } from './output-file.ts';
import { pollOnce } from './poll-once.ts';

const formats = ['text', 'json', 'csv', 'html', 'nagios'] as const;

const addFlags = (command: Command) =>
  command
    .option('--url <url>', 'get the report of this running exporter, instead of polling every account once', nonEmpty)
    .option('--url.login-file <file>', 'file with user:password for that exporter', nonEmpty)
    .addOption(configFile())
    .addOption(accountNames())
    .option('--label <name=value>', 'only accounts with this label; repeat for more labels', collected(nonEmpty))
    .addOption(new Option('--format <format>', 'format of the report').choices(formats).default('text' as const))
    .addOption(new Option('--language <language>', 'language of the texts').choices(languages).default('en' as const))
    .addOption(new Option('--only <what>', 'omit accounts without problems').choices(['problems']))
    .option('--new <file>', 'only problems that began or ended since the last report with this file', nonEmpty)
    .addOption(logLevel('warn'))
    .addOption(logFormat());

type Flags = FlagsOf<typeof addFlags>;

export const command = defineCommand(
  'Print the problems of the accounts, as the pages show them. With --only or --new, the formats text and html print nothing if there is no problem or change. Exits with 0 if no account has a problem, 1 for a warning, 2 if an account is critical, and 3 if figures are unknown or the report fails.',
  addFlags,
  async (flags, context) => {
    try {
      return await report(flags, context);
    } catch (error) {
      if (!(error instanceof ExitError || error instanceof ConfigError)) throw error;
      if (flags.format === 'nagios') context.stdout.write(`HOSTING UNKNOWN: ${error.message.replaceAll('\n', ' ')}\n`);
      throw new ExitError(3, error.message, error);
    }
  },
);

async function report(flags: Flags, context: CommandContext): Promise<ExitCode> {
  const { url, account: names, only, format, new: memory } = flags;
  const all = url === undefined ? await poll(flags, context) : await ask(url, flags, context);
  const selected = fleetOf(all, (one) => names?.includes(one.account) !== false && hasLabels(one, flags));
  const unknown = names?.find((name) => !selected.accounts.some(({ account }) => account === name));
  const missing = unknown ?? (selected.accounts.length === 0 ? flags.label?.join(', ') : undefined);
  if (missing !== undefined) throw new ExitError(3, `error: ${missing}: there is no such account`);
  const write = memory === undefined ? undefined : await prepareOutput(memory);
  const { changes, open } = changesOf(selected, memory === undefined ? [] : await readMemory(memory));
  const accounts = selected.accounts.filter(({ state }) => only === undefined || state !== 'ok');
  const shown = memory === undefined ? { ...selected, accounts } : changes;
  const isSilent = (only ?? memory) !== undefined && shown.problems.length === 0 && /text|html/.test(format);
  if (!isSilent) context.stdout.write(reportFormats[format](textContext(flags), shown));
  await write?.(JSON.stringify(open));
  return reportExitCodes[shown.state];
}

function textContext({ language }: Flags): TextContext {
  return { language, texts: textsOf[language], format: formatOf(language, 'UTC'), now: Date.now() };
}

function hasLabels({ labels }: Pick<AccountConfig, 'labels'>, { label: wanted = [] }: Flags): boolean {
  const own = Object.entries(labels).map((label) => label.join('='));
  return wanted.every((one) => own.includes(one));
}

async function readMemory(file: string) {
  try {
    return problemList.parse(JSON.parse((await unlessCode(['ENOENT'], readFile(file, 'utf8'))) ?? '[]'));
  } catch (error) {
    throw new ExitError(3, `error: ${file} contains no report; delete the file, or name another file for --new`, error);
  }
}

async function poll(flags: Flags, context: CommandContext): Promise<FleetReport> {
  const log = openLog(flags, context);
  const config = await loadWithFlags(flags, context, logWarning(log));
  const accounts = config.accounts.filter((account) => hasLabels(account, flags));
  const app = new App({ ...config, accounts }, context.build, log);
  await pollOnce(app, context, logPause(log));
  // The state directory of an exporter contains figures of earlier days.
  const { stateDirectory } = config;
  for (const account of stateDirectory === undefined ? [] : accounts) {
    const saved = { name: account.name, identity: identityOf(account) };
    const { saved: { memory } = {} } = await readStateFile(stateDirectory ?? '', saved);
    const polled = app.fleet.account(account.name);
    if (polled !== undefined && memory !== undefined) polled.memory = memory;
  }
  const polled = await reportAccounts(textContext(flags), app.accounts, flags.new === undefined);
  await app.stop();
  if (context.signal.aborted) throw new ExitError(3, '');
  return polled;
}

async function ask(url: string, flags: Flags, context: CommandContext): Promise<FleetReport> {
  const loginFile = flags['url.loginFile'];
  const problem = loginFile === undefined ? undefined : validateBaseUrl(url);
  if (problem !== undefined) throw new ExitError(3, `error: --url: ${problem}`);
  try {
    const login = loginFile && (await readFile(loginFile, 'utf8')).trimEnd();
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
