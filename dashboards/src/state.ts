import { exporterSeries, merged, named, perAccount, type Query, series } from './query.ts';
import { coloured, colours, type Thresholds, valueTexts } from './theme.ts';

/** How a panel shows a series: the text in place of its name, its colour, and a text in place of its values. */
export interface SeriesLook {
  readonly text: string;
  readonly colour?: string | Thresholds;
  readonly value?: string;
}

/** The looks of the series of `withState`. The name of a series is the number of its state. */
export const stateLooks: Readonly<Record<string, SeriesLook>> = {
  3: { text: 'critical', colour: colours.critical },
  2: { text: 'warning', colour: colours.warning },
  1: { text: 'last known', colour: colours.muted },
  0: { text: 'OK', colour: colours.neutral },
  [-1]: { text: 'not evaluated yet', colour: colours.muted },
};

/** Names of the states in a table. */
export const stateTexts = valueTexts({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  0: 'OK',
  [-1]: 'expired',
  [-2]: 'not evaluated yet',
});

/** The state of the backups as a number, so that tables can sort it. `backupStates` contains the texts. */
export function backupState(by: string, ages: string): string {
  const missing = series('ALERTS', 'alertname="HostingBackupMissing"');
  const old = series('ALERTS', 'alertname="HostingBackupTooOld"');
  return `3 * group by (${by}) (${missing}) or 2 * group by (${by}) (${old}) or 0 * group by (${by}) (${ages})`;
}

/** Names of the values of `backupState`. */
export const backupStates = valueTexts({
  3: { text: 'no backup', color: colours.warningCell },
  2: { text: 'warning', color: colours.warningCell },
  0: 'OK',
});

/** The severities as sortable numbers. */
export const severityNumbers = { critical: 3, warning: 2, info: 1 } as const;

/** Names of `severityNumbers`. */
export const severityTexts = valueTexts({
  3: { text: 'critical', color: colours.critical },
  2: { text: 'warning', color: colours.warningCell },
  1: 'info',
});

/** 3 if one of `alerts` is critical, 2 if one of them is a warning. An alert counts as soon as it is pending. */
export function severity(by: string, ...alerts: readonly string[]): string {
  const of = (name: string): string =>
    `group by (${by}) (${series('ALERTS', `alertname=~"${alerts.join('|')}"`, `severity="${name}"`)})`;
  return `3 * ${of('critical')} or 2 * ${of('warning')}`;
}

/** The accounts that the recording rules have evaluated. */
export const judged = series('account:hosting_up:max');

/** A query of a value with its state. The state colours the value, because thresholds differ between accounts. */
export function withState(value: string, ...alerts: readonly string[]): Query {
  const held = series('account_collector:hosting_poll_held:group', 'collector="account"');
  const states = [
    severity('job, account', ...alerts),
    `group by (job, account) (${held})`,
    `0 * ${judged}`,
    `-1 + 0 * ${merged('hosting_up')}`,
  ];
  const state = `count_values by (job, account) ("state", ${states.join(' or on (job, account) ')})`;
  return { expr: `${value} + on (job, account) group_left (state) 0 * ${state}`, legend: '{{state}}' };
}

/** A query for accounts whose plan has no limit. A text replaces the value. */
export function unlimited(figure: string, limit: string): Query {
  return { expr: `0 * group without () (${figure}) unless on (job, account) ${limit}`, legend: 'unlimited' };
}

/** The look of `unlimited`. */
export function unlimitedLook(value: string): Readonly<Record<string, SeriesLook>> {
  return { unlimited: { text: 'unlimited', colour: colours.neutral, value } };
}

/** Counts the things that `critical` and `warning` select. `all` selects all things with a known state. */
export function counts(critical: string, warning: string, all: string): Query {
  const orZero = (expression: string): string => `(count(${expression}) or 0 * count(${all}))`;
  return { expr: named('state', { critical: orZero(critical), warning: orZero(warning) }), legend: '{{state}}' };
}

/** The look of `counts`. A count is coloured if it is not zero. */
export const countLooks: Readonly<Record<string, SeriesLook>> = {
  critical: { text: 'critical', colour: coloured(colours.neutral, { from: 1, color: colours.critical }) },
  warning: { text: 'warning', colour: coloured(colours.neutral, { from: 1, color: colours.warning }) },
};

/** The number of accounts with these alerts. `all` selects the accounts with a known figure. */
export function accountsWith(all: string, ...alerts: readonly string[]): Query {
  const of = (name: string): string =>
    `group by (job, account) (${series('ALERTS', `alertname=~"${alerts.join('|')}"`, `severity="${name}"`)})`;
  const known = `${all} and on (job, account) ${judged}`;
  return counts(of('critical'), `${of('warning')} unless ${of('critical')}`, known);
}

