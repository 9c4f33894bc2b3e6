import * as z from 'zod';
import { oneLine } from '../config/values/wording.ts';
import type { Account } from '../polling/account.ts';
import { dateOf, lastDates } from '../store/daily-memory.ts';
import { problemRow } from './causes.ts';
import { inZone, type TextContext } from './context.ts';
import { possibleTime } from './format.ts';
import { groupingLabel } from './money.ts';
import { describeChange } from './problem-texts.ts';
import { type AccountSummary, summarize } from './view/account-summary.ts';
import { readDomainList } from './view/domain-list.ts';
import { pause } from './view/overview.ts';
import { type AccountState, countStates, dueOf, periods, problemKinds, rankOf, states } from './view/problems.ts';
import { type Changes, readChanges } from './view/trends.ts';

const iso = (milliseconds = 0) => (milliseconds === 0 ? undefined : new Date(possibleTime(milliseconds)).toISOString());

/** Load is in the provider's unit; `recentLoad` is the mean of three days. `updated` is the value `answered` of AccountSummary. */
const figures: Readonly<
  Record<string, (summary: AccountSummary, first: ReturnType<typeof firstDisk>) => number | string | undefined>
> = {
  updated: ({ answered }) => iso(answered),
  diskUsedBytes: ({ disk }) => disk?.used,
  diskLimitBytes: ({ disk }) => disk?.limit,
  diskFullOn: ({ diskFull }) => iso(diskFull?.time),
  diskFullDays: ({ diskFull }) => diskFull?.days,
  planLoad: ({ planLoad }) => planLoad?.used,
  recentLoad: ({ recentLoad }) => recentLoad?.used,
  planLoadLimit: ({ planLoad, recentLoad }) => (planLoad ?? recentLoad)?.limit,
  paidUntil: ({ suspension }) => iso(suspension?.time),
  nextDomain: ({ nextDomain }) => nextDomain?.domain,
  nextDomainExpiry: ({ nextDomain }) => iso(nextDomain?.time),
  newestBackup: ({ backup }) => iso(backup?.time),
  newestBackupKind: ({ backup }) => backup?.kind,
  balance: ({ balance }) => balance?.amount,
  dailyCharge: ({ dailyCharge }) => dailyCharge,
  diskEarlierBytes: (_, first) => first.bytes,
  diskEarlierOn: (_, first) => first.date,
};

export const figureNames = Object.keys(figures);
const figure = z.union([z.number(), z.string()]).optional();

/** `before` is missing if something is new, `after` if something is gone, and both if a list cannot be compared. */
const changeList = z
  .array(z.object({ kind: z.string(), name: z.string(), before: figure, after: figure, text: z.string() }))
  .optional();

/** A date of an account, in the account's time zone. `renews`: whether the domain renews automatically; false if the payment is overdue. */
const accountDate = z.object({
  kind: z.enum(['payment', 'domain']),
  item: z.string().optional(),
  date: z.string(),
  text: z.string(),
  renews: z.boolean().optional(),
});

/** Maximum age of a date, in milliseconds. Older dates are omitted. Most of them are from domains that their owners have given up. */
const oldestDate = 30 * 86_400_000;

/** `days`: whole days until `expires`; negative afterwards. A property is missing if it is unknown or does not apply. */
const domain = z.object({
  domain: z.string(),
  expires: z.string().optional(),
  days: z.number().optional(),
  renewsAutomatically: z.boolean().optional(),
  https: z.boolean().optional(),
  php: z.string().optional(),
  phpUnsupported: z.boolean().optional(),
});

/** `kind` and `item` identify a problem of an account. `item` is a domain, a kind of backups, or the reason why polls fail. */
const problem = z.object({
  account: z.string(),
  customer: z.string().optional(),
  state: z.enum(states),
  kind: z.string(),
  item: z.string().optional(),
  /** Identifies the cause and the deadline. `causeText` describes the cause without the figures of one account. */
  cause: z.string().optional(),
  causeText: z.string().optional(),
  period: z.enum(periods).optional(),
  text: z.string(),
  /** The payment after which the balance lasts for 30 days. */
  pay: z.number().optional(),
  /** `alert`: the Prometheus alert about such problems. `remedy`: the first step of its runbook. */
  alert: z.string().optional(),
  remedy: z.string().optional(),
  /** The collectors whose polls or figures have the problem. */
  collectors: z.array(z.string()),
  change: z.enum(['new', 'ended']).optional(),
});

/** The pages show the same states. The most urgent account is first. `state`: the most urgent state; `waiting` for an empty list. */
export const fleetReport = z.object({
  time: z.string(),
  state: z.enum(states),
  counts: z.record(z.enum(states), z.number()),
  problems: z.array(problem),
  accounts: z.array(
    z.object({
      account: z.string(),
      state: z.enum(states),
      labels: z.record(z.string(), z.string()),
      /** The URL of the account's page. Missing if the exporter does not know its own URL. */
      page: z.string().optional(),
      dates: z.array(accountDate).optional(),
      figures: z.object(Object.fromEntries(figureNames.map((name) => [name, figure]))),
      /** Missing in reports of older exporters. */
      domains: z.array(domain).optional(),
      /** Missing if not requested. A list is missing if the figures of its day are unknown. */
      changes: z.object({ yesterday: changeList, lastWeek: changeList }).optional(),
    }),
  ),
});

