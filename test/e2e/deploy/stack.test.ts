import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { readText, readYaml, repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';
import { type Service, startAlertmanager, startExporter, startPrometheus, startSandbox } from './services.ts';

/**
 * The parts of deploy/compose.yml as it starts them for the demo, with Debian's programs in place of the images, and with
 * the stack's own files. What is different is said where the files are read: names of hosts and paths inside containers,
 * which mean nothing here, and paces, so that a test sees in seconds what a person sees in minutes.
 */
const cleanups = new Cleanups();
afterAll(cleanups.end);

/** Milliseconds: generous, since the machine may be busy. */
const patience = 120_000;

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
}, patience);

interface ComposeFile {
  readonly services: { readonly sandbox: { readonly command: readonly string[] } };
}

/** A copy of a file of the repository with each text replaced by another. It must be there to be replaced. */
function adapt(path: string, replacements: Readonly<Record<string, string>>): string {
  let text = readText(path);
  for (const [here, there] of Object.entries(replacements)) {
    if (!text.includes(here)) throw new Error(`${path} has no ${here}`);
    text = text.replaceAll(here, there);
  }
  copies += 1;
  const copy = join(folder, `${copies}-${basename(path)}`);
  writeFileSync(copy, text, { mode: 0o600 });
  return copy;
}

interface Answer<T> {
  readonly data: T;
}

interface Target {
  readonly health: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly discoveredLabels: Readonly<Record<string, string>>;
}

async function targetsOf(server: Service): Promise<readonly Target[]> {
  const { data } = await server.ask<Answer<{ readonly activeTargets: readonly Target[] }>>('/api/v1/targets');
  return data.activeTargets;
}

async function query(expression: string): Promise<ReadonlyMap<string, number>> {
  const { data } = await prometheus.ask<Answer<QueryResult>>(`/api/v1/query?query=${encodeURIComponent(expression)}`);
  return new Map(data.result.map(({ metric, value }) => [metric['account'] ?? '', Number(value[1])]));
}

interface QueryResult {
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly value: readonly [number, string];
  }[];
}

describe('the stack', { timeout: patience }, () => {
  it('has Prometheus scrape the exporter, and nothing else', async () => {
    const targets = await until('every target is up', async () => {
      const all = await targetsOf(prometheus);
      return all.length > 0 && all.every(({ health }) => health === 'up') && all;
    });

    expect(targets.map(({ labels }) => labels)).toEqual([{ job: 'hosting', instance: exporter.address }]);
  });

  it('has every rule loaded, and none that fails', async () => {
    const groups = await until('every rule was evaluated', async () => {
      const { data } = await prometheus.ask<Answer<RuleGroups>>('/api/v1/rules');
      return data.groups.every(({ rules }) => rules.every(({ health }) => health !== 'unknown')) && data.groups;
    });
    const written = readText('alerts/hosting.rules.yml').match(/^ *- (alert|record):/gm);
    const rules = groups.flatMap((group) => group.rules);

    expect(rules).toHaveLength(written?.length ?? 0);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  });

  it('sees the accounts of the demo, and the one whose password was changed', async () => {
    const up = await until('every account was polled', async () => {
      const accounts = await query('hosting_up');
      return [...accounts.values()].filter((value) => value === 1).length === 4 && accounts;
    });

    expect(Object.fromEntries(up)).toEqual({ blog: 1, shop: 1, agency: 1, unlimited: 1, forgotten: 0 });
  });

  it('shows figures that move', async () => {
    const disk = 'hosting_account_disk_usage_bytes';
    const before = await until('the disk was seen', async () => (await query(disk)).get('shop'));

    const after = await until('the disk has grown', async () => {
      const usage = (await query(disk)).get('shop') ?? 0;
      return usage > before && usage;
    });

    expect(after).toBeGreaterThan(before);
  });

  it('hands a firing alert to Alertmanager, which lists it for a person to see', async () => {
    const alert = await until('the alert has arrived', async () => {
      const alerts = await alertmanager.ask<readonly Alert[]>('/api/v2/alerts');
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

describe('the examples of scrape configurations', { timeout: patience }, () => {
  const accounts = ['agency', 'blog', 'forgotten', 'shop', 'unlimited'];

  async function accountsSeenBy(example: string, replacements: Readonly<Record<string, string>> = {}) {
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

  it('scrape all accounts at once', async () => {
    expect(await accountsSeenBy('single.yml')).toEqual([{ account: undefined, instance: exporter.address }]);
  });

  it('scrape each account of a fleet by itself', async () => {
    const seen = await accountsSeenBy('fleet.yml');

    expect(seen.toSorted((one, other) => String(one.account).localeCompare(String(other.account)))).toEqual(
      accounts.map((account) => ({ account, instance: `${exporter.address}/${account}` })),
    );
  });

  it('share the accounts of a fleet out among three servers, each to one', async () => {
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
      const { data } = await server.ask<Answer<Discovered>>('/api/v1/targets');
      return data.activeTargets.length + data.droppedTargets.length === accounts.length && data;
    });
    return activeTargets.map(({ discoveredLabels }) => discoveredLabels['__param_account'] ?? '');
  }
});

interface Discovered {
  readonly activeTargets: readonly Target[];
  readonly droppedTargets: readonly Target[];
}
