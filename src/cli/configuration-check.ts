import { loadConfig } from '../config/load.ts';
import { summarizeConfig } from '../config/summary.ts';
import type { ServeArguments } from './arguments.ts';
import type { Host } from './host.ts';

/** Says what a right configuration holds; a wrong one throws ConfigError. */
export function checkConfiguration(args: ServeArguments, host: Host): number {
  host.stdout.write(summarizeConfig(loadConfig(args.configFile, host.environment, args)));
  return 0;
}
