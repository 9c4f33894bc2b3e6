import { loadConfig } from '../config/load.ts';
import { summarizeConfig } from '../config/summary.ts';
import { allOrProblems } from './all-problems.ts';
import type { ServeArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import type { Host } from './host.ts';
import { select } from './selection.ts';
import { openWebConfig } from './web-config.ts';

/** Prints a summary of a valid configuration; an invalid one rejects with a ConfigError. */
export async function checkConfiguration(args: ServeArguments, host: Host): Promise<ExitCode> {
  const [{ config, warnings }, webConfig] = await allOrProblems(
    loadConfig(args.configFile, host.environment, args),
    openWebConfig(args.webConfigFile),
  );
  const summary = { config: select(config, args), warnings: [...args.warnings, ...warnings, ...webConfig.warnings] };
  host.stdout.write(summarizeConfig(summary));
  return 0;
}
