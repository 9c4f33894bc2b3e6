import PQueue from 'p-queue';
import { checkAccount } from '../check/check.ts';
import { type AccountResult, isHealthy } from '../check/result.ts';
import { collectors } from '../collectors/list.ts';
import type { AccountConfig } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import type { CheckArguments } from './arguments.ts';
import { checkReport } from './check-report.ts';
import type { ExitCode } from './exit-code.ts';
import { type Host, printWarnings } from './host.ts';
import { pauseNotice } from './pause-notice.ts';
import { ProgressBar } from './progress-bar.ts';
import { select } from './selection.ts';

/** Accounts checked at the same time, each within its own budget. */
const concurrency = 20;

/** Checks every account and reports which collectors work. Exit code 1 if a collector fails. */
export async function check(args: CheckArguments, host: Host): Promise<ExitCode> {
  const { config, warnings } = await loadConfig(args.configFile, host.environment);
  printWarnings(host, [...args.warnings, ...warnings]);
  const results = await checkAll(select(config, args).accounts, host);
  if (results === undefined) return 1;
  host.stdout.write(args.json ? `${JSON.stringify(results, null, 2)}\n` : checkReport(results));
  return results.every(isHealthy) ? 0 : 1;
}

/** Undefined if the process receives a signal to stop. */
async function checkAll(accounts: readonly AccountConfig[], host: Host): Promise<readonly AccountResult[] | undefined> {
  const total = accounts.reduce((sum, account) => sum + countEnabled(account.collectors), 0);
  const noun = accounts.length === 1 ? 'account' : 'accounts';
  host.stderr.write(
    `Checking ${total} collectors of ${accounts.length} ${noun}, within the call budget${describeTime(accounts)}.\n`,
  );
  const progress = new ProgressBar(host.stderr, total);
  const proxied = ['https_proxy', 'HTTPS_PROXY'].some((name) => Boolean(host.environment[name]));
  const queue = new PQueue({ concurrency });
  try {
    return await queue.addAll(
      accounts.map(
        (account) => (): Promise<AccountResult> =>
          checkAccount(account, collectors, {
            signal: host.signal,
            proxied,
            onProgress: (collector) => progress.advance(`${account.name} ${collector}`),
            onPause: (milliseconds) => progress.say(pauseNotice(account.name, milliseconds)),
          }),
      ),
    );
  } catch (error) {
    if (host.signal.aborted) return undefined;
    throw error;
  } finally {
    progress.clear();
  }
}

/** Seconds below which a wait is not announced. */
const minAnnounced = 5;

/** How long the checks take, because the budget spaces the calls of an account; empty if that is short. */
function describeTime(accounts: readonly AccountConfig[]): string {
  const seconds = accounts.map(({ api, collectors }) => (countEnabled(collectors) * 60) / api.requestsPerMinute);
  const longest = Math.max(0, ...seconds) * Math.ceil(accounts.length / concurrency);
  return longest < minAnnounced ? '' : `: about ${Math.round(longest)} s`;
}

function countEnabled(configs: Readonly<Record<string, { readonly enabled: boolean }>>): number {
  return Object.values(configs).filter(({ enabled }) => enabled).length;
}
