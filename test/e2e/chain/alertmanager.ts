import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Cleanups } from '../../fixtures/cleanups.ts';
import { startDebianServer } from '../../fixtures/debian-server.ts';
import type { Receiver } from '../../fixtures/receiver.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** An alert as Alertmanager has it now. */
export interface HeldAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly receivers: readonly { readonly name: string }[];
  readonly status: { readonly state: string; readonly inhibitedBy: readonly string[] };
}

/** A running Alertmanager. */
export interface Alertmanager {
  readonly address: string;
  /** All that fire, muted or not. */
  alerts(): Promise<readonly HeldAlert[]>;
}

interface ExampleConfig {
  readonly receivers: readonly { readonly name: string }[];
  readonly time_intervals: readonly { readonly name: string }[];
}

/** Starts Debian's Alertmanager with an example of the bundle, in which the receivers that need an address get one. */
export async function startAlertmanager(
  cleanups: Cleanups,
  exampleFile: string,
  receiver: Receiver,
): Promise<Alertmanager> {
  const folder = temporaryFolder(cleanups);
  const configFile = join(folder, 'alertmanager.yml');
  const example = parse(readFileSync(exampleFile, 'utf8')) as ExampleConfig;
  const receivers = example.receivers.map((one) =>
    one.name === 'nobody' ? one : { ...one, webhook_configs: [{ url: `${receiver.url}/${one.name}` }] },
  );
  // Whatever the hour, the tests are told at once.
  const never = example.time_intervals.map(({ name }) => ({ name, time_intervals: [{ years: ['1970'] }] }));
  // JSON is YAML.
  writeFileSync(configFile, JSON.stringify({ ...example, time_intervals: never, receivers }));
  const { address } = await startDebianServer(cleanups, 'prometheus-alertmanager', [
    `--config.file=${configFile}`,
    `--storage.path=${join(folder, 'data')}`,
    '--cluster.listen-address=',
  ]);
  return {
    address,
    alerts: async () => {
      const response = await fetch(`http://${address}/api/v2/alerts`);
      return (await response.json()) as HeldAlert[];
    },
  };
}
