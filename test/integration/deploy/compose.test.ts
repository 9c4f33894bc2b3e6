import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../fixtures/command-line.ts';
import { readText, readYaml, repository } from '../../fixtures/repository.ts';

interface Service {
  readonly extends?: { readonly file: string; readonly service: string };
  readonly image: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly restart?: string;
  readonly [key: string]: unknown;
}

interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const { services: shared } = readYaml<ComposeFile>('deploy/compose.services.yml');

/** Reads a Compose file with the services that it extends. */
function readStack(path: string): ComposeFile {
  const { services: own, ...rest } = readYaml<ComposeFile>(path);
  const services = Object.entries(own).map(([name, { extends: base, ...settings }]): [string, Service] => {
    if (base?.file !== 'compose.services.yml') throw new Error(`${path}: ${name} does not extend compose.services.yml`);
    const inherited = shared[base.service];
    if (inherited === undefined) throw new Error(`${path}: compose.services.yml has no service ${base.service}`);
    const environment = { ...inherited.environment, ...settings.environment };
    const volumes = [...(inherited.volumes ?? []), ...(settings.volumes ?? [])];
    return [name, { ...inherited, ...settings, environment, volumes }];
  });
  return { ...rest, services: Object.fromEntries(services) };
}

const stacks = {
  accounts: readStack('deploy/compose.yml'),
  demo: readStack('deploy/compose.demo.yml'),
} as const;
const { services } = stacks.accounts;

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

/** Megabytes. */
function memoryLimitOf(service: Service): number {
  const [, number, unit] = /^(\d+)([mg])$/.exec(withDefaults(String(service['mem_limit']))) ?? [];
  return Number(number) * (unit === 'g' ? 1024 : 1);
}

/** The services that keep running. */
function lasting({ services: all }: ComposeFile): readonly (readonly [string, Service])[] {
  return Object.entries(all).filter(([, { restart }]) => restart !== 'no');
}

describe.each(Object.entries(stacks))('stack %s', (_, stack) => {
  it('runs the exporter, Prometheus, Alertmanager and Grafana', () => {
    expect(lasting(stack).map(([name]) => name)).toEqual(['exporter', 'prometheus', 'alertmanager', 'grafana']);
  });

  it.each(Object.entries(stack.services))(
    '%s has an exact version, no unnecessary privileges, a memory limit and rotated logs',
    (_name, service) => {
      expect(service.image).toMatch(/:(v?\d+\.\d+\.\d+|local)$/);
      expect(service.cap_drop).toEqual(['ALL']);
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
      expect(service['privileged']).toBeUndefined();
      expect(memoryLimitOf(service)).toBeGreaterThan(0);
      expect(service['logging']).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } });
    },
  );

  it.each(lasting(stack))('%s starts again after a failure, and has a health check', (name, service) => {
    expect(service.restart).toBe('unless-stopped');
    // The image of the exporter contains its check.
    if (name === 'exporter') expect(readText('Dockerfile')).toMatch(/^HEALTHCHECK /m);
    else expect(service['healthcheck']).toMatchObject({ test: expect.arrayContaining(['CMD']) });
  });

  it.each(lasting(stack))('%s publishes its ports on 127.0.0.1 only', (_name, service) => {
    expect(service.ports).toHaveLength(1);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it.each(Object.entries(stack.services))('%s mounts existing files read-only', (_name, service) => {
    for (const volume of service.volumes ?? []) {
      const [source = ''] = withDefaults(volume).split(':');
      if (Object.hasOwn(stack.volumes, source)) continue;
      expect(volume).toMatch(/:ro$/);
      // Users create this folder.
      if (source === './secrets') continue;
      if (!source.startsWith('${')) expect(existsSync(join(repository, 'deploy', source)), source).toBe(true);
    }
  });

  it.each(Object.entries(stack.services))(
    '%s shares no network, which another container could lose',
    (_name, service) => {
      expect(service['network_mode']).toBeUndefined();
    },
  );
});

