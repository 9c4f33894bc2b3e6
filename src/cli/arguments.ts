import { Command, Option } from 'commander';
import { type Dialect, dialects } from '../api/dialect.ts';
import { validateListenAddress } from '../config/listen-address.ts';
import { validateTelemetryPath } from '../config/telemetry-path.ts';
import { type LogOptions, logFormats, logLevels } from '../log-options.ts';
import { type Language, languages } from '../rules/language.ts';
import { cost, days, nonEmpty, pastTime, port, shard, speed, step, targetLabel, validated } from './flag-values.ts';
import type { Host } from './host.ts';
import type { Shard } from './shard.ts';

/** A parsed command line. No file has been read yet. */
export type Arguments =
  | ServeArguments
  | OnceArguments
  | CheckArguments
  | HistoryArguments
  | RulesArguments
  | SandboxArguments
  | DemoArguments
  | HashPasswordArguments
  | HealthyArguments;

interface CommonArguments {
  /** Flags whose values are ignored: one line each. */
  readonly warnings: readonly string[];
}

interface LogArguments extends CommonArguments {
  readonly log: LogOptions;
}

export interface ServeArguments extends LogArguments {
  readonly command: 'serve';
  /** Undefined: the environment describes one account. */
  readonly configFile: string | undefined;
  /** Only validate the configuration, print a summary and exit. */
  readonly configCheck: boolean;
  /** Reload the configuration when its files change. */
  readonly autoReload: boolean;
  /** Undefined: all accounts. */
  readonly shard: Shard | undefined;
  /** Undefined: the configuration decides. */
  readonly listenAddresses: readonly string[] | undefined;
  /** Undefined: the configuration decides. */
  readonly telemetryPath: string | undefined;
  /** Undefined: no TLS and no login. */
  readonly webConfigFile: string | undefined;
  /** Listen on sockets that systemd has opened, instead of on addresses. */
  readonly systemdSocket: boolean;
  /** Whether a request can reload the configuration. */
  readonly enableLifecycle: boolean;
  /** Undefined: no separate address for health checks. */
  readonly healthAddress: string | undefined;
}

export interface OnceArguments extends LogArguments {
  readonly command: 'once';
  /** Undefined: the environment describes one account. */
  readonly configFile: string | undefined;
  /** Undefined: all accounts. */
  readonly accounts: readonly string[] | undefined;
  /** Undefined: stdout. */
  readonly output: string | undefined;
}

export interface CheckArguments extends CommonArguments {
  readonly command: 'check';
  /** Undefined: the environment describes one account. */
  readonly configFile: string | undefined;
  /** Undefined: all accounts. */
  readonly accounts: readonly string[] | undefined;
  readonly json: boolean;
}

export interface HistoryArguments extends CommonArguments {
  readonly command: 'history';
  /** Undefined: the environment describes one account. */
  readonly configFile: string | undefined;
  /** Undefined: all accounts. */
  readonly accounts: readonly string[] | undefined;
  /** Use the answers in the state directory, and call no method. */
  readonly fromState: boolean;
  readonly output: string;
  readonly days: number;
  /** Unix milliseconds; undefined: three hours ago. */
  readonly until: number | undefined;
  /** Milliseconds between two samples. */
  readonly step: number;
  /** The labels that Prometheus adds to a scraped series; `job` and `instance` come first. */
  readonly targetLabels: Readonly<Record<string, string>>;
}

export interface RulesArguments extends CommonArguments {
  readonly command: 'rules';
  /** Undefined: default thresholds. */
  readonly configFile: string | undefined;
  /** Of the alert texts. Undefined: the file of thresholds decides. */
  readonly language: Language | undefined;
  /** The directory to write to. */
  readonly output: string;
}

export interface SandboxArguments extends CommonArguments {
  readonly command: 'sandbox';
  readonly dialect: Dialect;
  /** 0: any free port. */
  readonly port: number;
  /** Speed of the sandbox clock as a multiple of real time. */
  readonly speed: number;
  /** Where to write the certificate; undefined: HTTP. */
  readonly tlsCertFile: string | undefined;
}

