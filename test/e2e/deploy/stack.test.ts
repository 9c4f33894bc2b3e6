import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { readText, readYaml, repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';
import { type Service, startAlertmanager, startExporter, startPrometheus, startSandbox } from './services.ts';

// The services of deploy/compose.yml with the profile demo, run by Debian's programs with the files of the stack. `adapt`
// replaces host names and paths of the containers, and shortens intervals from minutes to seconds.

const cleanups = new Cleanups();
afterAll(cleanups.end);

/** Milliseconds; generous, because the machine may be busy. */
const timeout = 120_000;

let folder: string;
let copies = 0;
let exporter: Service;
let prometheus: Service;
let alertmanager: Service;

beforeAll(async () => {
  folder = temporaryFolder(cleanups);
  const { services } = readYaml<ComposeFile>('deploy/compose.yml');
  const sandbox = await startSandbox(cleanups, services.sandbox.command);
  exporter = await startExporter(
    cleanups,
    `--config.file=${adapt('deploy/demo/config.yml', {
      'http://127.0.0.1:10381': `http://${sandbox.address}`,
      'every: 15s': 'every: 2s',
    })}`,
  );
  alertmanager = await startAlertmanager(cleanups, join(repository, 'alerts/alertmanager.example.yml'));
  const rules = adapt('alerts/hosting.rules.yml', { 'for: 10m': 'for: 1s' });
  prometheus = await startPrometheus(
    cleanups,
    adapt('deploy/prometheus/prometheus.yml', {
      'exporter:10380': exporter.address,
      'alertmanager:9093': alertmanager.address,
      '/etc/prometheus/rules/*.yml': rules,
      'scrape_interval: 30s': 'scrape_interval: 1s',
      'evaluation_interval: 30s': 'evaluation_interval: 1s',
    }),
  );
}, timeout);

interface ComposeFile {
  readonly services: { readonly sandbox: { readonly command: readonly string[] } };
}

/** Copies a file of the repository and replaces texts. Throws if a text does not occur. Returns the path of the copy. */
function adapt(path: string, replacements: Readonly<Record<string, string>>): string {
  let text = readText(path);
  for (const [from, to] of Object.entries(replacements)) {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    text = text.replaceAll(from, to);
  }
  copies += 1;
  const copy = join(folder, `${copies}-${basename(path)}`);
  writeFileSync(copy, text, { mode: 0o600 });
  return copy;
}

interface PrometheusResponse<T> {
  readonly data: T;
}

interface Target {
  readonly health: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly discoveredLabels: Readonly<Record<string, string>>;
}

async function targetsOf(server: Service): Promise<readonly Target[]> {
  const { data } =
    await server.fetchJson<PrometheusResponse<{ readonly activeTargets: readonly Target[] }>>('/api/v1/targets');
  return data.activeTargets;
}

async function query(expression: string): Promise<ReadonlyMap<string, number>> {
  const { data } = await prometheus.fetchJson<PrometheusResponse<QueryResult>>(
    `/api/v1/query?query=${encodeURIComponent(expression)}`,
  );
  return new Map(data.result.map(({ metric, value }) => [metric['account'] ?? '', Number(value[1])]));
}

interface QueryResult {
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly value: readonly [number, string];
  }[];
}

describe('stack', { timeout }, () => {
  it('scrapes only the exporter', async () => {
    const targets = await until('every target is up', async () => {
      const all = await targetsOf(prometheus);
      return all.length > 0 && all.every(({ health }) => health === 'up') && all;
    });

    expect(targets.map(({ labels }) => labels)).toEqual([{ job: 'hosting', instance: exporter.address }]);
  });

  it('loads every rule without evaluation errors', async () => {
    const groups = await until('every rule was evaluated', async () => {
      const { data } = await prometheus.fetchJson<PrometheusResponse<RuleGroups>>('/api/v1/rules');
      return data.groups.every(({ rules }) => rules.every(({ health }) => health !== 'unknown')) && data.groups;
    });
    const written = readText('alerts/hosting.rules.yml').match(/^ *- (alert|record):/gm);
    const rules = groups.flatMap((group) => group.rules);

    expect(rules).toHaveLength(written?.length ?? 0);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  });

  it('shows the demo accounts, and the one with an invalid password as down', async () => {
    const up = await until('every account was polled', async () => {
      const accounts = await query('hosting_up');
      return [...accounts.values()].filter((value) => value === 1).length === 4 && accounts;
    });

    expect(Object.fromEntries(up)).toEqual({ blog: 1, shop: 1, agency: 1, unlimited: 1, forgotten: 0 });
  });

  it('shows growing disk usage', async () => {
    const disk = 'hosting_account_disk_usage_bytes';
    const before = await until('the disk usage is known', async () => (await query(disk)).get('shop'));

    const after = await until('the disk has grown', async () => {
      const usage = (await query(disk)).get('shop') ?? 0;
      return usage > before && usage;
    });

    expect(after).toBeGreaterThan(before);
  });

  it('sends a firing alert to Alertmanager', async () => {
    const alert = await until('the alert has arrived', async () => {
      const alerts = await alertmanager.fetchJson<readonly Alert[]>('/api/v2/alerts');
      return alerts.find(({ labels }) => labels['alertname'] === 'HostingCredentialsRejected');
    });

    expect(alert?.labels).toMatchObject({ account: 'forgotten', severity: 'warning', job: 'hosting' });
    expect(alert?.receivers).toEqual([{ name: 'mail' }]);
    expect(alert?.status.state).toBe('active');
  });
});

interface RuleGroups {
  readonly groups: readonly { readonly rules: readonly { readonly health: string }[] }[];
}

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly receivers: readonly { readonly name: string }[];
  readonly status: { readonly state: string };
}

describe('example scrape configurations', { timeout }, () => {
  const accounts = ['agency', 'blog', 'forgotten', 'shop', 'unlimited'];

  async function accountsScrapedWith(example: string, replacements: Readonly<Record<string, string>> = {}) {
    const file = adapt(`deploy/prometheus/examples/${example}`, {
      'exporter.example.com:10380': exporter.address,
      'scrape_interval: 1m': 'scrape_interval: 1s',
      ...replacements,
    });
    const server = await startPrometheus(cleanups, file);
    const targets = await until(`${example} finds targets that are up`, async () => {
      const all = await targetsOf(server);
      return all.length > 0 && all.every(({ health }) => health === 'up') && all;
    });
    for (const { labels } of targets) expect(labels['job']).toBe('hosting');
    return targets.map(({ labels, discoveredLabels }) => ({
      account: discoveredLabels['__param_account'],
      instance: labels['instance'],
    }));
  }

  it('scrape the exporter as one target', async () => {
    expect(await accountsScrapedWith('single.yml')).toEqual([{ account: undefined, instance: exporter.address }]);
  });

  it('scrape each account of a fleet as a target', async () => {
    const seen = await accountsScrapedWith('fleet.yml');

    expect(seen.toSorted((one, other) => String(one.account).localeCompare(String(other.account)))).toEqual(
      accounts.map((account) => ({ account, instance: `${exporter.address}/${account}` })),
    );
  });

  it('distribute the accounts of a fleet over three servers', async () => {
    const shards = await Promise.all(['0', '1', '2'].map((shard) => accountsOfShard(shard)));

    expect(shards.flat().toSorted()).toEqual(accounts);
  });

  async function accountsOfShard(shard: string): Promise<readonly string[]> {
    const file = adapt('deploy/prometheus/examples/sharded.yml', {
      'exporter.example.com:10380': exporter.address,
      "regex: '0'": `regex: '${shard}'`,
    });
    const server = await startPrometheus(cleanups, file);
    const { activeTargets } = await until('the accounts were found', async () => {
      const { data } = await server.fetchJson<PrometheusResponse<Discovered>>('/api/v1/targets');
      return data.activeTargets.length + data.droppedTargets.length === accounts.length && data;
    });
    return activeTargets.map(({ discoveredLabels }) => discoveredLabels['__param_account'] ?? '');
  }
});

interface Discovered {
  readonly activeTargets: readonly Target[];
  readonly droppedTargets: readonly Target[];
}