describe('compose stack', () => {
  it('stops with an explanation if EXPORTER_CONFIG is not set', () => {
    const [volume = ''] = services['exporter']?.volumes ?? [];
    const [, message = ''] = /^\$\{EXPORTER_CONFIG:\?(.*)\}:\/etc\/hosting-account-exporter:ro$/.exec(volume) ?? [];

    expect(message).toContain('deploy/.env');
    expect(message).toContain('deploy/compose.demo.yml');
    expect(services['exporter']?.command).toEqual([
      '--config.file=/etc/hosting-account-exporter/config.yml',
      '--web.health-address=127.0.0.1:10382',
    ]);
    expect(readText('deploy/.gitignore')).toContain('/accounts/');
  });

  it('has no default password', () => {
    const { grafana } = stacks.accounts.services;

    expect(grafana?.environment?.['GF_SECURITY_ADMIN_PASSWORD__FILE']).toBe('/run/secrets/grafana.password');
    expect(stacks.accounts.services['settings']?.environment?.['GRAFANA_PASSWORD_FILE']).toBe(
      '/run/secrets/grafana.password',
    );
    expect(stacks.demo.services['grafana']?.environment).toMatchObject({
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
    });
  });

  it('contains secrets in files only', () => {
    const variables = Object.values(services).flatMap(({ environment }) => Object.keys(environment ?? {}));

    expect(variables.filter((name) => /password|token|secret/i.test(name) && !name.endsWith('_FILE'))).toEqual([]);
    for (const name of ['settings', 'alertmanager', 'grafana']) {
      expect(services[name]?.volumes?.map(withDefaults)).toContain('./secrets:/run/secrets:ro');
    }
    expect(readText('deploy/.gitignore')).toContain('/secrets/');
  });

  it('needs at most 700 MB of memory', () => {
    const limits = lasting(stacks.accounts).map(([, service]) => memoryLimitOf(service));

    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(700);
  });

  it('shares no data with the demo', () => {
    expect(stacks.accounts.name).not.toBe(stacks.demo.name);
  });

  it('gives Prometheus its configuration, and the rules that the service settings writes', async () => {
    const [config = ''] = services['prometheus']?.command ?? [];
    const { rule_files: rules } = readYaml<{ readonly rule_files: readonly string[] }>(
      'deploy/prometheus/prometheus.yml',
    );

    expect(fileOf('prometheus', config.replace('--config.file=', ''))).toBe('deploy/prometheus/prometheus.yml');
    expect(rules).toEqual(['/settings/hosting.rules.yml']);
  });

  it('gives Alertmanager the configuration that the service settings writes', () => {
    expect(services['alertmanager']?.command?.[0]).toBe('--config.file=/settings/alertmanager.yml');
  });

  it('passes every variable of the settings to the service that reads them', () => {
    const names = Object.keys(services['settings']?.environment ?? {});
    const [, block = ''] = /const \{([^}]*)\} = process\.env/.exec(readText('deploy/settings.ts')) ?? [];
    const read = [...block.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);

    expect(read.toSorted()).toEqual(names.toSorted());
  });
});

describe.each(Object.entries(stacks))('settings of the stack %s', (_, stack) => {
  it('are written before the services that read them start, and restart these services', () => {
    const { settings } = stack.services;
    const readers = lasting(stack).filter(([, { volumes }]) => volumes?.includes('settings:/settings:ro'));

    expect(settings?.entrypoint).toEqual(['node', '/app/settings.ts']);
    expect(settings?.volumes).toContain(`settings:${settings?.['working_dir']}`);
    expect(readText('Dockerfile')).toContain(
      `--owner=65532 --group=65532 --mode=0711 /image${settings?.['working_dir']}`,
    );
    expect(readers.map(([name]) => name)).toEqual(['prometheus', 'alertmanager', 'grafana']);
    for (const [, service] of readers) {
      expect(service['depends_on']).toMatchObject({
        settings: { condition: 'service_completed_successfully', restart: true },
      });
    }
  });
});

describe('demo', () => {
  it('is one process, which survives a restart of its container', async () => {
    const command = stacks.demo.services['exporter']?.command ?? [];

    expect(await parseCommandLine(command)).toMatchObject({
      command: 'demo',
      'web.listenAddress': ':10380',
      'sandbox.port': 10_381,
    });
  });

  it('imports the history that the exporter writes, before Prometheus starts', async () => {
    const { exporter, backfill, prometheus } = stacks.demo.services;
    const [script = ''] = backfill?.command ?? [];
    const flags = await parseCommandLine(exporter?.command ?? []);
    const output = String(flags['history.output']);

    expect(exporter?.volumes).toEqual([`history:${dirname(output)}`]);
    expect(backfill?.volumes).toEqual(['history:/history:ro', 'prometheus:/prometheus']);
    expect(script).toContain(` openmetrics /history/${basename(output)} /prometheus`);
    expect(readText('deploy/prometheus/prometheus.yml')).toContain(flags['history.instance']);
    expect(backfill?.['depends_on']).toEqual({ exporter: { condition: 'service_healthy' } });
    expect(prometheus?.['depends_on']).toMatchObject({ backfill: { condition: 'service_completed_successfully' } });
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

  it('loads the dashboards that the service settings writes, and the home dashboard', () => {
    const { providers } = readYaml<{
      readonly providers: readonly { readonly type: string; readonly options: { readonly path: string } }[];
    }>(`${folder}/dashboards/hosting.yml`);

    expect(providers).toMatchObject([{ type: 'file', options: { path: '/settings/dashboards' } }]);
    expect(services['grafana']?.environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH']).toBe('/settings/home.json');
  });
});
