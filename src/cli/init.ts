import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveConfig } from '../config/file/resolve.ts';
import { writeError } from '../config/values/config-error.ts';
import { packageFolder } from '../config/values/package-folder.ts';
import { validateSecret } from '../config/values/secret.ts';
import { validateAccountName, validateBaseUrl, validateTimeZone } from '../config/values/validators.ts';
import type { Language } from '../rules/languages.ts';
import { advise, type ResultOfCheck } from './check/advice.ts';
import { type AccountResult, isHealthy } from './check/check.ts';
import { checkAll, checkReport } from './check.ts';
import { type CommandContext, defineCommand, ExitError } from './command.ts';
import { inLanguage, language, nonEmpty, validated } from './flags.ts';
import { ask, readPassword } from './input.ts';

interface Access {
  readonly baseUrl: string;
  readonly login: string;
  /** The name of the account in metrics. */
  readonly account: string;
  readonly timeZone: string;
  readonly password: string;
}

export const command = defineCommand(
  'Ask for the URL of the API, and for the login and password of one account. Check the account like the command check. If the API accepts the login, write config.yml, and a password file that only you can read. Existing files are never replaced. Without a terminal, the flags contain the answers, and stdin contains the password. The exit codes are those of check.',
  (command) =>
    command
      .option('--base-url <url>', 'URL of the API, such as https://api.example.com/api', validated(validateBaseUrl))
      .option('--login <login>', 'login of the account', validated(validateAccountName))
      .option('--account <name>', 'name of the account in metrics (default: the login)', validated(validateAccountName))
      .option(
        '--time-zone <zone>',
        'time zone of the provider, such as Europe/Moscow (default: that of this machine)',
        validated(validateTimeZone),
      )
      .option('--directory <folder>', 'folder of the files, created if it does not exist', nonEmpty, '.')
      .addOption(language().default('en' as const)),
  async ({ directory, language, ...flags }, given) => {
    const context = { ...inLanguage(given, language), language };
    const configFile = join(directory, 'config.yml');
    if (existsSync(configFile)) {
      throw new ExitError(2, `error: ${configFile} exists; name another --directory, or edit the file`);
    }
    await mkdir(directory, { recursive: true }).catch((error: unknown) => {
      throw writeError(directory, error);
    });
    const { access, result } = await findAccess(flags, context);
    const passwordFile = join(directory, passwordFileOf(access));
    await create(passwordFile, `${access.password}\n`, 0o600);
    await create(configFile, configText(access), 0o644);
    context.stdout.write(`${checkReport([result], language)}
Wrote ${configFile} and ${passwordFile}. To start the exporter, run it with
  --config.file=${configFile}
`);
    return isHealthy(result) ? 0 : 1;
  },
);

/** Asks until the API accepts the login. Without a terminal, rejects with ExitError if the API rejects the login. */
async function findAccess(flags: Partial<Access>, context: CommandContext & { language: Language }) {
  const { isTTY } = context.stdin();
  for (let known = flags; ; ) {
    const access = await (isTTY ? askAll(known, context) : readAnswers(flags, context));
    const result = await check(access, context);
    if (result.connection === 'ok' && result.credentials === 'accepted')
      return withFittingZone(access, result, flags, context);
    const report = `${checkReport([result], context.language)}\nNothing was written.`;
    if (!isTTY) throw new ExitError(1, report);
    context.stderr.write(`\n${report} Enter keeps an answer in brackets.\n`);
    known = access;
  }
}

/** If the API's dates do not fit the time zone, suggests a zone. Without a terminal, uses this zone unless a flag sets the time zone. */
async function withFittingZone(access: Access, result: AccountResult, flags: Partial<Access>, context: CommandContext) {
  const { likely } = result.timeZoneDoubt ?? {};
  const { isTTY } = context.stdin();
  if (likely === undefined || (flags.timeZone !== undefined && !isTTY)) return { access, result };
  const question = `The dates of the API do not fit ${access.timeZone}. Time zone of the provider`;
  const timeZone = isTTY ? await askLine(context, question, validateTimeZone, likely) : likely;
  const advice = timeZone === likely ? advise({ ...result, timeZoneDoubt: undefined }) : result.advice;
  return { access: { ...access, timeZone }, result: { ...result, advice } };
}

