import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { App } from '../app.ts';
import { collectors } from '../collectors/list.ts';
import type { Config } from '../config/config.ts';
import { inlineSecret } from '../config/secret.ts';
import { forHistory } from '../history/account-payloads.ts';
import { createLog } from '../log.ts';
import type { Sandbox } from '../sandbox/server.ts';
import type { DemoArguments } from './arguments.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, untilStopped } from './host.ts';
import { addressTarget } from './listen-plan.ts';
import { startSandboxOn } from './sandbox.ts';
import { logWarnings } from './selection.ts';
import { startApp } from './serve.ts';

/** Speed of the sandbox clock as a multiple of real time, so that values change while you watch. */
const speed = 60;

/** Far more than a provider allows, so that the short intervals of the demo fit. */
const requestsPerMinute = 1200;

/** Milliseconds. The hints do not wait longer for the first polls. */
const maxFirstPolls = 10_000;
const pollCheckInterval = 50;

/** An account whose credentials the sandbox rejects, to show what a failure looks like. */
const forgotten = { login: 'forgotten', password: 'of-last-year' };

/** Runs the sandbox and the exporter with short intervals until the process receives a signal to stop. */
export async function demo(args: DemoArguments, host: Host): Promise<ExitCode> {
  const log = createLog(args.log, host.stderr);
  logWarnings(log, args.warnings);
  const sandbox = await startSandboxOn({ dialect: 'provider', port: args.sandboxPort, speed, requestsPerMinute: 0 });
  try {
    const { listenAddress } = args;
    const config = demoConfig(sandbox, listenAddress);
    if (args.historyOutput !== undefined && !existsSync(args.historyOutput))
      await writeDemoHistory(args.historyOutput, args.historyInstance, config, host);
    const app = new App(config, host.build, log, { configFile: 'demo' });
    const url = await startApp(app, { pages: [addressTarget(listenAddress)], health: [] }, config, log);
    host.stdout.write('Starting the exporter and a sandbox of the hosting API...\n');
    // The first polls may log a failure, and the hints belong below it.
    await firstPolls(app, host.signal);
    host.stdout.write(describe(url, sandbox));
    await untilStopped(host);
    await app.stop();
  } finally {
    await sandbox.close();
  }
  return 0;
}

/** Of the accounts whose credentials are right, up to now: an empty Prometheus has no newer samples. */
async function writeDemoHistory(output: string, instance: string, config: Config, host: Host): Promise<void> {
  const { writeHistory } = await import('./history.ts');
  const accounts = config.accounts.filter(({ name }) => name !== forgotten.login);
  const range = { days: 30, until: Date.now(), step: 240_000, targetLabels: { job: 'hosting', instance } };
  await writeHistory(forHistory({ ...config, accounts }), { ...range, output, fromState: false }, host);
}

/** Resolves when every account was polled or the process shall stop, but at the latest after a few seconds. */
async function firstPolls(app: App, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + maxFirstPolls;
  while (!app.accounts.every(({ polled }) => polled) && performance.now() < deadline && !signal.aborted) {
    await pause(pollCheckInterval);
  }
}

function demoConfig({ baseUrl, accounts }: Sandbox, listenAddress: string): Config {
  return {
    web: { listenAddresses: [listenAddress], telemetryPath: '/metrics' },
    accounts: [...accounts, forgotten].map(({ login, password }) => ({
      name: login,
      credentials: { kind: 'password', login, password: inlineSecret(password) },
      api: {
        baseUrl,
        timeout: 5000,
        requestsPerMinute,
        maxItems: 100_000,
        settlingTime: 600_000,
        inputFormat: 'auto',
        caFile: undefined,
        sizeUnits: 'decimal',
        numberFormat: 'auto',
        timeZone: 'UTC',
      },
      collectors: Object.fromEntries(
        collectors.map(({ name, kind }) => {
          const interval = name === 'account' ? 5000 : kind === 'list' ? 10_000 : 30_000;
          return [name, { enabled: true, schedule: { kind: 'every', interval }, maxAge: undefined, maxSeries: 10_000 }];
        }),
      ),
      labels: {},
      alerts: {},
    })),
  };
}

function describe(url: string, { controlUrl }: Sandbox): string {
  return `
The demo is running. Open one of these addresses:
  ${url}/          the accounts at a glance
  ${url}/metrics   the metrics
  ${controlUrl}   the sandbox: accounts, calls and faults

The password of the account "forgotten" is wrong, to show a failure. To add
another fault and to see it on the pages:
  curl -d kind=auth_error -d login=shop ${controlUrl}/faults
To end all faults:
  curl -X DELETE ${controlUrl}/faults

Press Ctrl-C to stop.
`;
}
