import type * as Typed from '@commander-js/extra-typings';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/values/config-error.ts';
import { type CommandContext, type CommandDefinition, type ExitCode, ExitError } from './command.ts';

/** Runs the command that the arguments name. Prints errors that the user can correct, and rejects with all other errors. */
export async function run(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  try {
    return await (await parseArguments(argv, context)).run();
  } catch (error) {
    // Commander has already printed the help, the version or the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof ExitError || error instanceof ConfigError)) throw error;
    const [, language = context.environment['HOSTING_LANGUAGE']] = /--language[ =](\w+)/.exec(argv.join(' ')) ?? [];
    const text = language === 'ru' ? (await import('../pages/translate.ts')).inRussian(error.message) : error.message;
    if (text !== '') context.stderr.write(`${text}\n`);
    return error instanceof ExitError ? error.code : 2;
  }
}

const programName = 'hosting-account-exporter';

/** Loads the module of a command only if the command runs. This makes `--help` four times as fast, and saves memory in `serve`. */
const commands: Readonly<
  Record<string, readonly [summary: string, load: () => Promise<{ readonly command: CommandDefinition }>]>
> = {
  serve: ['poll the accounts and serve their metrics (default)', () => import('./serve.ts')],
  once: ['poll every account once, print the metrics and exit', () => import('./once.ts')],
  init: ['ask for the login of one account, and write its configuration', () => import('./init.ts')],
  report: ['print the problems of the accounts, and changes', () => import('./report.ts')],
  check: ['call the API and report which collectors work', () => import('./check.ts')],
  history: ['write the load of the last 30 days for import into Prometheus', () => import('./history.ts')],
  rules: ['write the alert rules, optionally changed', () => import('./rules.ts')],
  sandbox: ['run the built-in API server for trials and tests', () => import('./sandbox.ts')],
  demo: ['run the sandbox and the exporter together', () => import('./demo.ts')],
  'hash-password': ['print the bcrypt hash of a password', () => import('./hash-password.ts')],
  healthy: ['check whether the running exporter is healthy', () => import('./healthy.ts')],
};

interface Invocation {
  readonly command: string;
  readonly flags: Readonly<Record<string, unknown>>;
  run(): Promise<ExitCode>;
}

/** Finds the command and its flags. For --help, --version and usage errors, prints a text and rejects with CommanderError. */
export async function parseArguments(argv: readonly string[], context: CommandContext): Promise<Invocation> {
  const words = withCommand(argv.flatMap(splitValue));
  const named = words.find((word) => Object.hasOwn(commands, word));
  let invocation: Invocation | undefined;
  const program = createProgram(context);
  for (const [name, [summary, load]] of Object.entries(commands)) {
    const command = program.command(name).summary(summary);
    if (name !== named) continue;
    const definition = (await load()).command;
    command.description(definition.description).usage('[flags]').optionsGroup('Flags:');
    command.showHelpAfterError(`Run '${programName} ${name} --help' for usage.`);
    definition.addFlags(command as unknown as Typed.Command, context);
    command.action((flags) => {
      invocation = { command: name, flags, run: () => definition.run(flags as never, context) };
    });
  }
  program.parse(words, { from: 'user' });
  if (invocation === undefined) throw new Error('commander ran no command');
  return invocation;
}

/** Adds `serve` if the first word is a flag. Removes `help` before an unknown command, so that commander reports the unknown command. */
function withCommand(argv: readonly string[]): readonly string[] {
  const [first = '-', named = '-'] = argv;
  if (first === 'version') return ['--version'];
  if (first === 'help' && !named.startsWith('-') && !Object.hasOwn(commands, named)) return argv.slice(1);
  return first.startsWith('-') && !['-h', '--help', '--version'].includes(first) ? ['serve', ...argv] : argv;
}

/** Splits `--flag=value`, so that commander ignores the value when it suggests a similar flag. */
function splitValue(word: string): readonly string[] {
  const [, flag, value] = /^(--[^=]+)=(.*)$/.exec(word) ?? [];
  return flag === undefined || value === undefined ? [word] : [flag, value];
}

function createProgram({ stdout, stderr, build }: CommandContext): Command {
  return new Command(programName)
    .usage('[command] [flags]')
    .description('Prometheus exporter for accounts on a shared-hosting provider.')
    .optionsGroup('Flags:')
    .version(`${programName} ${build.version} (${build.revision})`, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', moreHelp)
    .showHelpAfterError(`Run '${programName} --help' for usage.`)
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // An invalid URL may contain a password.
      writeErr: (text) => stderr.write(text.replace(/\/\/[^\s']*@/g, '//[login]@')),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

const moreHelp = `
Without a command, serve runs. Flags follow the command. To list them, run
  ${programName} <command> --help

Without --config.file, the environment describes one account:
  HOSTING_BASE_URL         URL of the API
  HOSTING_LOGIN            with HOSTING_PASSWORD or HOSTING_PASSWORD_FILE
  HOSTING_TOKEN            or HOSTING_TOKEN_FILE, instead of login and password
  HOSTING_ACCOUNT          value of the label account (default: the login)
  HOSTING_TIME_ZONE        of dates in API responses (default: UTC)

Exit codes: 0 success, 1 a collector failed or a signal interrupted, 2 invalid
flags, configuration or output file, 3 the port or state directory is in use.
All details: docs/configuration.md.

Examples:
  ${programName} demo
  ${programName} init
  ${programName} --config.file=config.yml
  ${programName} check --config.file=config.yml --account=bakery

The metrics are at http://localhost:10380/metrics. Port 10380 is open on all
interfaces, without a login. To limit it to this machine, run the exporter with
the flag --web.listen-address=127.0.0.1:10380.
`;
