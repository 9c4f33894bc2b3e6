import type { AccountConfig, CollectorConfig } from '../values/config.ts';
import { formatDuration } from '../values/duration.ts';
import { countOf } from '../values/wording.ts';
import type { LoadedConfig } from './load.ts';

/** The text that --config.check prints for a valid configuration: the accounts, the schedules and the warnings. */
export function summarizeConfig({ config, warnings }: LoadedConfig): string {
  const { accounts, otherAccounts = [], web, stateDirectory } = config;
  const all = countOf(accounts.length + otherAccounts.length, 'account');
  const selected = otherAccounts.length === 0 ? all : `the flags select ${accounts.length} of ${all}`;
  const equal = [...Map.groupBy(accounts.map(summarizeCollectors), (text) => text).values()];
  const [most = []] = equal.toSorted((a, b) => b.length - a.length);
  const common = most.length > 1 ? most[0] : undefined;
  const lines = [
    `The configuration is valid: ${selected}, ${countOf(warnings.length, 'warning')}.`,
    `Listen ${web.listenAddresses.length === 1 ? 'address' : 'addresses'} ${web.listenAddresses.join(', ')}, metrics path ${web.telemetryPath}.`,
    ...(stateDirectory === undefined ? [] : [`State directory ${stateDirectory}.`]),
    ...(common === undefined ? [] : ['all accounts that do not list their own collectors:', common]),
    ...accounts.flatMap((account) => summarizeAccount(account, common)),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function summarizeAccount(account: AccountConfig, common: string | undefined): readonly string[] {
  const { name, api, credentials, alerts, labels } = account;
  const who = credentials.kind === 'password' ? `login ${credentials.login}` : 'token';
  const collectors = summarizeCollectors(account);
  return [
    `account ${name}: ${api.baseUrl}, ${who}, at most ${countOf(api.requestsPerMinute, 'call')} per minute`,
    ...(collectors === common ? [] : [collectors]),
    ...(Object.keys(labels).length > 0 ? [`  labels: ${listed(Object.keys(labels))}`] : []),
    ...(Object.keys(alerts).length > 0 ? [`  alert thresholds: ${listed(Object.keys(alerts))}`] : []),
  ];
}

function summarizeCollectors({ collectors }: AccountConfig): string {
  const [enabled, disabled] = [true, false].map((isEnabled) =>
    Object.entries(collectors).filter(([, config]) => config.enabled === isEnabled),
  );
  const schedules = enabled?.map(([collector, { schedule }]) => `${collector} ${when(schedule)}`) ?? [];
  const names = disabled?.map(([collector]) => collector) ?? [];
  return `  collectors: ${listed(schedules)}${names.length > 0 ? `\n  disabled: ${listed(names)}` : ''}`;
}

function when(schedule: CollectorConfig['schedule']): string {
  if (schedule.kind === 'every') return `every ${formatDuration(schedule.interval)}`;
  return `at "${schedule.pattern}" (${schedule.timeZone})`;
}

function listed(items: readonly string[]): string {
  return items.length === 0 ? 'none' : items.join(', ');
}
