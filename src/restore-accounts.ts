import { setImmediate } from 'node:timers/promises';
import type { ApiSession } from './api/session.ts';
import { collectors } from './collectors/list.ts';
import { inTurns } from './in-turns.ts';
import type { Account } from './polling/account.ts';
import { dropReasons, type RestoreReport } from './polling/snapshot.ts';
import type { LoadResult, SavedAccount, StateDirectory } from './state/state-directory.ts';

/** Files to read while an account is restored. */
const readAhead = 4;

/** Series to restore before other work continues: about ten milliseconds. */
const seriesPerTurn = 500;

/** Payloads to compress before other work continues: a few milliseconds. */
const payloadsPerTurn = 50;

/** An account to restore. */
export interface RestorableAccount {
  readonly account: Account;
  readonly session: ApiSession;
  readonly saved: SavedAccount;
  /** Whether the session takes what the file knows. A session that is in use knows newer things. */
  readonly restoresSession: boolean;
  /** Whether the account is still polled: a reload may have replaced it meanwhile. */
  readonly isCurrent: () => boolean;
}

/** Shows the figures that an earlier process saved of these accounts. Lets other work continue in between. */
export async function restoreAccounts(
  state: StateDirectory,
  accounts: readonly RestorableAccount[],
): Promise<RestoreReport> {
  let total: RestoreReport = { series: 0, dropped: {} };
  for (const { account, file } of readFiles(state, accounts)) total = sumOf(total, await restore(account, await file));
  return total;
}

interface ReadFile {
  readonly account: RestorableAccount;
  readonly file: Promise<LoadResult>;
}

/** Reads the files in order, a few of them ahead of the account that is restored. */
function* readFiles(state: StateDirectory, accounts: readonly RestorableAccount[]): Generator<ReadFile> {
  const ahead: ReadFile[] = [];
  for (const account of accounts) {
    ahead.push({ account, file: state.load(account.saved) });
    if (ahead.length > readAhead) yield* ahead.splice(0, 1);
  }
  yield* ahead;
}

async function restore(
  { account, session, restoresSession, isCurrent }: RestorableAccount,
  { loaded, dropped }: LoadResult,
): Promise<RestoreReport> {
  const unread = { series: 0, dropped };
  if (loaded === undefined || !isCurrent()) return unread;
  if (restoresSession) session.restore(loaded.session);
  return sumOf(unread, await inTurns(account.restore(loaded.polls, { retryFailed: false }), seriesPerTurn));
}

function sumOf(one: RestoreReport, other: RestoreReport): RestoreReport {
  const reasons = dropReasons.filter((reason) => reason in one.dropped || reason in other.dropped);
  const dropped = reasons.map((reason) => [reason, (one.dropped[reason] ?? 0) + (other.dropped[reason] ?? 0)]);
  return { series: one.series + other.series, dropped: Object.fromEntries(dropped) };
}

/** Compresses what was restored. Lets other work continue in between: serving and polling come first. */
export async function compressPayloads(accounts: readonly Account[]): Promise<void> {
  for (const { store } of accounts) {
    for (const { name } of collectors) {
      for (const [index, kept] of [...store.payloads(name).values()].entries()) {
        kept.compress();
        if (index % payloadsPerTurn === payloadsPerTurn - 1) await setImmediate();
      }
    }
    await setImmediate();
  }
}