export interface DemoArguments extends LogArguments {
  readonly command: 'demo';
  /** Of the exporter. */
  readonly listenAddress: string;
  /** 0: any free port. */
  readonly sandboxPort: number;
  /** The file to write the history of the accounts to, before the exporter starts, unless it exists; undefined: none. */
  readonly historyOutput: string | undefined;
  /** The label `instance` of the history. */
  readonly historyInstance: string;
}

export interface HashPasswordArguments extends CommonArguments {
  readonly command: 'hash-password';
  /** Each step doubles the time of a login. */
  readonly cost: number;
}

export interface HealthyArguments extends CommonArguments {
  readonly command: 'healthy';
}

/** The flags of all commands, as commander names them. */
interface Flags {
  readonly 'config.file'?: string;
  readonly 'config.check'?: true;
  readonly 'web.listenAddress'?: readonly string[];
  readonly 'web.config.file'?: string;
  readonly 'config.autoReload'?: true;
  readonly 'web.enableLifecycle'?: true;
  readonly 'web.systemdSocket'?: true;
  readonly 'web.healthAddress'?: string;
  readonly 'web.telemetryPath'?: string;
  readonly shard?: Shard;
  readonly account?: readonly string[];
  readonly language?: string;
  readonly output?: string;
  readonly days: number;
  readonly step: number;
  readonly until?: number;
  readonly job: string;
  readonly instance: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly fromState?: true;
  readonly 'history.output'?: string;
  readonly 'history.instance': string;
  readonly json?: true;
  readonly dialect: Dialect;
  readonly port: number;
  readonly 'sandbox.port': number;
  readonly speed: number;
  readonly tlsCertFile?: string;
  readonly cost: number;
  readonly 'log.level': LogOptions['level'];
  readonly 'log.format': LogOptions['format'];
}

type ParseHost = Pick<Host, 'stdout' | 'stderr' | 'build' | 'environment'>;

const programName = 'hosting-account-exporter';

/**
 * Parses the command line, without program and script. For --help, --version and usage errors, commander prints to
 * stdout or stderr and throws CommanderError.
 */
export function parseArguments(argv: readonly string[], host: ParseHost): Arguments {
  let parsed: Arguments | undefined;
  const program = createProgram(host, (args) => {
    parsed = args;
  });
  program.parse(withCommand(argv.flatMap(splitValue)), { from: 'user' });
  if (parsed === undefined) throw new Error('commander ran no command');
  return parsed;
}

/** Not commander's default command, which would take a misspelled command as an argument and suggest none. */
function withCommand(argv: readonly string[]): readonly string[] {
  const [first = '-'] = argv;
  return first.startsWith('-') && !['-h', '--help'].includes(first) ? ['serve', ...argv] : argv;
}

/** Splits `--flag=value`: for an unknown flag, commander's suggestion would also compare the value. */
function splitValue(word: string): readonly string[] {
  const [, flag, value] = /^(--[^=]+)=(.*)$/.exec(word) ?? [];
  return flag === undefined || value === undefined ? [word] : [flag, value];
}

