import type { AccountConfig, CollectorConfig } from '../values/config.ts';
import { countOf } from '../values/count-of.ts';
import { formatDuration } from '../values/duration.ts';
import type { LoadedConfig } from './load.ts';

/** The text that --config.check prints for a valid configuration: the accounts, the schedules and the warnings. */
export function summarizeConfig({ config, warnings }: LoadedConfig): string {
  const { accounts, web, stateDirectory } = config;
  const lines = [
    `The configuration is valid: ${countOf(accounts.length, 'account')}, ${countOf(warnings.length, 'warning')}.`,
    `Listen ${web.listenAddresses.length === 1 ? 'address' : 'addresses'} ${web.listenAddresses.join(', ')}, metrics path ${web.telemetryPath}.`,
    ...(stateDirectory === undefined ? [] : [`State directory ${stateDirectory}.`]),
    ...accounts.flatMap(summarizeAccount),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function summarizeAccount({ name, api, credentials, collectors, alerts, labels }: AccountConfig): readonly string[] {
  const who = credentials.kind === 'password' ? `login ${credentials.login}` : 'token';
  const all = Object.entries(collectors);
  const enabled = all
    .filter(([, config]) => config.enabled)
    .map(([collector, { schedule }]) => `${collector} ${when(schedule)}`);
  const disabled = all.filter(([, config]) => !config.enabled).map(([collector]) => collector);
  return [
    `account ${name}: ${api.baseUrl}, ${who}, at most ${countOf(api.requestsPerMinute, 'call')} per minute`,
    `  collectors: ${listed(enabled)}`,
    ...(disabled.length > 0 ? [`  disabled: ${listed(disabled)}`] : []),
    ...(Object.keys(labels).length > 0 ? [`  labels: ${listed(Object.keys(labels))}`] : []),
    ...(Object.keys(alerts).length > 0 ? [`  alert thresholds: ${listed(Object.keys(alerts))}`] : []),
  ];
}

function when(schedule: CollectorConfig['schedule']): string {
  if (schedule.kind === 'every') return `every ${formatDuration(schedule.interval)}`;
  return `at "${schedule.pattern}" (${schedule.timeZone})`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? 'none' : items.join(', ');
}