/** Accounts without new data. If most accounts fail, the provider or the network is the likely cause. */
export function failingAccounts(): Query {
  const up = merged('hosting_up');
  const most = `on () (count(${up} == 0) / count(${up}) >= ${failingShare})`;
  return counts(`${up} == 0 and ${most}`, `${up} == 0 unless ${most}`, up);
}

/** The number of things that an alert of severity info is about. `all` selects the things with a known figure. */
export function countOfInfo(alert: string, all: string): Query {
  const known = `${all} and on (job, account) ${judged}`;
  return { expr: `count(${series('ALERTS', `alertname="${alert}"`)}) or 0 * count(${known})` };
}

/** If at least this share of accounts fails, the provider is the likely cause, as in HostingProviderUnreachable. */
export const failingShare = 0.6;

/** A ratio in percent. */
export function percent(ratio: number): string {
  return `${Math.round(ratio * 100)}%`;
}

interface Alerts {
  readonly critical?: readonly string[];
  readonly warning: readonly string[];
  /** The record that shows the problem before its alert is pending. */
  readonly early?: string;
}

/** The alerts about accounts, by the name of the problem. The most urgent problem is first. */
export const problems = {
  'account missing': { warning: ['HostingAccountMissing'] },
  credentials: { warning: ['HostingCredentialsRejected'], early: 'account:hosting_account_rejected:group' },
  'API unreachable': { warning: ['HostingAccountUnreachable'], early: 'account:hosting_account_unreachable:group' },
  permission: { warning: ['HostingPermissionMissing'] },
  'stale data': { warning: ['HostingPollFailing'] },
  disk: {
    critical: ['HostingDiskAlmostFull', 'HostingDiskFillingUpFast'],
    warning: ['HostingDiskAlmostFull', 'HostingDiskFillingUp'],
  },
  suspension: {
    critical: ['HostingAccountBlockedToday', 'HostingAccountBlockedSoon', 'HostingBalanceLow'],
    warning: ['HostingAccountBlockedSoon'],
  },
  domain: {
    critical: ['HostingDomainExpired', 'HostingDomainExpiring'],
    warning: [
      'HostingDomainExpired',
      'HostingDomainExpiring',
      'HostingDomainRenewalOverdue',
      'HostingDomainRenewalFailed',
    ],
  },
  'no backup': { warning: ['HostingBackupMissing'] },
  'old backup': { warning: ['HostingBackupTooOld'] },
  load: { warning: ['HostingPlanLoadHigh', 'HostingPlanOverloaded'] },
  inventory: { warning: ['HostingInventoryCollapsed'] },
  'series dropped': { warning: ['HostingSeriesDropped'] },
} as const satisfies Readonly<Record<string, Alerts>>;

interface Rank {
  readonly rank: number;
  readonly text: string;
  readonly alerts: string;
}

/** The states of an account. The most urgent problem has the highest rank. */
const ranks: readonly Rank[] = Object.entries(problems).flatMap(([word, problem], index) => {
  const { critical, warning, early }: Alerts = problem;
  const position = Object.keys(problems).length - index;
  const alerts = (names: readonly string[], severity: string): string =>
    exporterSeries('ALERTS', `alertname=~"${names.join('|')}"`, `severity="${severity}"`);
  return [
    ...(critical ? [{ rank: 300 + position, text: `critical: ${word}`, alerts: alerts(critical, 'critical') }] : []),
    { rank: 200 + position, text: `warning: ${word}`, alerts: alerts(warning, 'warning') },
    ...(early ? [{ rank: 100 + position, text: `no new data: ${word}`, alerts: exporterSeries(early) }] : []),
  ];
});

/** One number for the state and the most urgent problem of each account. `accountStates` contains the texts. */
export function accountState(): string {
  const ranked = ranks.map(({ rank, alerts }) => `${rank} * ${alerts}`).join('\nor ');
  // Select the accounts here, because a selector in each term of `ranked` would make the query too long to read.
  const accounts = series('account:hosting_account_seen_timestamp_seconds:max');
  const known = perAccount(`(${ranked}) and on (job, account) ${accounts} or 0 * ${judged}`);
  return `${known} or -1 + 0 * ${perAccount(merged('hosting_up'))}`;
}

/** Names of the values of `accountState`. */
export const accountStates = valueTexts({
  ...Object.fromEntries(
    ranks.map(({ rank, text }) => [rank, { text, color: rank > 300 ? colours.critical : colours.warningCell }]),
  ),
  0: 'OK',
  [-1]: { text: 'not evaluated yet', color: colours.muted },
});
