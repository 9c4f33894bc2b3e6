import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectors } from '../../../src/collectors/list.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { demoAccounts } from '../../../src/sandbox/accounts/demo-accounts.ts';
import { readText, readYaml, repository } from '../../fixtures/repository.ts';

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly [key: string]: unknown;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const { services, volumes } = readYaml<ComposeFile>('deploy/compose.yml');

/** Replaces every variable by its default. */
function withDefaults(text: string): string {
  return text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');
}

function mountsOf(service: Service): readonly { readonly source: string; readonly target: string }[] {
  return (service.volumes ?? []).map((volume) => {
    const [source = '', target = ''] = withDefaults(volume).split(':');
    return { source, target };
  });
}

/** The path in the repository that is mounted at a path of a container; undefined if there is none. */
function fileOf(service: string, path: string): string | undefined {
  const mounts = mountsOf(services[service] ?? { image: '' });
  const mount = mounts.find(({ target }) => path === target || path.startsWith(`${target}/`));
  return mount === undefined ? undefined : join('deploy', mount.source, path.slice(mount.target.length));
}

describe('compose stack', () => {
  it('runs the exporter, Prometheus, Alertmanager and Grafana, and the sandbox with the profile demo', () => {
    const profiles = Object.entries(services).map(([name, service]) => [name, service.profiles ?? []]);

    expect(Object.fromEntries(profiles)).toEqual({
      exporter: [],
      sandbox: ['demo'],
      prometheus: [],
      alertmanager: [],
      grafana: [],
    });
  });

  it.each(Object.entries(services))('%s has an exact version and no unnecessary privileges', (_, service) => {
    expect(service.image).toMatch(/:(v?\d+\.\d+\.\d+|local)$/);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service['privileged']).toBeUndefined();
    expect(service.restart).toBe('unless-stopped');
  });

  it.each(Object.entries(services))('%s publishes its ports on 127.0.0.1 only', (_, service) => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it.each(Object.entries(services))('%s mounts existing files read-only', (_, service) => {
    for (const volume of service.volumes ?? []) {
      const [source = ''] = withDefaults(volume).split(':');
      if (Object.hasOwn(volumes, source)) continue;
      expect(volume).toMatch(/:ro$/);
      expect(existsSync(join(repository, 'deploy', source)), source).toBe(true);
    }
  });

  it('runs the sandbox on the loopback address of the exporter, which needs no TLS', () => {
    const { config } = loadConfig(join(repository, 'deploy/demo/config.yml'), {});

    expect(services['sandbox']?.network_mode).toBe('service:exporter');
    expect(services['sandbox']?.command).toContain('--port=10381');
    expect(new Set(config.accounts.map(({ api }) => api.baseUrl))).toEqual(new Set(['http://127.0.0.1:10381/api']));
  });

  it('mounts the configuration of the demo, or the folder in EXPORTER_CONFIG', () => {
    const [flag = ''] = services['exporter']?.command ?? [];

    expect(fileOf('exporter', flag.replace('--config.file=', ''))).toBe('deploy/demo/config.yml');
    expect(services['exporter']?.volumes?.[0]).toMatch(/^\$\{EXPORTER_CONFIG:-/);
    expect(readText('deploy/.gitignore')).toContain('/accounts/');
  });

  it('mounts the rules and the configuration of Prometheus', () => {
    const [config = ''] = services['prometheus']?.command ?? [];
    const { rule_files: rules } = readYaml<{ readonly rule_files: readonly string[] }>(
      'deploy/prometheus/prometheus.yml',
    );

    expect(fileOf('prometheus', config.replace('--config.file=', ''))).toBe('deploy/prometheus/prometheus.yml');
    expect(rules.map((rule) => fileOf('prometheus', rule.replace('*', 'hosting.rules')))).toEqual([
      'alerts/hosting.rules.yml',
    ]);
  });

  it('runs Alertmanager with its example configuration', () => {
    const [config = ''] = services['alertmanager']?.command ?? [];

    expect(fileOf('alertmanager', config.replace('--config.file=', ''))).toBe('alerts/alertmanager.example.yml');
  });
});

describe('demo', () => {
  const { config } = loadConfig(join(repository, 'deploy/demo/config.yml'), {});

  it('configures every account of the sandbox, and one with an invalid password', () => {
    const accepted = config.accounts.filter(({ credentials }) =>
      demoAccounts.some(({ login, password, token }) =>
        credentials.kind === 'token'
          ? credentials.token.reveal() === token
          : credentials.login === login && credentials.password.reveal() === password,
      ),
    );
    const rejected = config.accounts.filter((account) => !accepted.includes(account));

    expect(accepted.map(({ name }) => name)).toEqual(demoAccounts.map(({ login }) => login));
    expect(rejected.map(({ name }) => name)).toEqual(['forgotten']);
  });

  it('polls every default collector at least every 30 minutes', () => {
    const [account] = config.accounts;

    for (const { name, offByDefault } of collectors) {
      if (offByDefault === true) continue;
      const { schedule } = account?.collectors[name] ?? {};
      const advice = `deploy/demo/config.yml: add "${name}: { every: 5m }" to collectors`;
      expect(schedule, advice).toMatchObject({ kind: 'every' });
      expect(schedule?.kind === 'every' ? schedule.interval : 0, advice).toBeLessThanOrEqual(30 * 60_000);
    }
  });

  it('stays below the rate limit of the sandbox', () => {
    for (const { api } of config.accounts) expect(api.requestsPerMinute).toBeLessThan(60);
  });
});

interface DataSource {
  readonly name: string;
  readonly uid: string;
  readonly type: string;
  readonly url: string;
  readonly jsonData: Readonly<Record<string, unknown>>;
}

describe('Grafana provisioning', () => {
  const folder = 'deploy/grafana/provisioning';
  const { datasources } = readYaml<{ readonly datasources: readonly DataSource[] }>(
    `${folder}/datasources/prometheus.yml`,
  );
  const prometheus = readYaml<{
    readonly global: { readonly scrape_interval: string };
    readonly scrape_configs: readonly { readonly scrape_interval?: string }[];
  }>('deploy/prometheus/prometheus.yml');

  it('uses the services of the stack', () => {
    const urls = datasources.map(({ url }) => new URL(url));

    expect(urls.map(({ hostname }) => hostname)).toEqual(['prometheus', 'alertmanager']);
    for (const { hostname, port } of urls) {
      expect(services[hostname]?.ports?.[0]?.endsWith(`:${port}`), hostname).toBe(true);
    }
  });

  it('has the scrape interval of Prometheus', () => {
    const intervals = prometheus.scrape_configs.map((one) => one.scrape_interval ?? prometheus.global.scrape_interval);

    expect(new Set(intervals)).toEqual(new Set([datasources[0]?.jsonData['timeInterval']]));
  });

  it('refers to Alertmanager by a unique uid', () => {
    const uids = datasources.map(({ uid }) => uid);

    expect(datasources[0]?.jsonData['alertmanagerUid']).toBe(datasources[1]?.uid);
    expect(new Set(uids).size).toBe(uids.length);
  });

  it('loads every dashboard once, and the home dashboard', () => {
    const { providers } = readYaml<{
      readonly providers: readonly { readonly type: string; readonly options: { readonly path: string } }[];
    }>(`${folder}/dashboards/hosting.yml`);
    const [provider] = providers;
    const source = fileOf('grafana', provider?.options.path ?? '') ?? '';
    const files = globSync(join(repository, source, '**/*.json'));
    const uids = files.map((file) => (JSON.parse(readFileSync(file, 'utf8')) as { readonly uid: string }).uid);
    const home = services['grafana']?.environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'] ?? '';

    expect(provider?.type).toBe('file');
    expect(uids).toEqual(
      expect.arrayContaining(['hosting-fleet', 'hosting-account', 'hosting-workload', 'hosting-exporter']),
    );
    expect(new Set(uids).size).toBe(uids.length);
    expect(readText(fileOf('grafana', home) ?? '')).toContain('"uid": "hosting-fleet"');
  });
});
