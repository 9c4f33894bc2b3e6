import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Member, restoreAccounts } from '../../../src/accounts/restore.ts';
import { RestoreReport } from '../../../src/results/snapshot.ts';
import { fileNameOf } from '../../../src/state/read-state.ts';
import { type SavedAccount, StateDirectory } from '../../../src/state/state-directory.ts';
import { accountConfig } from '../../fixtures/config.ts';
import { fakeClock, type PolledAccount, polledAccount } from '../../fixtures/polled-account.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { type ScriptedAnswer, scriptedApi } from '../../fixtures/scripted-api.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const versions = new Map([['databases', 1]]);

function savedAccount(name: string, { account, session }: PolledAccount): SavedAccount {
  const polls = () => account.snapshot();
  return { name, identity: 'login', secret: () => 'password', polls, session: () => session.snapshot() };
}

/** A state directory in which an earlier process has saved these accounts after a poll of their databases. */
async function savedAccounts(names: readonly string[], answer: ScriptedAnswer = { result: [{ name: 'a', size: 5 }] }) {
  fakeClock('2026-06-03T12:00:00Z');
  const directory = temporaryFolder();
  const api = await scriptedApi({ 'mysql/getList': answer });
  const open = () => StateDirectory.open({ directory, shard: '', versions, log: recordedLog().log });
  const create = (name: string) =>
    polledAccount(accountConfig({ name, api: { baseUrl: api.baseUrl }, collectors: ['databases'] }));
  const earlier = await open();
  const polled = names.map(create);
  await Promise.all(polled.map(({ account }) => account.pollOnce()));
  for (const one of polled) earlier.changed(savedAccount(one.account.name, one));
  for (const { account } of polled) account.stop();
  await earlier.close();
  api.newCalls();
  const state = await open();
  onTestFinished(() => state.close());
  /** A new account that can be restored, and its parts. */
  const restorable = (name: string, settings: Partial<Member> = {}) => {
    const polled = create(name);
    const { account, session } = polled;
    const saved = savedAccount(name, polled);
    const fingerprints = { config: '', identity: '', source: '', secret: '', annotations: '' };
    return { polled, restorable: { account, session, saved, isNewSession: true, fingerprints, ...settings } };
  };
  return { api, directory, state, restorable };
}

async function restore(state: StateDirectory, members: readonly Member[], isCurrent = () => true) {
  const report = new RestoreReport();
  await restoreAccounts(state, members, isCurrent, report);
  return report;
}

describe('the accounts of an earlier process', () => {
  it('are all restored, however many, and their series are added up', async () => {
    const names = Array.from({ length: 11 }, (_, index) => `a${index}`);
    const { state, restorable } = await savedAccounts(names);
    const accounts = names.map((name) => restorable(name));

    const report = await restore(
      state,
      accounts.map((one) => one.restorable),
    );

    const counts = await Promise.all(accounts.map(({ polled }) => polled.metricValue('hosting_databases')));
    expect(counts).toEqual(names.map(() => 1));
    // The number of databases, and the size of the only one.
    expect(report).toEqual({ series: 2 * names.length, dropped: {} });
  });

  it('are counted by reason if they cannot be used', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const { directory, state, restorable } = await savedAccounts(names);
    for (const name of ['a', 'c']) writeFileSync(join(directory, fileNameOf(name)), 'text');
    const accounts = names.map((name) => restorable(name).restorable);
    const foreign = accounts.map((one) =>
      one.saved.name === 'd' ? { ...one, saved: { ...one.saved, identity: 'another login' } } : one,
    );

    const report = await restore(state, foreign);

    expect(report).toEqual({ series: 2, dropped: { foreign: 1, damaged: 2 } });
  });

  it('are not restored if a reload has replaced them meanwhile', async () => {
    const { state, restorable } = await savedAccounts(['shop']);
    const { polled, restorable: account } = restorable('shop');

    const report = await restore(state, [account], () => false);

    expect(report).toEqual({ series: 0, dropped: {} });
    expect(await polled.metricValue('hosting_databases')).toBeUndefined();
  });

  it.each([
    [false, 300_000],
    [true, 0],
  ])('continue a pause that the API asked for, unless their session has made a call: %s', async (hasRun, pause) => {
    const answer = { status: 429, headers: { 'retry-after': '300' } };
    const { state, restorable } = await savedAccounts(['shop'], answer);
    const { polled, restorable: account } = restorable('shop');
    polled.account.budget.hasRun = hasRun;

    await restore(state, [account]);

    expect(polled.account.budget.pauseRemaining).toBe(pause);
  });

  it('retry failed polls at their times, not at the start', async () => {
    const { api, state, restorable } = await savedAccounts(['shop'], { refuse: 'PERMISSION_DENIED' });
    const { polled, restorable: account } = restorable('shop');
    await restore(state, [account]);
    void polled.account.start();

    await vi.advanceTimersByTimeAsync(59_000);
    await api.settle();

    expect(api.newCalls()).toEqual([]);
  });
});