function createProgram(
  { stdout, stderr, build, environment }: ParseHost,
  onParsed: (args: Arguments) => void,
): Command {
  const program = new Command(programName)
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
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });

  function define(
    name: string,
    [summary, description]: readonly [string, string],
    options: readonly Option[],
    toArguments: (flags: Flags, warnings: readonly string[]) => Arguments,
  ): void {
    const command = program
      .command(name)
      .summary(summary)
      .description(description)
      .usage('[flags]')
      .optionsGroup('Flags:')
      .showHelpAfterError(`Run '${programName} ${name} --help' for usage.`);
    for (const option of options) command.addOption(option);
    const repeatedFlags = recordRepeatedFlags(command);
    command.action((flags: Flags) => onParsed(toArguments(flags, repeatedFlags())));
  }

  define(
    'serve',
    [
      'poll the accounts and serve their metrics (default)',
      'Poll the accounts and serve their metrics. SIGHUP reloads the configuration.',
    ],
    [
      configFile(),
      new Option('--config.check', 'validate the configuration without calling the API, print a summary and exit'),
      new Option('--config.auto-reload', 'reload the configuration when one of its files changes'),
      listenAddresses(
        'address to listen on; repeat the flag for more addresses; overrides the configuration file (default: ":10380", on all interfaces)',
      ),
      new Option(
        '--web.telemetry-path <path>',
        'path of the metrics page; overrides the configuration file (default: "/metrics")',
      ).argParser(validated(validateTelemetryPath)),
      new Option(
        '--web.config.file <file>',
        'YAML file with TLS, logins and headers, as of other exporters; see docs/security.md',
      ).argParser(nonEmpty),
      new Option('--web.enable-lifecycle', 'reload the configuration on POST /-/reload'),
      new Option('--web.systemd-socket', 'listen on sockets that systemd passes on, instead of on addresses'),
      new Option(
        '--web.health-address <address>',
        'additional address with only /-/healthy and /-/ready, without TLS and login, for probes',
      ).argParser(validated(validateListenAddress)),
      new Option(
        '--shard <i/n>',
        'poll only the i-th of n shares of the accounts, such as 2/5; auto takes the share from SHARD_INDEX, which counts from 0 or is the name of a pod, and SHARD_COUNT',
      ).argParser((written: string) => shard(written, environment)),
      ...logFlags(),
    ],
    (flags, warnings) => ({
      command: 'serve',
      configFile: flags['config.file'],
      configCheck: flags['config.check'] ?? false,
      autoReload: flags['config.autoReload'] ?? false,
      enableLifecycle: flags['web.enableLifecycle'] ?? false,
      shard: flags.shard,
      listenAddresses: flags['web.listenAddress'],
      telemetryPath: flags['web.telemetryPath'],
      webConfigFile: flags['web.config.file'],
      systemdSocket: flags['web.systemdSocket'] ?? false,
      healthAddress: flags['web.healthAddress'],
      log: logOptions(flags),
      warnings: [...warnings, ...ignoredAddresses(flags)],
    }),
  );
  define(
    'once',
    [
      'poll every account once, print the metrics and exit',
      "Poll every account once, print the metrics and exit, for example for node_exporter's textfile collector. Exits with 1 if a collector fails.",
    ],
    [
      configFile(),
      accountNames(),
      new Option('--output <file>', 'write the metrics to this file, device or FIFO instead of stdout').argParser(
        nonEmpty,
      ),
      ...logFlags(),
    ],
    (flags, warnings) => ({
      command: 'once',
      configFile: flags['config.file'],
      accounts: flags.account,
      output: flags.output,
      log: logOptions(flags),
      warnings,
    }),
  );
  define(
    'check',
    [
      'call the API and report which collectors work',
      'Call the API for each enabled collector, within the budget of the account. For a collector with one call per site, database or domain, make only the first call. Report which collectors work and how to fix the others. Exits with 1 if a collector fails. To validate only the configuration, without calling the API, use --config.check.',
    ],
    [configFile(), accountNames(), new Option('--json', 'print the results as JSON')],
    (flags, warnings) => ({
      command: 'check',
      configFile: flags['config.file'],
      accounts: flags.account,
      json: flags.json ?? false,
      warnings,
    }),
  );
  define(
    'history',
    [
      'write the load of the last 30 days for import into Prometheus',
      'Write the hourly and daily load and the daily database sizes that the API still knows, as OpenMetrics with timestamps, as if they had been scraped. Calls the API once for each site and database, within the budget of the account. Exits with 1 if a call fails. How to import the file into Prometheus and others: docs/history.md.',
    ],
    [
      configFile(),
      accountNames(),
      new Option('--output <file>', 'file to write').argParser(nonEmpty).makeOptionMandatory(),
      new Option('--from-state', 'use the newest answers in the state directory, and call no method'),
      new Option('--days <number>', 'days before now to begin at').argParser(days).default(30),
      new Option(
        '--until <time>',
        'last sample, such as 2026-06-01T12:00:00Z, or now (default: three hours ago)',
      ).argParser(pastTime),
      new Option('--step <duration>', 'time between two samples of a series')
        .argParser(step)
        .default(240_000, '4m, below the 5 minutes that Prometheus looks back'),
      new Option('--job <name>', 'label job of all series').argParser(nonEmpty).default('hosting'),
      instance('--instance <address>'),
      new Option('--label <name=value>', 'further label of the target; repeat the flag for more labels').argParser(
        targetLabel,
      ),
    ],
    (flags, warnings) => ({
      command: 'history',
      configFile: flags['config.file'],
      accounts: flags.account,
      fromState: flags.fromState ?? false,
      output: flags.output ?? '',
      days: flags.days,
      until: flags.until,
      step: flags.step,
      targetLabels: { job: flags.job, instance: flags.instance, ...flags.label },
      warnings,
    }),
  );
  define(
    'rules',
    [
      'write the alert rules, optionally with custom thresholds',
      'Write the alert rules. Without --config.file, also write the default thresholds to thresholds.yml, as a template.',
    ],
    [
      new Option('--config.file <file>', 'YAML file of custom thresholds').argParser(nonEmpty),
      new Option('--language <language>', 'language of the alert texts').choices(languages),
      new Option('--output <directory>', 'directory to write to').argParser(nonEmpty).makeOptionMandatory(),
    ],
    (flags, warnings) => ({
      command: 'rules',
      configFile: flags['config.file'],
      language: languages.find((one) => one === flags.language),
      output: flags.output ?? '',
      warnings,
    }),
  );
  define(
    'sandbox',
    [
      'run the built-in API server for trials and tests',
      'Run the built-in API server for trials and tests, with sample accounts and faults on request.',
    ],
    [
      new Option('--dialect <dialect>', 'respond as the API specification says, or as the live provider does')
        .choices(dialects)
        .default('specification'),
      new Option('--port <number>', 'port to listen on, on 127.0.0.1; 0 for any free port')
        .argParser(port)
        .default(10_381),
      new Option('--speed <factor>', 'speed of the sandbox clock, as a multiple of real time')
        .argParser(speed)
        .default(1),
      new Option(
        '--tls-cert-file <file>',
        'serve HTTPS with a new self-signed certificate, and write the certificate to this file, for ca_file',
      ).argParser(nonEmpty),
    ],
    ({ dialect, port, speed, tlsCertFile }, warnings) => ({
      command: 'sandbox',
      dialect,
      port,
      speed,
      tlsCertFile,
      warnings,
    }),
  );
  define(
    'demo',
    [
      'run the sandbox and the exporter together',
      'Run the sandbox and the exporter together, with short intervals, and print the URLs to open.',
    ],
    [
      new Option('--port <number>', 'port of the exporter, on 127.0.0.1; 0 for any free port')
        .argParser(port)
        .default(10_380),
      new Option('--web.listen-address <address>', 'address to listen on, instead of --port on 127.0.0.1').argParser(
        validated(validateListenAddress),
      ),
      new Option('--sandbox.port <number>', 'port of the sandbox, on 127.0.0.1; 0 for any free port')
        .argParser(port)
        .default(0),
      new Option(
        '--history.output <file>',
        'first write the history of the accounts to this file, unless it exists; see docs/history.md',
      ).argParser(nonEmpty),
      instance('--history.instance <address>'),
      ...logFlags('warn'),
    ],
    (flags, warnings) => ({
      command: 'demo',
      listenAddress: flags['web.listenAddress']?.toString() ?? `127.0.0.1:${flags.port}`,
      sandboxPort: flags['sandbox.port'],
      historyOutput: flags['history.output'],
      historyInstance: flags['history.instance'],
      log: logOptions(flags),
      warnings,
    }),
  );
  define(
    'hash-password',
    [
      'print the bcrypt hash of a password',
      'Read a password from stdin, or from the terminal without showing it, and print its bcrypt hash, for basic_auth_users in the file of --web.config.file.',
    ],
    [
      new Option('--cost <number>', 'cost of the hash, from 10 to 14; each step doubles the time of a login')
        .argParser(cost)
        .default(10),
    ],
    ({ cost }, warnings) => ({ command: 'hash-password', cost, warnings }),
  );
  define(
    'healthy',
    [
      'ask the running exporter whether it is healthy',
      'Ask the exporter that runs on this machine, or in this container, whether it is healthy. Finds its address in /proc. Exits with 1 if no exporter runs or one is not healthy.',
    ],
    [],
    (_flags, warnings) => ({ command: 'healthy', warnings }),
  );
  return program;
}

