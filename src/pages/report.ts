import * as z from 'zod';
import { TimeSlice } from '../runtime/time-slice.ts';
import { inZone, type TextContext } from './context.ts';
import { describeProblem } from './problem-texts.ts';
import { summarize } from './view/account-summary.ts';
import { type AccountProblem, states } from './view/problems.ts';
import { readSummaryFigures } from './view/summary-figures.ts';
import type { ViewedAccount } from './view/viewed-account.ts';

const time = z.iso.datetime();

/** `kind` and `item` name a problem among those of its account; `item` is a domain, a kind of backups, or the cause of failed polls. */
const problem = z.object({
  state: z.enum(states),
  kind: z.string(),
  item: z.string().optional(),
  text: z.string(),
  /** The collectors that fail or, for a problem with a figure, those that provide the figure. */
  collectors: z.array(z.string()),
  /** Only in a report about changes. */
  change: z.enum(['began', 'ended']).optional(),
});

/** An account, as the pages judge it. A missing figure is unknown. Load is in the provider's unit. */
export const accountReport = z.object({
  account: z.string(),
  state: z.enum(states),
  problems: z.array(problem),
  labels: z.record(z.string(), z.string()),
  timeZone: z.string(),
  /** Time of the newest answer for the collector `account`. */
  updated: time.optional(),
  diskUsedBytes: z.number().optional(),
  diskLimitBytes: z.number().optional(),
  planLoad: z.number().optional(),
  planLoadLimit: z.number().optional(),
  paidUntil: time.optional(),
  nextDomain: z.string().optional(),
  nextDomainExpiry: time.optional(),
  newestBackup: time.optional(),
  newestBackupKind: z.string().optional(),
});

/** `state`: the most urgent state; `waiting` without accounts. The most urgent accounts come first. */
export const fleetReport = z.object({
  time,
  state: z.enum(states),
  counts: z.record(z.enum(states), z.number()),
  accounts: z.array(accountReport),
});

export type AccountReport = z.infer<typeof accountReport>;
export type FleetReport = z.infer<typeof fleetReport>;

/** The collectors behind the figures of a problem. All other problems are problems of polls. */
const sources: Readonly<Record<string, readonly string[]>> = {
  disk: ['account'],
  suspension: ['account'],
  'unknown disk': ['account'],
  'plan load': ['account', 'site_load'],
  domain: ['domains'],
  'old backup': ['backups'],
  'no backup': ['backups'],
};

export async function reportAccounts(context: TextContext, accounts: readonly ViewedAccount[]): Promise<FleetReport> {
  const slice = new TimeSlice();
  const reports: AccountReport[] = [];
  for (const account of accounts) {
    reports.push(await reportAccount(context, account, slice));
    await slice.pause();
  }
  return fleetOf(context.now, reports);
}

/** Counts the accounts. `now` is in Unix milliseconds. */
export function fleetOf(now: number, accounts: readonly AccountReport[]): FleetReport {
  const counts = { critical: 0, warning: 0, failing: 0, partly: 0, waiting: 0, ok: 0 };
  for (const { state } of accounts) counts[state] += 1;
  return {
    time: new Date(now).toISOString(),
    state: states.find((state) => counts[state] > 0) ?? 'waiting',
    counts,
    accounts: accounts.toSorted((a, b) => states.indexOf(a.state) - states.indexOf(b.state)),
  };
}

/** One line for each problem. */
export function problemLines({ accounts }: FleetReport): readonly string[] {
  return accounts.flatMap(({ account, problems }) => problems.map(({ text }) => `${account}: ${text}`));
}

async function reportAccount(page: TextContext, account: ViewedAccount, slice: TimeSlice): Promise<AccountReport> {
  const { name, labels, timeZone, pollers } = account;
  const context = inZone(page, timeZone);
  const summary = summarize(account, await readSummaryFigures(account, slice), context.now);
  const { state, disk, planLoad, suspension, nextDomain, backup, answered } = summary;
  const isoOf = (milliseconds = Number.NaN) =>
    Number.isNaN(milliseconds) ? undefined : new Date(milliseconds).toISOString();
  return {
    account: name,
    state,
    problems: summary.problems.map((one) => {
      const concerned = 'collectors' in one ? one.collectors : pollers.map(({ collector }) => collector.name);
      const collectors = [...(sources[one.kind] ?? concerned)];
      return { state: one.state, kind: one.kind, item: itemOf(one), text: describeProblem(context, one), collectors };
    }),
    labels,
    timeZone,
    updated: isoOf(answered),
    diskUsedBytes: disk?.used,
    diskLimitBytes: disk?.limit,
    planLoad: planLoad?.used,
    planLoadLimit: planLoad?.limit,
    paidUntil: isoOf(suspension?.time),
    nextDomain: nextDomain?.domain,
    nextDomainExpiry: isoOf(nextDomain?.time),
    newestBackup: isoOf(backup?.time),
    newestBackupKind: backup?.kind,
  };
}

function itemOf(one: AccountProblem): string | undefined {
  if ('domain' in one) return one.domain;
  if ('backups' in one) return one.backups;
  return one.kind === 'failing polls' ? [one.cause.reason, one.cause.status].join(' ').trim() : undefined;
}
