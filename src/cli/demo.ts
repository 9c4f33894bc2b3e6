import { App } from '../app.ts';
import { collectors } from '../collectors/list.ts';
import type { Config } from '../config/config.ts';
import { inlineSecret } from '../config/secret.ts';
import { createLog } from '../log.ts';
import type { Sandbox } from '../sandbox/server.ts';
import type { DemoArguments } from './arguments.ts';
import { type Host, untilStopped } from './host.ts';
import { startSandboxOn } from './sandbox.ts';
import { startApp } from './serve.ts';

/** Figures live so many times as fast, so that something happens while one looks. */
const speed = 60;

/** Calls a minute: the demo's own, far above what a provider allows. */
const requestsPerMinute = 1200;

const defaultListenAddress = '127.0.0.1:10380';

/** Runs sandbox and exporter together with short schedules until the process is asked to end. */
export async function demo(args: DemoArguments, host: Host): Promise<number> {
  const log = createLog(args.log, host.stderr);
  const sandbox = await startSandboxOn({ dialect: 'provider', speed, requestsPerMinute: 0 });
  try {
    const config = demoConfig(sandbox, args.listenAddress ?? defaultListenAddress);
    const app = new App(config, host.build, log);
    const url = await startApp(app, config, log);
    host.stdout.write(describe(url, sandbox));
    await untilStopped(host);
    await app.stop();
  } finally {
    await sandbox.close();
  }
  return 0;
}

function demoConfig({ baseUrl, accounts }: Sandbox, listenAddress: string): Config {
  return {
    web: { listenAddress, telemetryPath: '/metrics' },
    accounts: accounts.map(({ login, password }) => ({
      name: login,
      credentials: { kind: 'password', login, password: inlineSecret(password) },
      api: {
        baseUrl,
        timeout: 5000,
        requestsPerMinute,
        inputFormat: 'auto',
        caFile: undefined,
        sizeUnits: 'decimal',
        timeZone: 'UTC',
      },
      collectors: Object.fromEntries(
        collectors.map(({ name, kind }) => {
          const interval = name === 'account' ? 5000 : kind === 'list' ? 10_000 : 30_000;
          return [name, { enabled: true, schedule: { kind: 'every', interval }, maxAge: undefined, maxSeries: 10_000 }];
        }),
      ),
      alerts: {},
    })),
  };
}

function describe(url: string, { controlUrl }: Sandbox): string {
  return `
Sandbox and exporter are running. Look at
  ${url}/          the state of each account
  ${url}/metrics   the metrics
  ${controlUrl}   the sandbox: its accounts, and faults on request

Break something, and watch it show:
  curl -d '{"kind":"auth_error","login":"shop"}' ${controlUrl}/faults
  curl -X DELETE ${controlUrl}/faults

Ctrl-C ends both.
`;
}
