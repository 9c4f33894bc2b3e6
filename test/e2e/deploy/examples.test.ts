import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAccounts } from '../../../sandbox/src/accounts/demo-accounts.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { type Exporter, listening, startProgram, writeSettings } from '../../fixtures/program.ts';
import { type Prometheus, runPrometheus } from '../../fixtures/prometheus.ts';
import { analyzeQuery } from '../../fixtures/promql.ts';
import { openSandbox } from '../../fixtures/sandbox.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';
import { rules as allRules } from '../../rules/rule-file.ts';
import { adaptedCopy } from './adapted-copy.ts';

const cleanups = new Cleanups();
afterAll(cleanups.end);

/** Every metric of the exporter that an alert rule or a recording rule selects. */
const neededMetrics = new Set(
  allRules
    .flatMap(({ expr }) => analyzeQuery(expr).selectors.map(({ metric }) => metric))
    .filter((metric) => metric.startsWith('hosting_')),
);

const accountNames = ['agency', 'shop'];

let configFile: string;
let webConfigFile: string;
let settings: string;
let exporter: Exporter;
let shards: readonly Exporter[];
/** The servers of all examples run at the same time. */
const servers = new Map<Example, readonly Prometheus[]>();

beforeAll(async () => {
  // Some metrics exist only with a refused method, dropped series, excluded items, a web configuration or a state directory.
  const sites = Array.from({ length: 120 }, (_, index) => ({ name: `site-${index}.example`, load: 1, domains: [] }));
  const used = demoAccounts.filter(({ login }) => accountNames.includes(login));
  const accounts = used.map((one) => (one.login === 'agency' ? { ...one, sites, forbidden: ['ftp'] } : one));
  const sandbox = await openSandbox({ dialect: 'provider', accounts }, cleanups);
  settings = JSON.stringify({
    api: { base_url: sandbox.baseUrl, requests_per_minute: 60_000 },
    collectors: { site_load: { max_series: 100 } },
    state: { directory: `\${STATE}` },
    accounts: sandbox.accounts.map(({ login, password }) => ({
      name: login,
      login,
      password,
      alerts: { HostingDiskAlmostFull: { warning: 0.9 } },
      exclude: { sites: ['site-1.example'] },
    })),
  });
  configFile = writeSettings(cleanups, JSON.parse(settings));
  webConfigFile = writeSettings(cleanups, {});
  [exporter, ...shards] = await Promise.all([
    // A rule compares the number of shards, so the single exporter needs this flag, too.
    start('--shard=1/1'),
    start('--shard=1/3'),
    start('--shard=2/3'),
    start('--shard=3/3'),
  ]);
  for (const one of [exporter, ...shards]) await until('ready', async () => (await one.status('/-/ready')) === 200);
  const rules = adaptedCopy(cleanups, 'alerts/hosting.rules.yml', { 'for: 15m': 'for: 0s' });
  await Promise.all(
    examples.map(async (example) => {
      servers.set(example, await Promise.all(example.servers.map((texts) => startServer(example, rules, texts))));
    }),
  );
});

function start(...flags: readonly string[]): Promise<Exporter> {
  const files = [`--config.file=${configFile}`, `--web.config.file=${webConfigFile}`];
  const argv = [...files, '--web.listen-address=127.0.0.1:0', ...flags];
  return listening(startProgram(cleanups, argv, { environment: { STATE: temporaryFolder(cleanups) } }));
}

/** Number of series of each metric that the rules need, on the pages of some exporters. */
async function seriesOnPages(exporters: readonly Exporter[]): Promise<ReadonlyMap<string, number>> {
  const pages = await Promise.all(exporters.map((one) => one.page()));
  const names = pages.flatMap((page) => [...page.matchAll(/^(hosting_\w+)[{ ]/gm)].map(([, name = '']) => name));
  return countsOf(names.filter((name) => neededMetrics.has(name)));
}

/** Number of series of each metric that the rules need, on all servers together. */
async function seriesOnServers(servers: readonly Prometheus[]): Promise<ReadonlyMap<string, number>> {
  const results = await Promise.all(servers.map((server) => server.query('{__name__=~"hosting_.*",job="hosting"}')));
  return countsOf(
    results.flat().flatMap(({ labels: { __name__: name = '' } }) => (neededMetrics.has(name) ? [name] : [])),
  );
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, series]) => [name, series.length]));
}

