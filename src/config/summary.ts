import type { AccountConfig, CollectorConfig } from './config.ts';
import { formatDuration } from './duration.ts';
import type { LoadedConfig } from './load.ts';

/** What --config.check prints of a configuration that is right: accounts, what is polled when, and warnings. */
export function summarizeConfig({ config, warnings }: LoadedConfig): string {
  const { accounts, web } = config;
  const lines = [
    `The configuration is right: ${count(accounts.length, 'account')}, ${count(warnings.length, 'warning')}.`,
    `Metrics at ${web.listenAddress}, path ${web.telemetryPath}.`,
    ...accounts.flatMap(summarizeAccount),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function summarizeAccount({ name, api, credentials, collectors, alerts }: AccountConfig): readonly string[] {
  const who = credentials.kind === 'password' ? `login ${credentials.login}` : 'token';
  const all = Object.entries(collectors);
  const polled = all
    .filter(([, { enabled }]) => enabled)
    .map(([collector, { schedule }]) => `${collector} ${when(schedule)}`);
  const off = all.filter(([, { enabled }]) => !enabled).map(([collector]) => collector);
  return [
    `account ${name}: ${api.baseUrl}, ${who}, at most ${count(api.requestsPerMinute, 'call')} a minute`,
    `  polls ${listed(polled)}`,
    ...(off.length > 0 ? [`  does not poll ${listed(off)}`] : []),
    ...(Object.keys(alerts).length > 0 ? [`  has its own thresholds for ${listed(Object.keys(alerts))}`] : []),
  ];
}

function when(schedule: CollectorConfig['schedule']): string {
  if (schedule.kind === 'every') return `every ${formatDuration(schedule.interval)}`;
  return `at "${schedule.pattern}" (${schedule.timeZone})`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? 'nothing' : items.join(', ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
