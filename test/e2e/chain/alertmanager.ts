import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { startAlertmanager as startServer } from '../../fixtures/alertmanager.ts';
import type { Cleanups } from '../../fixtures/cleanups.ts';
import type { Receiver } from '../../fixtures/receiver.ts';

/** A firing alert in Alertmanager. */
export interface ActiveAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly receivers: readonly { readonly name: string }[];
  readonly status: { readonly state: string; readonly inhibitedBy: readonly string[] };
}

/** A running Alertmanager. */
export interface Alertmanager {
  readonly address: string;
  /** All firing alerts, muted or not. */
  alerts(): Promise<readonly ActiveAlert[]>;
}

interface ExampleConfig {
  readonly receivers: readonly { readonly name: string }[];
  readonly time_intervals: readonly { readonly name: string }[];
}

/** Starts Debian's Alertmanager with the example configuration of the bundle. Its receivers send to `receiver`. */
export async function startAlertmanager(
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
  const { address } = await startServer(cleanups, JSON.stringify({ ...example, time_intervals: never, receivers }));
  return {
    address,
    alerts: async () => {
      const response = await fetch(`http://${address}/api/v2/alerts`);
      return (await response.json()) as ActiveAlert[];
    },
  };
}