/** A scrape configuration of the repository, besides that of the stack (see stack.test.ts): the exporters that it scrapes, and its Prometheus servers. */
interface Example {
  readonly path: string;
  readonly exporters: () => readonly Exporter[];
  /** For each server, the replacements that turn the file into its configuration. */
  readonly servers: readonly Readonly<Record<string, string>>[];
  /** The label `instance` of each target, after the address of the exporter. */
  readonly instances: readonly string[];
}

const folder = 'deploy/prometheus/examples';
const byAccount = ['', ...accountNames.map((name) => `/${name}`)];

const examples: readonly Example[] = [
  { path: `${folder}/single.yml`, exporters: () => [exporter], servers: [{}], instances: [''] },
  { path: `${folder}/fleet.yml`, exporters: () => [exporter], servers: [{}], instances: byAccount },
  {
    path: `${folder}/sharded.yml`,
    exporters: () => [exporter],
    servers: ['0', '1', '2'].map((share) => ({ "regex: '0'": `regex: '${share}'` })),
    instances: byAccount,
  },
  { path: `${folder}/several-exporters.yml`, exporters: () => shards, servers: [{}], instances: [''] },
];

function startServer(
  { path, exporters }: Example,
  rules: string,
  texts: Readonly<Record<string, string>>,
): Promise<Prometheus> {
  const addresses = exporters().map(({ address }, index, { length }) => {
    return [`exporter${length > 1 ? `-${index + 1}` : ''}.example.com:10380`, address];
  });
  const global = 'scrape_interval: 1s\n  evaluation_interval: 1s';
  const file = adaptedCopy(cleanups, path, {
    ...Object.fromEntries(addresses),
    ...texts,
    'scrape_interval: 1m': 'scrape_interval: 1s',
    'scrape_configs:': `rule_files: [${rules}]\nglobal:\n  ${global}\nscrape_configs:`,
  });
  return runPrometheus(cleanups, file);
}

function serversOf(example: Example): readonly Prometheus[] {
  return servers.get(example) ?? [];
}

describe.each(examples)('$path', (example) => {
  const { exporters, instances } = example;

  it('finds every target once, with the job name of the rules', async () => {
    const expected = exporters().flatMap(({ address }) => instances.map((suffix) => `${address}${suffix}`));

    const targets = await until('every target is up', async () => {
      const found = (await Promise.all(serversOf(example).map((server) => server.targets()))).flat();
      return found.length >= expected.length && found.every(({ health }) => health === 'up') && found;
    });

    expect(targets.map(({ labels }) => labels['instance']).toSorted()).toEqual(expected.toSorted());
    expect(new Set(targets.map(({ labels }) => labels['job']))).toEqual(new Set(['hosting']));
  });

  it('scrapes every series that a rule needs exactly once', async () => {
    await until('the pages have every metric that a rule needs', async () => {
      expect([...(await seriesOnPages(exporters())).keys()].toSorted()).toEqual([...neededMetrics].toSorted());
      return true;
    });

    await until('Prometheus has every series', async () => {
      expect(await seriesOnServers(serversOf(example))).toEqual(await seriesOnPages(exporters()));
      return true;
    });
  });
});

it('every example fires one alert per exporter when the configuration becomes invalid', async () => {
  writeFileSync(configFile, 'colectors: {}\n');
  for (const { program } of [exporter, ...shards]) program.send('SIGHUP');

  const alerts = await until('the alerts fire', async () => {
    const found = await Promise.all(
      examples.map(async (example) => {
        const firing = 'ALERTS{alertname="HostingConfigReloadFailed",alertstate="firing"}';
        const series = await Promise.all(serversOf(example).map((server) => server.query(firing)));
        return [example, series.flat().map(({ labels }) => labels['instance'] ?? '')] as const;
      }),
    );
    return found.every(([{ exporters }, instances]) => instances.length >= exporters().length) && found;
  });
  writeFileSync(configFile, settings);
  for (const { program } of [exporter, ...shards]) program.send('SIGHUP');

  for (const [{ path, exporters }, instances] of alerts) {
    expect(instances.toSorted(), path).toEqual(
      exporters()
        .map(({ address }) => address)
        .toSorted(),
    );
  }
  await until('the reload succeeds', async () => {
    for (const one of [exporter, ...shards]) {
      expect(await one.page()).toContain('hosting_exporter_config_last_reload_successful 1\n');
    }
    return true;
  });
});
