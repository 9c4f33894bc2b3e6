import { expect, it, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { budgetedAccounts } from '../fixtures/budgeted-accounts.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { fakeClock } from '../fixtures/polled-account.ts';
import { type ScriptedApi, scriptedApi } from '../fixtures/scripted-api.ts';
import { until } from '../fixtures/waiting.ts';

/** Starts the command for accounts with these budgets. */
function start({ baseUrl }: ScriptedApi, budgets: readonly number[], enabled: readonly string[], flags: string[] = []) {
  const file = budgetedAccounts(cleanups, baseUrl, { budgets, enabled });
  const stop = new AbortController();
  const context = recordedContext({ signal: stop.signal });
  const ended = run(['once', `--config.file=${file}`, ...flags], context);
  /** The log without times and names of files. */
  const log = () => context.printed.stderr.replaceAll(/^time=\S+ /gm, '').replaceAll(file, 'FILE');
  return { ended, stop, printed: context.printed, log };
}

it('logs each pause that the API asks for once', async () => {
  fakeClock('2026-06-03T12:00:00Z');
  const busy = { status: 429, headers: { 'retry-after': '20' } };
  const api = await scriptedApi({ 'user/getAccountInfo': busy, 'ftp/getList': busy });
  const { ended, log } = start(api, [60, 60], ['account', 'databases', 'cron_tasks', 'ftp_accounts']);
  const notices = () => (log().match(/^.*waiting, because.*$/gm) ?? []).toSorted();
  /** The line of each account, repeated. */
  const noticed = (times: number) =>
    ['account0', 'account1'].flatMap((account) =>
      Array(times).fill(
        `level=info msg="waiting, because the API reports too many calls" account=${account} seconds=20`,
      ),
    );

  await until('the first calls', () => api.calls.length === 2);
  await api.settle();
  await vi.advanceTimersByTimeAsync(500);
  expect(notices()).toEqual(noticed(1));
  api.answer('user/getAccountInfo', { result: {} });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(notices()).toEqual(noticed(1));
  let code: number | undefined;
  void ended.then((ending) => {
    code = ending;
  });
  await until('the end', async () => {
    await vi.advanceTimersByTimeAsync(500);
    await api.settle();
    return code !== undefined;
  });

  expect(code).toBe(1);
  // One pause after the first call of the account, and one after each call of ftp/getList.
  expect(api.calls.map(({ name }) => name).filter((name) => name === 'ftp/getList')).toHaveLength(4);
  expect(notices()).toEqual(noticed(3));
});

it('exits with 2 if the output cannot be written', async () => {
  const { ended, printed } = start(await scriptedApi(), [600], ['databases'], ['--output=/dev/full']);

  expect(await ended).toBe(2);
  expect(printed.stderr).toMatch(/^\/dev\/full: cannot be written: ENOSPC/);
});

it('calls again for an item that the API refuses, and then leaves it out', async () => {
  const api = await scriptedApi({
    'stat/getDbListLoad': { result: ['a', 'none'].map((name) => ({ name, cp: '1' })) },
    'stat/getDbLoad': { result: { days: [] } },
    'stat/getDbLoad none': { refuse: 'METHOD_FAILED', text: 'no data' },
  });
  const { ended, printed, log } = start(api, [600], ['database_load', 'database_load_detail']);

  expect(await ended).toBe(0);
  const labels = '{account="account0",collector="database_load_detail"}';
  expect(printed.stdout).toContain(`hosting_exporter_collector_success${labels} 1\n`);
  expect(printed.stdout).toContain(`hosting_exporter_collector_items_refused${labels} 1\n`);
  expect(api.newCalls().filter((name) => name.endsWith('none'))).toHaveLength(2);
  expect(log()).toMatch(/^level=info msg="the API keeps refusing items, leaving them out" .*items=none$/m);
});
