import { collectors } from '../collectors/list.ts';
import type { AccountConfig } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import type { ServeArguments } from './arguments.ts';
import type { Host } from './host.ts';

/** Says what a good configuration holds; a bad one throws ConfigError. */
export function checkConfiguration(args: ServeArguments, host: Host): number {
  const { config, warnings } = loadConfig(args.configFile, host.environment, args);
  for (const warning of warnings) host.stderr.write(`warning: ${warning}\n`);
  host.stdout.write(`The configuration is good. Accounts: ${config.accounts.length}\n`);
  for (const account of config.accounts) host.stdout.write(`  ${account.name}: ${describeCollectors(account)}\n`);
  return 0;
}

function describeCollectors(account: AccountConfig): string {
  const enabled = collectors.filter(({ name }) => account.collectors[name]?.enabled === true);
  return `${enabled.map(({ name }) => name).join(', ')}, at ${account.api.baseUrl}`;
}
