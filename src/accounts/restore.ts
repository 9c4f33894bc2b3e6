import type { ApiSession } from '../api/session.ts';
import { collectors } from '../collectors/list.ts';
import { dropReasons, type RestoreReport } from '../results/snapshot.ts';
import { TimeSlice } from '../runtime/time-slice.ts';
import type { LoadResult, SavedAccount, StateDirectory } from '../state/state-directory.ts';
import type { Account } from './account.ts';
import type { Fingerprints } from './identity.ts';

export interface Member {
  readonly account: Account;
  readonly session: ApiSession;
  readonly saved: SavedAccount;
  readonly fingerprints: Fingerprints;
}

const readAhead = 4;

export async function restoreAccounts(
  state: StateDirectory,
  members: readonly Member[],
  isCurrent: (member: Member) => boolean,
  report: RestoreReport,
): Promise<void> {
  const slice = new TimeSlice();
  for (const [member, file] of readFiles(state, members)) {
    const { loaded, dropped } = await file;
    for (const reason of dropReasons) report.drop(reason, dropped[reason] ?? 0);
    if (loaded === undefined || !isCurrent(member)) continue;
    // A session that has made calls is newer than the saved session.
    if (!member.session.budget.hasRun) member.session.restore(loaded.session);
    await member.account.restore(loaded.polls, { retryFailed: false }, report, slice);
  }
}

type ReadFile = readonly [Member, Promise<LoadResult>];

/** Reads the state files in the order of `members`. Starts to read each file before the file is needed. */
function* readFiles(state: StateDirectory, members: readonly Member[]): Generator<ReadFile> {
  const ahead: ReadFile[] = [];
  for (const member of members) {
    ahead.push([member, state.load(member.saved)]);
    if (ahead.length > readAhead) yield* ahead.splice(0, 1);
  }
  yield* ahead;
}

/** Compresses restored payloads, in time slices so that the exporter can serve and poll meanwhile. */
export async function compressPayloads(accounts: readonly Account[]): Promise<void> {
  const slice = new TimeSlice();
  for (const { store, memory } of accounts) {
    memory.kept?.compress();
    for (const { name } of collectors) {
      for (const kept of store.payloads(name).values()) {
        kept.compress();
        await slice.pause();
      }
    }
  }
}
