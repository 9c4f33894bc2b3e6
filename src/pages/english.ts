import { reasonAdvice } from '../api/error.ts';
import { type Section, sectionLabels } from '../api/method.ts';
import { labelsIn } from './labels.ts';
import type { AccountState, Cause } from './view/problems.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** The words for the states that the API reports. The dashboards use the same words. */
const statusOf = (words: Readonly<Record<string, string>>) =>
  Object.assign((code: string) => words[code] ?? (code === '' ? '' : `status “${code}”`), { words });

export const english = {
  ...labelsIn(0),
  attention: (count: number, total: number) =>
    total === 1
      ? 'Your account needs attention'
      : count === total
        ? `${total === 2 ? 'Both' : `All ${total}`} accounts need attention`
        : `${count} of ${total} accounts ${count === 1 ? 'needs' : 'need'} attention`,
  allFine: (total: number) =>
    total === 1 ? 'The account is fine' : `${total === 2 ? 'Both' : `All ${total}`} accounts are fine`,
  noneSelected: (count: number) =>
    `0 of ${plural(count, 'configured account', 'configured accounts')} are selected for this exporter`,
  accountCount: (count: number) => plural(count, 'account', 'accounts'),
  stateCount: (state: AccountState, count: number): string => `${count} ${english.states[state]}`,
  found: (count: number, conditions: string) =>
    count === 0
      ? `No account matches ${conditions}`
      : `${plural(count, 'account matches', 'accounts match')} ${conditions}`,

  without: (label: string) => `no ${label}`,
  customerCount: (count: number) => plural(count, 'customer', 'customers'),
  // If the figure is empty, the text is a title for several problems with the same cause.
  diskFull: (percent: string) => (percent ? `Disk ${percent} full` : 'Disk almost full'),
  planLoadHigh: (percent: string) => (percent ? `Load at ${percent} of the plan limit` : 'High load for the plan'),
  recentLoadHigh: (percent: string) =>
    percent ? `Load of the last 3 days at ${percent} of the plan limit` : 'High load for the plan in the last 3 days',
  overdue: (age: string, balance: string) =>
    `Payment is overdue${age && ` for about ${age}`}${balance}, possibly suspended already`,
  pay: (amount: string, days: number) => `Pay ${amount} to have ${plural(days, 'day', 'days')}`,
  lowBalance: (balance: string) => `The balance is low${balance && `: ${balance}`}`,
  suspension: (day: string, isGroup: boolean) =>
    `Without payment, the ${isGroup ? 'accounts' : 'account'} will be suspended ${day}`,
  domainExpires: (domain: string, day: string) => `${domain ? `Domain ${domain} expires` : 'Domains expire'} ${day}`,
  domainExpired: (domain: string, day: string) => `${domain ? `Domain ${domain}` : 'Domains'} expired ${day}`,
  renewalFailed: (domain: string) => `The renewal of ${domain ? `domain ${domain}` : 'domains'} failed`,
  oldBackup: (kind: string, ago: string) =>
    ago ? `The latest backup of the ${kind} was made ${ago}` : `No new backup of the ${kind}`,
  missingBackup: (kind: string) => `There is no backup of the ${kind}`,
  cause: ({ reason, status }: Cause): string =>
    reason === 'http' && status !== undefined ? `The API returned HTTP ${status}` : english.causes[reason],
  outage: (cause: string, count: number, total: number) =>
    `${cause}: ${count === total ? `all ${total} accounts` : `${count} of ${total} accounts`}`,
  toPay: (days: number) => `To pay for ${plural(days, 'day', 'days')}`,
  forDays: (days: number) => plural(days, 'day', 'days'),
  backupKind: (kind: string) => kind,

  renewalStatus: statusOf({
    pending: 'renewal ordered',
    success: 'renewed',
    error: 'renewal failed',
    canceled: 'renewal cancelled',
    delete: 'renewal order deleted',
  }),
  certificateStatus: statusOf({ wle_set: 'Let’s Encrypt', none: 'no Let’s Encrypt' }),
  domainStatus: statusOf({ delegated: 'delegated', undelegated: 'not delegated', not_active: 'not active' }),
  disabledTasks: (count: number) => `and ${count} disabled`,
  backupJob: (operation: string, kind: string) => `${operation} of ${kind}`,
  jobStatus: statusOf({ success: 'succeeded', error: 'failed' }),

  advice: { ...reasonAdvice, bug: 'This is a bug in the exporter: please open an issue and attach the log.' },
  sectionLabels: sectionLabels as Readonly<Record<Section, string>>,
};

/** The texts of the pages in one language. A missing text is a compile error. */
export type Texts = Readonly<typeof english>;
