import { existsSync } from 'node:fs';
import type { AccountSeed } from '../../sandbox/src/accounts/account-seed.ts';
import { demoAccounts } from '../../sandbox/src/accounts/demo-accounts.ts';
import { fleetAccounts } from '../../sandbox/src/accounts/fleet.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { App } from '../app.ts';
import { collectors } from '../collectors/list.ts';
import { resolveConfig } from '../config/file/resolve.ts';
import type { Config } from '../config/values/config.ts';
import { validateListenAddress } from '../config/values/validators.ts';
import { type CommandContext, defineCommand, untilStopped } from './command.ts';
import { logFormat, logLevel, openLog } from './config-flags.ts';
import { rememberPast } from './demo-memory.ts';
import { defaultInstance, instanceDescription, nonEmpty, numberFrom, port, validated } from './flags.ts';
import { openHealthSocket } from './healthy.ts';
import { forHistory, writeHistory } from './history.ts';
import { pollOnce } from './poll-once.ts';
import { listening } from './sandbox.ts';
import { startApp } from './serve.ts';

/** Speed of the sandbox clock as a multiple of real time. At this speed, values change while the user watches. */
const speed = 60;

/** Budget in calls per minute. It is far larger than providers allow, because the demo polls at short intervals. */
const requestsPerMinute = 6000;

/** An account whose credentials the sandbox rejects, to show what a failure looks like. */
const forgotten = { login: 'forgotten', password: 'of-last-year' };

export const command = defineCommand(
  'Run the sandbox and the exporter together, with short intervals, and print the URLs to open.',
  (command) =>
    command
      .option('--port <number>', 'port of the exporter, on 127.0.0.1; 0 for any free port', port, 10_380)
      .option(
        '--web.listen-address <address>',
        'address to listen on, instead of --port on 127.0.0.1',
        validated(validateListenAddress),
      )
      .option('--accounts <number>', 'number of sample accounts (default: 5)', fleetSize)
      .option('--sandbox.port <number>', 'port of the sandbox, on 127.0.0.1; 0 for any free port', port, 0)
      .option(
        '--history.output <file>',
        'first write the history of the accounts to this file, unless it exists; see docs/state.md',
        nonEmpty,
      )
      .option('--history.instance <address>', instanceDescription, nonEmpty, defaultInstance)
      .addOption(logLevel('warn'))
      .addOption(logFormat()),
  async (flags, context) => {
    const log = openLog(flags, context);
    const listenAddress = flags['web.listenAddress'] ?? `127.0.0.1:${flags.port}`;
    const { 'history.output': output, 'history.instance': instance, 'sandbox.port': sandboxPort } = flags;
    const seeds = flags.accounts === undefined ? demoAccounts : fleetAccounts(flags.accounts - 1);
    const options = { dialect: 'provider', accounts: seeds, speed, requestsPerMinute: 0 } as const;
    const starting = startSandbox({ ...options, port: sandboxPort });
    const sandbox = await listening(starting, sandboxPort, '--sandbox.port');
    try {
      const config = demoConfig(sandbox, seeds, listenAddress);
      if (output !== undefined && !existsSync(output)) await writeDemoHistory(output, instance, config, context);
      const app = new App(config, context.build, log, { configFile: 'demo' });
      const poll = () => pollOnce(app, context, () => {}).then(() => rememberPast(app.accounts, options));
      // With many accounts, serve the pages at once and poll afterwards.
      const isLarge = app.accounts.length > 100;
      if (!isLarge) await poll();
      const flag = flags['web.listenAddress'] === undefined ? '--port' : '--web.listen-address';
      const url = await startApp(app, { pages: [listenAddress], flag }, config, log);
      const health = await openHealthSocket(() => app.fleet.isAlive);
      context.stdout.write(describe(url, sandbox));
      if (isLarge) await poll();
      await untilStopped(context);
      await app.stop();
      health?.close();
    } finally {
      await sandbox.close();
    }
    return 0;
  },
);

const fleetSize = numberFrom(3, 1000, /^\d{1,4}$/, 'It is not a number of accounts from 3 to 1000.');

/** Writes the history of the accounts with valid credentials. The history ends now, because Prometheus has no samples yet. */
async function writeDemoHistory(output: string, instance: string, config: Config, context: CommandContext) {
  const accounts = config.accounts.filter(({ name }) => name !== forgotten.login);
  const range = { days: 30, until: Date.now(), step: 240_000, targetLabels: { job: 'hosting', instance } };
  await writeHistory(forHistory({ ...config, accounts }), { ...range, output }, context);
}

function demoConfig({ baseUrl, accounts }: Sandbox, seeds: readonly AccountSeed[], listenAddress: string): Config {
  const intervals = collectors.map(({ name, stretches }) => {
    const fast = name === 'account' ? '5s' : stretches ? '30s' : '10s';
    const every = accounts.length > 100 ? '10m' : accounts.length > 10 ? '1m' : fast;
    return [name, { enabled: true, every }] as const;
  });
  return resolveConfig({
    api: { base_url: baseUrl, timeout: '30s', requests_per_minute: requestsPerMinute },
    web: { listen_address: listenAddress },
    collectors: Object.fromEntries(intervals),
    accounts: [...accounts, forgotten].map(({ login, password }) => {
      const { customer } = seeds.find((seed) => seed.login === login) ?? {};
      return { name: login, login, password, ...(customer === undefined ? {} : { labels: { customer } }) };
    }),
  });
}

function describe(url: string, { controlUrl, accounts }: Sandbox): string {
  return `
The demo is running. Open one of these addresses:
  ${url}/          the accounts at a glance
  ${url}/metrics   the metrics
  ${controlUrl}   the sandbox: accounts, calls and faults

The password of the account "forgotten" is wrong, to show a failure. To add
another fault and to see it on the pages:
  curl -d kind=auth_error -d login=${accounts[1]?.login} ${controlUrl}/faults
To end all faults:
  curl -X DELETE ${controlUrl}/faults

Press Ctrl-C to stop.
`;
}
