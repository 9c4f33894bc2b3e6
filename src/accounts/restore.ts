import type { ApiSession } from '../api/session.ts';
import { collectors } from '../collectors/list.ts';
import { dateOf } from '../results/account-memory.ts';
import { dropReasons, type RestoreReport } from '../results/snapshot.ts';
import { TimeSlice } from '../runtime/time-slice.ts';
import type { SavedAccount, StateDirectory } from '../state/state-directory.ts';
import type { Account } from './account.ts';
import type { Fingerprints } from './identity.ts';

export interface Member {
  readonly account: Account;
  readonly session: ApiSession;
  readonly saved: SavedAccount;
  readonly fingerprints: Fingerprints;
}

export async function restoreAccounts(
  state: StateDirectory,
  members: readonly Member[],
  isCurrent: (member: Member) => boolean,
  report: RestoreReport,
): Promise<void> {
  const slice = new TimeSlice();
  for (const member of members) {
    const { loaded, dropped } = await state.load(member.saved);
    for (const reason of dropReasons) report.drop(reason, dropped[reason] ?? 0);
    if (loaded === undefined || !isCurrent(member)) continue;
    // A session that has made calls is newer than the saved session.
    if (!member.session.budget.hasRun) member.session.restore(loaded.session);
    await member.account.restore(loaded.polls, false, report, slice);
  }
}

/** Compresses restored payloads, in time slices so that the exporter can serve and poll meanwhile. */
export async function compressPayloads(accounts: readonly Account[]): Promise<void> {
  const slice = new TimeSlice();
  for (const { store, memory, timeZone } of accounts) {
    // Read the usage of the disk before, because this takes less time than after the compression.
    memory.usage(dateOf(Date.now(), timeZone));
    await memory.kept?.compress(slice);
    for (const { name } of collectors) {
      for (const kept of store.payloads(name).values()) await kept.compress(slice);
    }
  }
}
