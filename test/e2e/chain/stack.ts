import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import type { AccountSeed } from '../../../sandbox/src/accounts/account-seed.ts';
import { blog } from '../../../sandbox/src/accounts/blog.ts';
import { shop } from '../../../sandbox/src/accounts/shop.ts';
import { unlimited } from '../../../sandbox/src/accounts/unlimited.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { derive } from '../../../src/rules/derive.ts';
import { startAlertmanager } from '../../fixtures/alertmanager.ts';
import type { Cleanups } from '../../fixtures/cleanups.ts';
import { type Exporter, type Settings, startExporter } from '../../fixtures/program.ts';
import { type Prometheus, startPrometheus } from '../../fixtures/prometheus.ts';
import { type Notification, type Receiver, startReceiver } from '../../fixtures/receiver.ts';
import { freePort } from '../../fixtures/servers.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';
import { parseDuration } from '../../integration/rules/rule-file.ts';

/** One minute of polls, scrapes, rules and notifications is one second in this test. */
export const timeFactor = 1 / 60;

/** The base URL of the dashboards in the alerts. */
export const grafana = 'https://grafana.example';

/** The base URL of the runbooks in the alerts. */
export const runbooks = 'https://github.com/hosting-account-exporter/hosting-account-exporter/blob/main/docs/runbooks';

/** An account that uses this share of its disk quota. */
export function copyOfBlog(login: string, used: number) {
  return { ...blog, login, token: `sandbox-token.${login}`, disk: { usage: used * 20e9, limit: 20e9 } };
}

/** Accounts without an alert at the start. */
export const quietAccounts: readonly AccountSeed[] = [blog, shop, unlimited];

/** The alert chain: provider, exporter, Prometheus, Alertmanager, receiver. */
export class Stack {
  readonly alertmanager: Alertmanager;
  readonly prometheus: Prometheus;
  readonly receiver: Receiver;
  /** The folder of the generated bundle. */
  readonly bundle: string;
  sandbox: Sandbox;
  exporter: Exporter;
  readonly #cleanups: Cleanups;
  /** The folder of the password files and of the exporter's state. */
  readonly #folder: string;
  readonly #seeds: readonly AccountSeed[];
  /** Unix seconds. The current exporter started after this time, and the previous exporter before this time. */
  #exporterStarted = 0;

  private constructor(cleanups: Cleanups, parts: Parts) {
    this.#cleanups = cleanups;
    this.#folder = parts.folder;
    this.#seeds = parts.accounts;
    this.alertmanager = parts.alertmanager;
    this.prometheus = parts.prometheus;
    this.receiver = parts.receiver;
    this.bundle = parts.bundle;
    this.sandbox = parts.sandbox;
    this.exporter = parts.exporter;
  }