async function readAnswers(flags: Partial<Access>, context: CommandContext): Promise<Access> {
  const { baseUrl, login } = flags;
  if (baseUrl === undefined || login === undefined)
    throw new ExitError(2, 'error: without a terminal, --base-url and --login are necessary');
  const password = await readPassword(context);
  const problem = validateSecret(password, 'password');
  if (problem !== undefined) throw new ExitError(2, `error: the password on stdin ${problem}`);
  return { account: login, timeZone: localTimeZone(), ...flags, baseUrl, login, password };
}

type Validate = (text: string) => string | undefined;

/** Asks until the answer is valid. Rejects with ExitError if the user cancels. `given`: the default. */
async function askLine(context: CommandContext, question: string, validate: Validate, given = '', hidden = false) {
  for (;;) {
    const typed = await ask(`${question}${given === '' ? '' : ` [${given}]`}: `, context, hidden);
    if (typed === undefined) throw new ExitError(1, '');
    const problem = validate(typed || given);
    if (problem === undefined) return typed || given;
    context.stderr.write(`  The answer ${problem}\n`);
  }
}

/** Asks all questions. The answers in `known` are the defaults. */
async function askAll(known: Partial<Access>, context: CommandContext): Promise<Access> {
  const line = (question: string, validate: Validate, given?: string) => askLine(context, question, validate, given);
  const validatePassword = (text: string) => validateSecret(text, 'password');
  const baseUrl = await line('URL of the API, such as https://api.example.com/api', validateBaseUrl, known.baseUrl);
  const login = await line('Login', validateAccountName, known.login);
  const account = await line('Name of the account in metrics', validateAccountName, known.account ?? login);
  const timeZone = await line('Time zone of the provider', validateTimeZone, known.timeZone ?? localTimeZone());
  const password = await askLine(context, 'Password for the API (not shown)', validatePassword, '', true);
  return { baseUrl, login, account, timeZone, password };
}

/** The time zone of this machine, or UTC if Node.js does not know it, for example with `TZ=:/etc/localtime`. */
function localTimeZone(): string {
  const { timeZone = '' } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return validateTimeZone(timeZone) === undefined ? timeZone : 'UTC';
}

/** Rejects with ExitError if a signal interrupts the calls. */
async function check(access: Access, context: CommandContext): Promise<AccountResult> {
  const { baseUrl, timeZone, account: name, login, password } = access;
  const settings = { api: { base_url: baseUrl, time_zone: timeZone }, accounts: [{ name, login, password }] };
  const { accounts } = resolveConfig(settings);
  const print = ({ collector, state }: ResultOfCheck) => context.stderr.write(`  ${collector}: ${state}\n`);
  const [result] = (await checkAll(accounts, context, undefined, print)) ?? [];
  if (result === undefined) throw new ExitError(1, '');
  return result;
}

/** The name of the password file. Contains the account name only if that name is short and simple. */
function passwordFileOf({ account }: Access): string {
  return `${/^[\w.-]{1,60}$/.test(account) ? account : 'account'}.password`;
}

/** Writes values as JSON, because a JSON scalar is also a YAML scalar. Escapes `${`, which would start a reference to a variable. */
function configText(access: Access): string {
  const { baseUrl, timeZone, account, login } = access;
  const schema = fileURLToPath(new URL('docs/configuration.schema.json', packageFolder));
  const scalar = (text: string) => JSON.stringify(text).replaceAll('${', '$$${');
  return `# yaml-language-server: $schema=${schema}
# docs/configuration.md describes every key.
api:
  base_url: ${scalar(baseUrl)}
  time_zone: ${scalar(timeZone)}
accounts:
  - name: ${scalar(account)}
    login: ${scalar(login)}
    password_file: ${passwordFileOf(access)}
`;
}

/** Creates a file with its final mode, so other users can never read a secret file. */
async function create(file: string, text: string, mode: number): Promise<void> {
  await writeFile(file, text, { mode, flag: 'wx' }).catch((error: unknown) => {
    throw writeError(file, error);
  });
}