const moreHelp = `
Without a command, serve runs. Flags follow the command. To list them, run
  ${programName} <command> --help

Without --config.file, the environment describes one account:
  HOSTING_BASE_URL         URL of the API
  HOSTING_LOGIN            with HOSTING_PASSWORD or HOSTING_PASSWORD_FILE
  HOSTING_TOKEN            or HOSTING_TOKEN_FILE, instead of login and password
  HOSTING_ACCOUNT          value of the label account (default: the login)

Exit codes: 0 success, 1 a collector failed or a signal interrupted, 2 invalid
flags, configuration or output file, 3 the port cannot be opened. All details:
docs/configuration.md.

Examples:
  ${programName} demo
  ${programName} --config.file=config.yml
  ${programName} --config.file=config.yml --config.check
  ${programName} check --config.file=config.yml --account=bakery
  ${programName} once --config.file=config.yml --output=hosting.prom
  ${programName} history --config.file=config.yml --output=history.om
  ${programName} rules --config.file=thresholds.yml --output=alerts

The metrics are at http://localhost:10380/metrics. Port 10380 is open on all
interfaces, without a login. To limit it to this machine, run the exporter with
the flag --web.listen-address=127.0.0.1:10380.
`;

/** Records the flags of a command while it is parsed. The returned function warns of flags given more than once. */
function recordRepeatedFlags(command: Command): () => readonly string[] {
  const given = new Map<string, unknown[]>();
  for (const option of command.options) {
    // These flags take several values.
    if (
      option.long === '--account' ||
      option.long === '--label' ||
      (command.name() === 'serve' && option.long === '--web.listen-address')
    )
      continue;
    command.on(`option:${option.name()}`, (written: unknown) => {
      const name = `--${option.name()}`;
      given.set(name, [...(given.get(name) ?? []), written]);
    });
  }
  return () =>
    [...given].flatMap(([name, values]) => {
      if (values.length === 1) return [];
      const texts = values.filter((text) => typeof text === 'string');
      const which = texts.length === 0 ? '' : `: ${texts.join(', ')}; the last value applies`;
      return [`${name} is given ${values.length} times${which}`];
    });
}

