import { afterAll, beforeAll, expect, it } from 'vitest';
import { fleetAccounts } from '../../sandbox/src/accounts/fleet.ts';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { collectors } from '../../src/collectors/list.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { type Exporter, sandboxSettings, startExporter } from '../fixtures/program.ts';
import { type Prometheus, startPrometheus } from '../fixtures/prometheus.ts';
import { repository } from '../fixtures/repository.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { freePort } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

/**
 * The sum as dashboards compute it. After an account moves, Prometheus briefly has it twice, but the account counts
 * once.
 */
const sumOfDatabases = 'sum(max without (instance, pod) (hosting_databases{job="hosting"}))';
const disagreement = 'max(hosting_exporter_shards) > min(hosting_exporter_shards)';

const cleanups = new Cleanups();
let sandbox: Sandbox;
let prometheus: Prometheus;
let addresses: readonly string[];
let folders: readonly string[];
let databases: number;
/** The running pods. */
let running: readonly Exporter[] = [];

beforeAll(async () => {
  sandbox = await openSandbox({ dialect: 'provider', accounts: fleetAccounts(16), speed: 0 }, cleanups);
  databases = sandbox.accounts.reduce((sum, account) => sum + account.databases.length, 0);
  addresses = await Promise.all([1, 2, 3].map(async () => `127.0.0.1:${await freePort()}`));
  folders = addresses.map(() => temporaryFolder(cleanups));
  prometheus = await startPrometheus(cleanups, [{ job_name: 'hosting', static_configs: [{ targets: addresses }] }], {
    configuration: { rule_files: [`${repository}/alerts/hosting.rules.yml`] },
  });
});
afterAll(cleanups.end);

/** Starts a pod with the state directory of its previous run. */
function startPod(index: number, count: number): Promise<Exporter> {
  const settings = {
    ...sandboxSettings(sandbox),
    collectors: Object.fromEntries(
      collectors.map(({ name }) => [name, { enabled: ['account', 'databases'].includes(name) }]),
    ),
    state: { directory: folders[index - 1] },
  };
  return startExporter(cleanups, settings, [
    `--web.listen-address=${addresses[index - 1]}`,
    `--shard=${index}/${count}`,
  ]);
}

/** Stops the running pods, and starts this number of pods. */
async function restartWith(count: number): Promise<void> {
  await Promise.all(running.map(({ program }) => program.stop()));
  running = await Promise.all(Array.from({ length: count }, (_, index) => startPod(index + 1, count)));
}

async function untilComplete(): Promise<void> {
  await until('all accounts', async () => {
    expect(await prometheus.value('count(hosting_account_info)')).toBe(sandbox.accounts.length);
    expect(await prometheus.value(sumOfDatabases)).toBe(databases);
    return true;
  });
}

it('a StatefulSet changes from two to three shards: no sum above the truth, no alert, and figures at once of accounts that stay', async () => {
  await restartWith(2);
  await untilComplete();
  const polledBy = await accountsOf(2);
  const started = Date.now() / 1000;

  await restartWith(3);
  const first = await Promise.all(running.map(({ page }) => page()));
  await untilComplete();

  // Accounts that stay are complete in the first scrape.
  const stayed = [...(await accountsOf(3))].filter(([account, instance]) => polledBy.get(account) === instance);
  expect(stayed.length).toBeGreaterThan(sandbox.accounts.length / 3);
  expect(stayed.length).toBeLessThan(sandbox.accounts.length);
  const pages = first.join('\n');
  expect(stayed.filter(([account]) => !pages.includes(`hosting_databases{account="${account}"}`))).toEqual([]);
  const end = Date.now() / 1000;
  const sums = (await prometheus.range(sumOfDatabases, started, end, 0.5)).flatMap(({ values }) => [
    ...values.values(),
  ]);
  expect(sums.length).toBeGreaterThan(0);
  expect(Math.max(...sums)).toBe(databases);
  expect(await prometheus.range('ALERTS{alertstate="firing"}', started, end, 0.5)).toEqual([]);
  await until('the same number of shards', async () => (await prometheus.value(disagreement)) === undefined);
});

/** Waits until this number of instances report accounts. Returns the instance of each account. */
async function accountsOf(instances: number): Promise<ReadonlyMap<string, string>> {
  return until(`accounts of ${instances} instances`, async () => {
    const series = await prometheus.query('hosting_account_info');
    const reported = new Map(series.map(({ labels }) => [labels['account'] ?? '', labels['instance'] ?? '']));
    return new Set(reported.values()).size === instances && reported;
  });
}
