import { loadConfig } from '../config/load.ts';
import { summarizeConfig } from '../config/summary.ts';
import type { ServeArguments } from './arguments.ts';
import type { Host } from './host.ts';
import { select } from './selection.ts';

/** Says what a right configuration holds; a wrong one throws ConfigError. */
export function checkConfiguration(args: ServeArguments, host: Host): number {
  const { config, warnings } = loadConfig(args.configFile, host.environment, args);
  host.stdout.write(summarizeConfig({ config: select(config, args), warnings }));
  return 0;
}