  /** Starts all parts and waits until `hosting_up` is 1 for every account. */
  static async start(cleanups: Cleanups, accounts: readonly AccountSeed[]): Promise<Stack> {
    takePrecedence();
    const bundle = writeBundle(cleanups);
    const sandbox = await startProvider(cleanups, accounts, await freePort());
    const folder = temporaryFolder(cleanups);
    const exporter = await startExporter(cleanups, settingsFor(sandbox, folder), [
      `--web.listen-address=127.0.0.1:${await freePort()}`,
    ]);
    const receiver = await startReceiver(cleanups);
    const alertmanager = await startExampleAlertmanager(cleanups, join(bundle, 'alertmanager.example.yml'), receiver);
    const scrape = { job_name: 'hosting', static_configs: [{ targets: [exporter.address] }] };
    const prometheus = await startPrometheus(cleanups, [scrape], {
      configuration: {
        rule_files: [join(bundle, 'hosting.rules.yml')],
        alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager.address] }] }] },
      },
      // The lookback is not scaled like other durations, so that late scrapes on a busy machine cause no gaps.
      flags: ['--query.lookback-delta=15s', '--rules.alert.resend-delay=10s'],
    });
    const stack = new Stack(cleanups, {
      alertmanager,
      prometheus,
      receiver,
      bundle,
      sandbox,
      exporter,
      folder,
      accounts,
    });
    await stack.untilAllAnswer();
    return stack;
  }

  /** Stops the provider, so that connections are refused. */
  async closeProvider(): Promise<void> {
    await this.sandbox.close();
  }

  /** Starts the provider at the same address, in its initial state. */
  async reopenProvider(): Promise<void> {
    this.sandbox = await startProvider(this.#cleanups, this.#seeds, Number(new URL(this.sandbox.baseUrl).port));
  }

  /** Starts the exporter again at the same address. The previous process must have exited. */
  async startExporterAgain(): Promise<void> {
    const settings = settingsFor(this.sandbox, this.#folder);
    // process_start_time_seconds is rounded to a second.
    this.#exporterStarted = Date.now() / 1000 - 1;
    this.exporter = await startExporter(this.#cleanups, settings, [`--web.listen-address=${this.exporter.address}`]);
  }

  /** Changes the password file of an account. */
  writePassword(login: string, password: string): void {
    writeFileSync(join(this.#folder, login), password);
  }

  /** The accounts of the provider. */
  get accounts(): readonly string[] {
    return this.#seeds.map(({ login }) => login).sort();
  }

  async untilAllAnswer(): Promise<void> {
    await until(
      'every account answers',
      async () => (await this.prometheus.value('count(hosting_up == 1)')) === this.#seeds.length,
    );
  }

  /** Waits until the account's disk figures are so old that HostingPollFailing can fire. */
  untilStale(account: string): Promise<true> {
    return this.#untilAge(account, '> 5 *');
  }

  /** Waits until the account's disk figures are new. */
  untilFresh(account: string): Promise<true> {
    return this.#untilAge(account, '< 2 *');
  }

  #untilAge(account: string, comparison: string): Promise<true> {
    const labels = `{account="${account}",collector="account"}`;
    const age = `time() - last_over_time(hosting_exporter_collector_last_success_timestamp_seconds${labels}[1h])`;
    const interval = `last_over_time(hosting_exporter_collector_interval_seconds${labels}[1h])`;
    return until(`the age of the figures of ${account} is ${comparison} their interval`, async () => {
      const stale = await this.prometheus.query(`${age} ${comparison} ${interval}`);
      return stale.length > 0;
    });
  }

  /** Waits until the current exporter has run for a number of minutes, scaled by the time factor. */
  async untilExporterRanFor(minutes: number): Promise<void> {
    // Until the first scrape of the current exporter, Prometheus returns the figures of the previous exporter.
    const started = `(process_start_time_seconds{job="hosting"} > ${this.#exporterStarted})`;
    const age = `(time() - ${started}) and on () up{job="hosting"} == 1`;
    await until(`the exporter has run for ${minutes} scaled minutes`, async () => {
      const seconds = await this.prometheus.value(age);
      return seconds !== undefined && seconds > minutes * 60 * timeFactor;
    });
  }

  /** Waits until exactly these notifications, oldest first, match the filter. */
  async untilNotified(expected: readonly string[], filter?: (notification: Notification) => boolean): Promise<void> {
    await until(`the notification: ${expected.at(-1)}`, () => {
      expect(this.receiver.lines(filter)).toEqual(expected);
      return true;
    });
  }

  /** The newest notification that matches the filter. */
  newest(filter: (notification: Notification) => boolean = () => true): Notification {
    const found = this.receiver.notifications.findLast(filter);
    if (found === undefined) throw new Error('no notification matches');
    return found;
  }

  /** A filter for notifications that arrive after this call. */
  sinceNow(): (notification: Notification) => boolean {
    const earlier = new Set(this.receiver.notifications);
    return (notification) => !earlier.has(notification);
  }

  /** The accounts for which an alert fires in Prometheus, muted or not. */
  async firing(alert: string, severity = '.+'): Promise<readonly string[]> {
    const series = await this.prometheus.query(
      `ALERTS{alertname="${alert}",alertstate="firing",severity=~"${severity}"}`,
    );
    return [...new Set(series.map(({ labels }) => labels['account'] ?? ''))].sort();
  }

  /** How Alertmanager routes a firing alert: `account severity receivers` or `account severity muted`. */
  async routing(alert: string): Promise<readonly string[]> {
    const alerts = await this.alertmanager.alerts();
    return [
      ...new Set(
        alerts
          .filter(({ labels }) => labels['alertname'] === alert)
          .map(({ labels, receivers, status }) => {
            const target = status.inhibitedBy.length > 0 ? 'muted' : receivers.map(({ name }) => name).join(' ');
            return `${labels['account'] ?? 'all'} ${labels['severity']} ${target}`;
          }),
      ),
    ].sort();
  }
}

/**
 * Gives this process and its child processes a higher priority than other tests. A pause of some seconds would fire
 * alerts, because a second stands for a minute. Does nothing if the user lacks the privilege.
 */
function takePrecedence(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {}
}

interface Parts {
  readonly alertmanager: Alertmanager;
  readonly prometheus: Prometheus;
  readonly receiver: Receiver;
  readonly bundle: string;
  readonly sandbox: Sandbox;
  readonly exporter: Exporter;
  readonly folder: string;
  readonly accounts: readonly AccountSeed[];
}

/** Writes the rules and the configuration of Alertmanager with all durations multiplied by the time factor. */
function writeBundle(cleanups: Cleanups): string {
  const folder = temporaryFolder(cleanups);
  for (const [path, text] of derive({ dashboards: grafana })) {
    if (!/^(?:hosting\.rules|alertmanager\.example)\.yml$|^templates/.test(path)) continue;
    // Five minutes would be five seconds here, and a busy machine may stall for longer.
    const patient = text.replace('for: 5m', 'for: 12m');
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path.endsWith('.yml') ? scaled(patient) : text);
  }
  return folder;
}

function scaled(text: string): string {
  const duration = /((?:for|interval|wait): |\[|offset )(\d+[smhd](?:\d+[smhd])*)\b/g;
  return text
    .replaceAll(duration, (_, before: string, written: string) => {
      return `${before}${Math.max(1, Math.round(parseDuration(written) * timeFactor))}s`;
    })
    .replaceAll(
      /(time\(\) - )(\d+)/g,
      (_, before: string, seconds: string) => `${before}${Number(seconds) * timeFactor}`,
    );
}

async function startProvider(cleanups: Cleanups, accounts: readonly AccountSeed[], port: number): Promise<Sandbox> {
  const sandbox = await startSandbox({ dialect: 'provider', speed: 0, requestsPerMinute: 0, accounts, port });
  cleanups.add(() => sandbox.close());
  return sandbox;
}

/**
 * Settings with every interval and max_age scaled by the time factor, like the rules. The passwords are in files of the
 * folder.
 */
function settingsFor(sandbox: Sandbox, folder: string): Settings {
  return {
    state: { directory: join(folder, 'state') },
    api: { base_url: sandbox.baseUrl, timeout: '60s', requests_per_minute: 60_000 },
    accounts: sandbox.accounts.map(({ login, password }) => {
      const path = join(folder, login);
      writeFileSync(path, password, { mode: 0o600 });
      return { name: login, login, password_file: path };
    }),
    collectors: Object.fromEntries(
      collectors.map(({ name, schedule }) => {
        const every = parseDuration(schedule) * timeFactor;
        return [name, { enabled: true, every: `${every}s`, max_age: `${3 * every + 10}s` }];
      }),
    ),
  };
}

/** A firing alert in Alertmanager. */
interface ActiveAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly receivers: readonly { readonly name: string }[];
  readonly status: { readonly state: string; readonly inhibitedBy: readonly string[] };
}

/** A running Alertmanager. */
interface Alertmanager {
  readonly address: string;
  /** All firing alerts, muted or not. */
  alerts(): Promise<readonly ActiveAlert[]>;
}

interface ExampleConfig {
  readonly receivers: readonly { readonly name: string }[];
  readonly time_intervals: readonly { readonly name: string }[];
}

/** Starts Debian's Alertmanager with the example configuration of the bundle. Its receivers send to `receiver`. */
async function startExampleAlertmanager(
  cleanups: Cleanups,
  exampleFile: string,
  receiver: Receiver,
): Promise<Alertmanager> {
  // Disables reminders, because their number depends on the speed of the machine.
  const text = readFileSync(exampleFile, 'utf8').replaceAll(/repeat_interval: \w+/g, 'repeat_interval: 1d');
  const example = parse(text) as ExampleConfig;
  const receivers = example.receivers.map((one) =>
    one.name === 'blackhole' ? one : { ...one, webhook_configs: [{ url: `${receiver.url}/${one.name}` }] },
  );
  // Disables the mute times, so that the tests do not depend on the time of day.
  const never = example.time_intervals.map(({ name }) => ({ name, time_intervals: [{ years: ['1970'] }] }));
  // JSON is valid YAML.
  const { address } = await startAlertmanager(
    cleanups,
    JSON.stringify({ ...example, time_intervals: never, receivers }),
  );
  return {
    address,
    alerts: async () => {
      const response = await fetch(`http://${address}/api/v2/alerts`);
      return (await response.json()) as ActiveAlert[];
    },
  };
}