export const problemList = z.array(problem);
export type Problem = z.infer<typeof problem>;
export type FleetReport = z.infer<typeof fleetReport>;

export async function reportAccounts(
  page: TextContext,
  accounts: readonly Account[],
  withChanges: boolean,
  pageOf: (account: string) => string | undefined = () => undefined,
) {
  const reports: FleetReport['accounts'] = [];
  const problems: { readonly due: number; readonly row: Problem }[] = [];
  const label = groupingLabel(accounts);
  let resumed = 0;
  for (const account of accounts) {
    const context = inZone(page, account.timeZone);
    const summary = summarize(account, page.now);
    const { name, state } = summary;
    for (const one of summary.problems) {
      problems.push({ due: dueOf(one, page.now), row: problemRow(context, summary, one, label) });
    }
    const first = firstDisk(account, page.now);
    const known = Object.fromEntries(figureNames.map((key) => [key, figures[key]?.(summary, first)]));
    const changes = withChanges ? readChanges(account, page.now) : undefined;
    const textsOf = ({ isRemembered, list }: Changes) =>
      isRemembered || list.length > 0
        ? list.map((change) => ({ ...change, text: describeChange(context, change) }))
        : undefined;
    const described = changes && { yesterday: textsOf(changes.yesterday), lastWeek: textsOf(changes.lastWeek) };
    const dates = datesOf(context, summary);
    const domains = readDomainList(account, summary, page.now);
    const about = { account: name, state, labels: account.labels, page: pageOf(name), dates, domains };
    reports.push({ ...about, figures: known, changes: described });
    resumed = await pause(resumed);
  }
  const rows = problems.sort((a, b) => a.due - b.due).map(({ row }) => row);
  return fleetOf({ time: iso(page.now) ?? '', problems: rows, accounts: reports }, () => true);
}

/** Finds the first of the last 30 days with a known disk usage. Returns the date of this day, and its disk usage in bytes. */
function firstDisk({ memory: { days }, timeZone }: Account, now: number) {
  const dates = lastDates(dateOf(now, timeZone), 31).slice(0, -1);
  const date = dates.find((one) => typeof days[one]?.[0] === 'number');
  return { date, bytes: days[date ?? '']?.[0] ?? undefined };
}

/** The last paid day, and the expiry of each domain. Omits dates after `end`, which is in Unix milliseconds. */
export function datesOf({ texts, now, format }: TextContext, { suspension, domains }: AccountSummary, end = Infinity) {
  const isPaid = suspension === undefined || suspension.time > now;
  const payment = suspension === undefined ? [] : [{ kind: 'payment' as const, ...suspension, text: texts.paymentDue }];
  const expiries = domains.map(({ domain: item, time, renews }) => {
    return { kind: 'domain' as const, item, time, text: texts.domainExpiry(oneLine(item)), renews: renews && isPaid };
  });
  return [...payment, ...expiries]
    .filter(({ time }) => time > now - oldestDate && time <= end)
    .map(({ time, ...date }) => accountDate.parse({ ...date, date: dateOf(possibleTime(time), format.timeZone) }));
}

export function fleetOf(
  { time, ...all }: Pick<FleetReport, 'time' | 'problems' | 'accounts'>,
  isSelected: (account: FleetReport['accounts'][number]) => boolean,
): FleetReport {
  const byState = (a: { state: AccountState }, b: { state: AccountState }) => rankOf(a.state) - rankOf(b.state);
  const accounts = all.accounts.filter(isSelected).sort(byState);
  const names = new Set(accounts.map(({ account }) => account));
  const problems = all.problems.filter(({ account }) => names.has(account)).sort(byState);
  return { time, state: accounts[0]?.state ?? 'waiting', counts: countStates(accounts), problems, accounts };
}

/** The kinds of problems that are derived from a figure. All other kinds are derived from polls. */
const kindsWithFigure = Object.entries(problemKinds).flatMap(([kind, { source }]) => (source ? kind : []));

/**
 * Keeps only problems that are new, have become more urgent, or have ended. New and more urgent problems determine `state`. A problem whose
 * figure is now unknown does not count as ended. `open`: the problems to pass as `previous` next time.
 */
export function changesOf({ accounts, problems, ...rest }: FleetReport, previous: readonly Problem[]) {
  const find = (list: readonly Problem[], { account, kind, item }: Problem) =>
    list.find((one) => one.account === account && one.kind === kind && one.item === item);
  const missing = problems.filter(({ kind }) => kind === 'unknown disk' || !kindsWithFigure.includes(kind));
  const isUnknown = ({ account, collectors }: Problem) =>
    missing.some((one) => one.account === account && one.collectors.some((name) => collectors.includes(name)));
  const began = problems.filter((one) => rankOf(one.state) < rankOf(find(previous, one)?.state ?? 'ok'));
  const isConfigured = (one: Problem) => accounts.some(({ account }) => account === one.account);
  const gone = previous.filter((one) => isConfigured(one) && find(problems, one) === undefined);
  const ended = gone.filter((one) => !isUnknown(one));
  const mark = (change: Problem['change']) => (one: Problem) => ({ ...one, change });
  const marked = [...began.map(mark('new')), ...ended.map(mark('ended'))];
  const changes: FleetReport = { ...rest, accounts, problems: marked, state: began[0]?.state ?? 'ok' };
  return { changes, open: [...problems, ...gone.filter(isUnknown)] };
}
