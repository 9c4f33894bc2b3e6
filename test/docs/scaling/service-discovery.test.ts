import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AccountSeed } from '../../../sandbox/src/accounts/account-seed.ts';
import { fleetAccounts } from '../../../sandbox/src/accounts/fleet.ts';
import { startSandbox } from '../../../sandbox/src/server.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { Process } from '../../fixtures/process.ts';
import { type Exporter, listening } from '../../fixtures/program.ts';
import { type Prometheus, startPrometheus } from '../../fixtures/prometheus.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';
import { documentedFile } from './documented-files.ts';

const main = join(import.meta.dirname, '../../../src/main.ts');

/** An account name that must be encoded in a URL. */
const oddName = 'Анна & Co';

describe('two Prometheus servers that share an exporter as in docs/scaling.md', () => {
  const cleanups = new Cleanups();
  const seeds = fleetAccounts(21);
  const [newcomer, ...first] = seeds;
  const names = first.map(nameOf).sort();
  let folder: string;
  let exporter: Exporter;
  let servers: readonly Prometheus[];

  /** Runs a query on each server. */
  function queryAll(expression: string) {
    return Promise.all(servers.map((server) => server.query(expression)));
  }

  /** The accounts that each server scrapes. */
  async function accountsByServer(): Promise<readonly (readonly (string | undefined)[])[]> {
    return (await queryAll('hosting_up')).map((series) => series.map(({ labels }) => labels['account']));
  }

  beforeAll(async () => {
    const sandbox = await startSandbox({ accounts: seeds, requestsPerMinute: 0 });
    cleanups.add(() => sandbox.close());
    folder = temporaryFolder(cleanups);
    mkdirSync(join(folder, 'accounts'));
    const config = documentedFile('config.yml').replace('https://api.example.com/api', sandbox.baseUrl);
    writeFileSync(join(folder, 'config.yml'), config);
    for (const seed of first) writeAccount(folder, seed);
    const flags = [`--config.file=${join(folder, 'config.yml')}`, '--web.listen-address=127.0.0.1:0'];
    exporter = await listening(new Process(cleanups, process.execPath, [main, ...flags]));
    const scrapeConfigs = ['0', '1'].map((share) => scrapeConfigsOf('prometheus-1.yml', share, exporter.address));
    servers = await Promise.all(scrapeConfigs.map((configs) => startPrometheus(cleanups, configs)));
    await until('both servers scrape their accounts', async () => {
      expect((await queryAll('up == 1')).flat()).toHaveLength(names.length + 1);
      return true;
    });
  });

  afterAll(cleanups.end);

  it('keep the account label of the exporter', async () => {
    const [odd] = (await queryAll(`hosting_up{account="${oddName}"}`)).flat();
    const clashes = await queryAll('count({exported_account!=""}) or count({exported_instance!=""})');

    expect(odd?.labels).toEqual({
      __name__: 'hosting_up',
      job: 'hosting',
      instance: `${exporter.address}/${oddName}`,
      account: oddName,
    });
    expect(clashes).toEqual([[], []]);
  });

  it('follow added and removed accounts', async () => {
    const [removed = ''] = names;
    rmSync(join(folder, 'accounts', `${removed}.yml`));
    if (newcomer !== undefined) writeAccount(folder, newcomer);
    exporter.program.send('SIGHUP');

    await until('the servers scrape the new accounts', async () => {
      expect((await accountsByServer()).flat().sort()).toEqual([...names.slice(1), newcomer?.login].sort());
      // A removed account answers 404 until Prometheus refreshes the list.
      expect((await queryAll('up')).flat().map(({ value }) => value)).toEqual(Array.from({ length: 21 }, () => 1));
      return true;
    });
  });
});

function nameOf({ login }: AccountSeed): string {
  return login === 'atlas-travel' ? oddName : login;
}

function writeAccount(folder: string, seed: AccountSeed): void {
  const { login, password } = seed;
  const name = nameOf(seed);
  // JSON is YAML.
  writeFileSync(join(folder, 'accounts', `${name}.yml`), JSON.stringify({ name, login, password }), { mode: 0o600 });
}

/** Scrape configurations of a documented file for one of the two servers, with the exporter's address and a short refresh interval. */
function scrapeConfigsOf(file: string, share: string, address: string) {
  const text = documentedFile(file)
    .replaceAll('exporter:10380', address)
    .replaceAll('regex: "0"', `regex: "${share}"`)
    .replaceAll(/refresh_interval: \w+/g, 'refresh_interval: 1s');
  return (parse(text) as { readonly scrape_configs: readonly Readonly<Record<string, unknown>>[] }).scrape_configs;
}
