import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Dialect, dialects } from '../api/dialect.ts';
import { listenAddressComplaint } from '../config/listen-address.ts';
import { closest } from '../config/suggestion.ts';
import { telemetryPathComplaint } from '../config/telemetry-path.ts';
import { type LogOptions, logFormats, logLevels } from '../log.ts';
import { parseShard, type Shard } from './shard.ts';

/** What the command line asks for. Nothing has been read, checked or done yet. */
export type Arguments =
  | HelpArguments
  | VersionArguments
  | ServeArguments
  | OnceArguments
  | CheckArguments
  | RulesArguments
  | SandboxArguments
  | DemoArguments;

export interface HelpArguments {
  readonly command: 'help';
  /** For stdout, as it is. */
  readonly text: string;
}

export interface VersionArguments {
  readonly command: 'version';
}

interface LogFlags {
  readonly log: LogOptions;
}

interface ConfigFlags extends LogFlags {
  /** Undefined: the environment describes one account. */
  readonly configFile: string | undefined;
}

export interface ServeArguments extends ConfigFlags {
  readonly command: 'serve';
  /** Only check the configuration, say what it holds, and end. */
  readonly configCheck: boolean;
  /** Undefined: all accounts. */
  readonly shard: Shard | undefined;
  /** Undefined: as the configuration says. */
  readonly listenAddress: string | undefined;
  /** Undefined: as the configuration says. */
  readonly telemetryPath: string | undefined;
}

export interface OnceArguments extends ConfigFlags {
  readonly command: 'once';
  /** Undefined: all. */
  readonly accounts: readonly string[] | undefined;
  /** Undefined: stdout. */
  readonly output: string | undefined;
}

export interface CheckArguments extends ConfigFlags {
  readonly command: 'check';
  /** Undefined: all. */
  readonly accounts: readonly string[] | undefined;
  /** For programs instead of people. */
  readonly json: boolean;
}

export interface RulesArguments extends ConfigFlags {
  readonly command: 'rules';
  /** The folder to write to. */
  readonly output: string;
}

export interface SandboxArguments extends LogFlags {
  readonly command: 'sandbox';
  readonly dialect: Dialect;
  /** 0: any free one. */
  readonly port: number;
  /** How many times faster than real time its clock runs. */
  readonly speed: number;
}

export interface DemoArguments extends LogFlags {
  readonly command: 'demo';
  /** Undefined: the demo's own. */
  readonly listenAddress: string | undefined;
}

/** A command line that makes no sense. The message is fit for stderr as it is; the program ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const commands = {
  serve: 'poll the accounts and serve their metrics (the default)',
  once: 'poll everything once, print the metrics and end',
  check: 'try out every account and collector, and say what will work',
  rules: 'write the alert rules, with thresholds of your own',
  sandbox: "serve a stand-in of the provider's API, for trying things out",
  demo: 'run sandbox and exporter together, and say where to look',
} as const;

type CommandName = keyof typeof commands;

const reading = ['serve', 'once', 'check', 'rules'] as const;

/** A flag and the commands that it belongs to; without any it belongs to all. */
interface Flag {
  readonly option: Option;
  readonly commands?: readonly CommandName[];
}

interface Flags {
  readonly 'config.file'?: string;
  readonly 'config.check'?: true;
  readonly 'web.listenAddress'?: string;
  readonly 'web.telemetryPath'?: string;
  readonly shard?: Shard;
  readonly account?: readonly string[];
  readonly output?: string;
  readonly json?: true;
  readonly dialect: Dialect;
  readonly port: number;
  readonly speed: number;
  readonly 'log.level': LogOptions['level'];
  readonly 'log.format': LogOptions['format'];
  readonly help?: true;
  readonly version?: true;
}

/** Reads the command line, program and script left out. Throws UsageError. Flags may stand before and after the command. */
export function parseArguments(argv: readonly string[]): Arguments {
  const known = createFlags();
  const program = createProgram(known);
  const name = parse(program, argv);
  const flags = program.opts<Flags>();
  if (flags.help === true || name === 'help') return { command: 'help', text: program.helpInformation() + moreHelp };
  if (flags.version === true) return { command: 'version' };
  if (!isCommand(name)) throw new UsageError(`unknown command '${name}'; ${adviceFor(name, Object.keys(commands))}`);
  checkFlags(program, known, name);
  const log = { level: flags['log.level'], format: flags['log.format'] };
  const common = { configFile: flags['config.file'], log };
  switch (name) {
    case 'serve':
      return {
        command: name,
        configCheck: flags['config.check'] ?? false,
        shard: flags.shard,
        listenAddress: flags['web.listenAddress'],
        telemetryPath: flags['web.telemetryPath'],
        ...common,
      };
    case 'once':
      return { command: name, accounts: flags.account, output: flags.output, ...common };
    case 'check':
      return { command: name, accounts: flags.account, json: flags.json ?? false, ...common };
    case 'rules':
      if (flags.output === undefined) throw new UsageError('rules needs --output, the folder to write the rules to');
      return { command: name, output: flags.output, ...common };
    case 'sandbox':
      return { command: name, dialect: flags.dialect, port: flags.port, speed: flags.speed, log };
    case 'demo':
      return { command: name, listenAddress: flags['web.listenAddress'], log };
  }
}

