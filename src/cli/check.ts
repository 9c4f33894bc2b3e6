import PQueue from 'p-queue';
import { collectors } from '../collectors/list.ts';
import type { AccountConfig } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { examine } from '../doctor/doctor.ts';
import { type AccountFinding, isHealthy } from '../doctor/finding.ts';
import type { CheckArguments } from './arguments.ts';
import { checkReport } from './check-report.ts';
import type { Host, Output } from './host.ts';
import { select } from './selection.ts';

/** Accounts examined at the same time; each keeps to its own budget. */
const concurrency = 20;

/** Tries out every account and collector, and says what will work. Exit code 1 where something will not. */
export async function check(args: CheckArguments, host: Host): Promise<number> {
  const { config, warnings } = loadConfig(args.configFile, host.environment);
  for (const warning of warnings) host.stderr.write(`warning: ${warning}\n`);
  const findings = await examineAll(select(config, args).accounts, host);
  if (findings === undefined) return 1;
  host.stdout.write(args.json ? `${JSON.stringify(findings, null, 2)}\n` : checkReport(findings));
  return findings.every(isHealthy) ? 0 : 1;
}

/** Undefined where the process is asked to end meanwhile. */
async function examineAll(
  accounts: readonly AccountConfig[],
  host: Host,
): Promise<readonly AccountFinding[] | undefined> {
  const total = accounts.reduce((sum, account) => sum + countEnabled(account.collectors), 0);
  host.stderr.write(
    `Trying ${total} collectors of ${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}, each within its budget of calls.\n`,
  );
  const progress = new ProgressBar(host.stderr, total);
  const proxied = ['https_proxy', 'HTTPS_PROXY'].some((name) => Boolean(host.environment[name]));
  const queue = new PQueue({ concurrency });
  try {
    return await queue.addAll(
      accounts.map(
        (account) => (): Promise<AccountFinding> =>
          examine(account, collectors, {
            signal: host.signal,
            proxied,
            onProgress: (collector) => progress.advance(`${account.name} ${collector}`),
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

function countEnabled(configs: Readonly<Record<string, { readonly enabled: boolean }>>): number {
  return Object.values(configs).filter(({ enabled }) => enabled).length;
}

const barWidth = 24;
const lineWidth = 78;

/** One line on a terminal that grows as the work is done; nothing where the output is no terminal. */
class ProgressBar {
  readonly #output: Output;
  readonly #total: number;
  #done = 0;

  constructor(output: Output, total: number) {
    this.#output = output;
    this.#total = total;
  }

  advance(label: string): void {
    this.#done += 1;
    if (this.#output.isTTY !== true) return;
    const filled = Math.round((this.#done / this.#total) * barWidth);
    const bar = '#'.repeat(filled).padEnd(barWidth, '.');
    this.#output.write(`\r${`[${bar}] ${this.#done}/${this.#total} ${label}`.slice(0, lineWidth).padEnd(lineWidth)}`);
  }

  clear(): void {
    if (this.#output.isTTY === true) this.#output.write(`\r${' '.repeat(lineWidth)}\r`);
  }
}
