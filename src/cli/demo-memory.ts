import type { HostingAccount } from '../../sandbox/src/hosting-account.ts';
import { type SandboxOptions, startSandbox } from '../../sandbox/src/server.ts';
import { pause } from '../pages/view/overview.ts';
import type { Account } from '../polling/account.ts';
import { type DailyMemory, dateOf, lastDates, readLists } from '../store/daily-memory.ts';
import { Figures } from '../store/figures.ts';

const day = 86_400_000;

/** Fills the daily memory of the accounts with 30 days of a sandbox, so that charts and changes are complete when the demo starts. */
export async function rememberPast(accounts: readonly Account[], options: SandboxOptions): Promise<void> {
  const clock = { time: Date.now() };
  const past = await startSandbox({ ...options, port: 0, clock: { now: () => clock.time } });
  let resumed = 0;
  for (const [index, account] of accounts.entries()) {
    const hosting = past.accounts.find(({ login }) => login === account.name);
    if (hosting !== undefined) account.memory = rememberedDays(account, hosting, clock, index);
    resumed = await pause(resumed);
  }
  await past.close();
}

/** `past`: the account in a sandbox with this `clock`. One domain got its current PHP version `updatedFor` days ago. */
function rememberedDays(account: Account, past: HostingAccount, clock: { time: number }, updatedFor: number) {
  const now = Date.now();
  const dates = lastDates(dateOf(now, account.timeZone), 30);
  const lists = readLists(new Figures(account.store.families()));
  const [updated = ''] = Object.keys(lists.php ?? {});
  const memory: DailyMemory = { days: {}, lists: {} };
  clock.time = now - day;
  const yesterday = past.diskUsageBytes;
  clock.time = now;
  // Limit the daily growth to 2.5% of today's usage. With a growth of 25% a day, the disk would have been empty four days ago.
  const pace = Math.min(1, (0.025 * past.diskUsageBytes) / (past.diskUsageBytes - yesterday));
  for (const [index, date] of dates.entries()) {
    const age = dates.length - 1 - index;
    clock.time = now - age * day * pace;
    const { diskUsageBytes: disk, diskLimitBytes: limit = null } = past;
    clock.time = now - age * day;
    const load = past.sites.reduce((sum, site) => sum + site.load.average, 0);
    memory.days[date] = [disk, limit, past.details?.balance ?? null, load];
    if (age > 7) continue;
    const sizes = new Map(past.databases.map(({ name, sizeBytes }) => [name, sizeBytes]));
    const names = Object.keys(lists.databases ?? {});
    memory.lists[date] = {
      ...lists,
      disk: { [account.name]: disk },
      databases: Object.fromEntries(names.map((name) => [name, sizes.get(name) ?? 0])),
      php: { ...lists.php, ...(age <= updatedFor || updated === '' ? {} : { [updated]: '8.0' }) },
    };
  }
  return memory;
}