function createFlags(): readonly Flag[] {
  return [
    {
      commands: reading,
      option: new Option('--config.file <file>', 'YAML file to read: accounts, or thresholds for rules').argParser(
        value,
      ),
    },
    {
      commands: ['serve'],
      option: new Option('--config.check', 'check the configuration and end'),
    },
    {
      commands: ['serve', 'demo'],
      option: new Option('--web.listen-address <address>', 'where to listen (default :10380)').argParser(
        checked(listenAddressComplaint),
      ),
    },
    {
      commands: ['serve'],
      option: new Option('--web.telemetry-path <path>', 'path of the metrics page (default /metrics)').argParser(
        checked(telemetryPathComplaint),
      ),
    },
    {
      commands: ['serve'],
      option: new Option('--shard <i/n>', 'watch only the i-th of n shares of the accounts').argParser(shard),
    },
    {
      commands: ['once', 'check'],
      option: new Option('--account <name>', 'only this account; may be given several times').argParser(collected),
    },
    {
      commands: ['once', 'rules'],
      option: new Option('--output <path>', 'file for the metrics, folder for the rules').argParser(value),
    },
    {
      commands: ['check'],
      option: new Option('--json', 'print the findings as JSON'),
    },
    {
      commands: ['sandbox'],
      option: new Option('--dialect <dialect>', 'of its answers: specification (default) or provider')
        .choices(dialects)
        .default('specification'),
    },
    {
      commands: ['sandbox'],
      option: new Option('--port <number>', 'port to listen on, 0 for any (default 10381)')
        .argParser(port)
        .default(10_381),
    },
    {
      commands: ['sandbox'],
      option: new Option('--speed <number>', 'how fast its clock runs (default 1)').argParser(speed).default(1),
    },
    {
      option: new Option('--log.level <level>', 'debug, info, warn or error (default info)')
        .choices(logLevels)
        .default('info'),
    },
    {
      option: new Option('--log.format <format>', 'logfmt (default) or json, to stderr')
        .choices(logFormats)
        .default('logfmt'),
    },
    { option: new Option('--version', 'print the version') },
    { option: new Option('-h, --help', 'print this page') },
  ];
}

function createProgram(flags: readonly Flag[]): Command {
  const list = Object.entries(commands).map(([name, summary]) => `  ${name.padEnd(8)} ${summary}`);
  const program = new Command('hosting-account-exporter')
    .usage('[command] [flags]')
    .description(
      ['Prometheus exporter for accounts on a shared-hosting provider.', '', 'Commands:', ...list].join('\n'),
    )
    .argument('[command]')
    .allowExcessArguments(false)
    .helpOption(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeErr: () => {}, getOutHelpWidth: () => 80, getOutHasColors: () => false })
    .configureHelp({ visibleArguments: () => [], optionDescription: ({ description }) => description })
    .action(() => {});
  for (const { option, commands: own } of flags) {
    program.addOption(option.helpGroup(`Flags of ${own === undefined ? 'all commands' : own.join(', ')}:`));
  }
  return program;
}

const moreHelp = `
Without --config.file, one account is read from the environment:
  HOSTING_BASE_URL         address of the API
  HOSTING_LOGIN            with HOSTING_PASSWORD or HOSTING_PASSWORD_FILE
  HOSTING_TOKEN            or HOSTING_TOKEN_FILE, instead of login and password
  HOSTING_ACCOUNT          name of the account in labels (default: the login)

Examples:
  hosting-account-exporter demo
  hosting-account-exporter --config.file=config.yml
  hosting-account-exporter --config.file=config.yml --config.check
  hosting-account-exporter check --config.file=config.yml --account=bakery
  hosting-account-exporter once --config.file=config.yml --output=hosting.prom
  hosting-account-exporter rules --config.file=thresholds.yml --output=alerts

The exporter listens on port 10380: http://localhost:10380/metrics
`;

/** The command that is named, which need not exist. */
function parse(program: Command, argv: readonly string[]): string {
  try {
    program.parse(argv, { from: 'user' });
    return program.args[0] ?? 'serve';
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const message = error.message.replace(/^error: |\.$/g, '');
    const [, unknown] = /^unknown option '(-[^'=]*)/.exec(message) ?? [];
    throw new UsageError(
      `${message}; ${adviceFor(
        unknown,
        program.options.map(({ long }) => long ?? ''),
      )}`,
    );
  }
}

function adviceFor(unknown: string | undefined, candidates: readonly string[]): string {
  const suggestion = closest(unknown ?? '', candidates);
  return suggestion === undefined ? 'see --help' : `did you mean ${suggestion}?`;
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** Refuses flags that the command would silently ignore. */
function checkFlags(program: Command, flags: readonly Flag[], name: CommandName): void {
  for (const { option, commands: own } of flags) {
    const given = program.getOptionValueSource(option.attributeName()) === 'cli';
    if (!given || own === undefined || own.includes(name)) continue;
    throw new UsageError(`option '${option.long}' is of no use with ${name}; it belongs to ${own.join(', ')}`);
  }
}

/** A flag after a flag that wants a value is a forgotten value. */
function value(written: string): string {
  if (written === '') throw new InvalidArgumentError('It is empty.');
  if (written.startsWith('--')) throw new InvalidArgumentError('It is a flag: a value is missing.');
  return written;
}

function collected(written: string, former: readonly string[] = []): readonly string[] {
  return [...former, value(written)];
}

function checked(complaint: (text: string) => string | undefined): (written: string) => string {
  return (written) => {
    const message = complaint(value(written));
    if (message !== undefined) throw new InvalidArgumentError(`It ${message}.`);
    return written;
  };
}

function shard(written: string): Shard {
  const parsed = parseShard(value(written));
  if (parsed === undefined) throw new InvalidArgumentError('It is not a share; write for example 2/5.');
  return parsed;
}

function port(written: string): number {
  const number = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (!(number <= 65_535)) throw new InvalidArgumentError('It is not a port; write a number from 0 to 65535.');
  return number;
}

function speed(written: string): number {
  const number = /^\d{1,7}(?:\.\d+)?$/.test(written) ? Number(written) : 0;
  if (!(number > 0)) throw new InvalidArgumentError('It is not a speed; write a number such as 1 or 60.');
  return number;
}
