import { ConfigError } from '../config/config-error.ts';
import { parseArguments, UsageError } from './arguments.ts';
import { check } from './check.ts';
import { checkConfiguration } from './configuration-check.ts';
import { demo } from './demo.ts';
import type { Host } from './host.ts';
import { once } from './once.ts';
import { rules } from './rules.ts';
import { sandbox } from './sandbox.ts';
import { serve } from './serve.ts';

/** Runs the command that the command line names, and gives the exit code: 2 for a mistake in flags or configuration. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  try {
    return await dispatch(argv, host);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigError) {
      host.stderr.write(`${error.message}\n`);
      return 2;
    }
    throw error;
  }
}

async function dispatch(argv: readonly string[], host: Host): Promise<number> {
  const args = parseArguments(argv);
  switch (args.command) {
    case 'help':
      host.stdout.write(args.text);
      return 0;
    case 'version':
      host.stdout.write(`hosting-account-exporter ${host.build.version} (${host.build.revision})\n`);
      return 0;
    case 'serve':
      return args.configCheck ? checkConfiguration(args, host) : serve(args, host);
    case 'once':
      return once(args, host);
    case 'sandbox':
      return sandbox(args, host);
    case 'demo':
      return demo(args, host);
    case 'check':
      return check(args, host);
    case 'rules':
      return rules(args, host);
  }
}
