import type { Command } from '@commander-js/extra-typings';
import { formatEffectiveConfig } from '../config/file/effective-config.ts';
import {
  validateExternalUrl,
  validateHostName,
  validateListenAddress,
  validateRoutePrefix,
  validateTelemetryPath,
} from '../config/values/validators.ts';
import { countOf } from '../config/values/wording.ts';
import { type CommandContext, defineCommand, type FlagsOf } from './command.ts';
import { loadWithFlags, logFormat, logLevel, withWebConfig } from './config-flags.ts';
import type { ExitCode } from './exit-code.ts';
import { collected, configFile, nonEmpty, validated } from './flags.ts';
import { readShard } from './shard.ts';

export type ServeFlags = FlagsOf<typeof addFlags>;

const addFlags = (command: Command, { environment }: CommandContext) =>
  command
    .addOption(configFile())
    .option('--config.check', 'validate the configuration without calling the API, print a summary and exit')
    .option('--config.auto-reload', 'reload the configuration when one of its files changes')
    .option(
      '--web.listen-address <address>',
      'address to listen on; repeat the flag for more addresses; overrides the configuration file (default: ":10380", on all interfaces)',
      collected(validated(validateListenAddress)),
    )
    .option(
      '--web.telemetry-path <path>',
      'path of the metrics page; overrides the configuration file (default: "/metrics")',
      validated(validateTelemetryPath),
    )
    .option(
      '--web.external-url <url>',
      'URL at which users reach the exporter, such as the URL of a reverse proxy; its path precedes all paths and links',
      validated(validateExternalUrl),
    )
    .option(
      '--web.route-prefix <path>',
      'path that precedes all paths of requests (default: path of --web.external-url)',
      validated(validateRoutePrefix),
    )
    .option('--web.disable-exporter-metrics', 'omit the metrics process_* and nodejs_*')
    .option(
      '--web.config.file <file>',
      'YAML file with TLS, logins and headers, as in other exporters; see docs/security.md',
      nonEmpty,
    )
    .option(
      '--web.allowed-hosts <names>',
      'host names that requests may use, separated by commas; localhost and IP addresses are always allowed; see docs/security.md (default: any name)',
      collected((written) => written.split(',').map(validated(validateHostName))),
    )
    .option('--web.enable-lifecycle', 'reload the configuration on POST /-/reload')
    .option('--web.systemd-socket', 'listen on sockets of systemd instead of addresses')
    .option(
      '--web.health-address <address>',
      'additional address with only /-/healthy and /-/ready, without TLS and login, for probes',
      validated(validateListenAddress),
    )
    .option(
      '--shard <i/n>',
      'poll only shard i of n shards, such as 2/5; auto reads n from SHARD_COUNT, and i from SHARD_INDEX: a number from 0, or a pod name that ends in this number',
      (written: string) => readShard(written, environment),
    )
    .addOption(logLevel())
    .addOption(logFormat());

export const command = defineCommand(
  'Poll the accounts and serve their metrics. SIGHUP reloads the configuration.',
  addFlags,
  async (flags, context) => {
    if (flags['config.check']) return checkConfiguration(flags, context);
    // Import serving.ts here, because a check of the configuration does not need the module.
    return (await import('./serving.ts')).pollAndServe(flags, context);
  },
);

/** Prints a valid configuration with all defaults, and the warnings. Rejects with ConfigError for an invalid one. */
async function checkConfiguration(flags: ServeFlags, context: CommandContext): Promise<ExitCode> {
  const warnings: string[] = [];
  const loading = loadWithFlags(flags, context, (warning) => warnings.push(warning));
  const [config, webConfig] = await withWebConfig(loading, flags['web.config.file']);
  warnings.push(...webConfig.warnings);
  const { accounts, otherAccounts = [] } = config;
  const all = countOf(accounts.length + otherAccounts.length, 'account');
  const selected = otherAccounts.length === 0 ? all : `the flags select ${accounts.length} of ${all}`;
  context.stdout.write(await formatEffectiveConfig(config));
  context.stdout.write(`The configuration is valid: ${selected}, ${countOf(warnings.length, 'warning')}.\n`);
  for (const warning of warnings) context.stdout.write(`warning: ${warning}\n`);
  return 0;
}