function configFile(): Option {
  return new Option(
    '--config.file <file>',
    'YAML configuration file; without it, the environment describes one account',
  ).argParser(nonEmpty);
}

function accountNames(): Option {
  return new Option('--account <name>', 'only this account; repeat the flag for more accounts').argParser(
    (written: string, previous: readonly string[] = []) => [...previous, nonEmpty(written)],
  );
}

function instance(flags: string): Option {
  return new Option(flags, 'label instance of all series: the address of the exporter, as Prometheus scrapes it')
    .argParser(nonEmpty)
    .default('localhost:10380');
}

function listenAddresses(description: string): Option {
  const validate = validated(validateListenAddress);
  return new Option('--web.listen-address <address>', description).argParser(
    (written: string, previous: readonly string[] = []) => [...previous, validate(written)],
  );
}

function logFlags(level: LogOptions['level'] = 'info'): readonly Option[] {
  return [
    new Option('--log.level <level>', 'lowest level of messages to log, to stderr').choices(logLevels).default(level),
    new Option('--log.format <format>', 'format of log messages').choices(logFormats).default('logfmt'),
  ];
}

function ignoredAddresses(flags: Flags): readonly string[] {
  if (flags['web.systemdSocket'] !== true || flags['web.listenAddress'] === undefined) return [];
  return ['--web.listen-address is ignored, because --web.systemd-socket is given'];
}

function logOptions(flags: Flags): LogOptions {
  return { level: flags['log.level'], format: flags['log.format'] };
}
