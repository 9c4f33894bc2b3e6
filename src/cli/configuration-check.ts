import { loadConfig } from '../config/load.ts';
import { summarizeConfig } from '../config/summary.ts';
import type { ServeArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import type { Host } from './host.ts';
import { select } from './selection.ts';

/** Prints a summary of a valid configuration; an invalid one throws ConfigError. */
export function checkConfiguration(args: ServeArguments, host: Host): ExitCode {
  const { config, warnings } = loadConfig(args.configFile, host.environment, args);
  const summary = { config: select(config, args), warnings: [...args.warnings, ...warnings] };
  host.stdout.write(summarizeConfig(summary));
  return 0;
}
