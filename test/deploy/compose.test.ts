import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../fixtures/command-line.ts';
import { readText, readYaml, repository } from '../fixtures/repository.ts';

// What a running stack does not show; npm run test:container runs the stacks. It has no Grafana.

interface Service {
  readonly extends?: { readonly file: string; readonly service: string };
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
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
    const inherited = shared[base?.service ?? ''];
    if (inherited === undefined) throw new Error(`${path}: ${name} does not extend compose.services.yml`);
    const environment = { ...inherited.environment, ...settings.environment };
    const volumes = [...(inherited.volumes ?? []), ...(settings.volumes ?? [])];
    return [name, { ...inherited, ...settings, environment, volumes }];
  });
  return { ...rest, services: Object.fromEntries(services) };
}

const accounts = readStack('deploy/compose.yml');
const demo = readStack('deploy/compose.demo.yml');

/** Replaces every variable by its default. */
const withDefaults = (text: string) => text.replace(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1');

/** Megabytes. */
function memoryLimitOf(service: Service): number {
  const [, number, unit] = /^(\d+)([mg])$/.exec(withDefaults(String(service['mem_limit']))) ?? [];
  return Number(number) * (unit === 'g' ? 1024 : 1);
}

/** The services that keep running. */
function lasting({ services }: ComposeFile): readonly (readonly [string, Service])[] {
  return Object.entries(services).filter(([, { restart }]) => restart !== 'no');
}

describe.each([accounts, demo])('the stack $name', (stack) => {
  it.each(Object.entries(stack.services))(
    '%s has an exact version, no unnecessary privileges or network, a memory limit and rotated logs',
    (name, service) => {
      expect(service.image).toMatch(/:(v?\d+\.\d+\.\d+|local)$/);
      expect(service).toMatchObject({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
      });
      expect([service['privileged'], service['network_mode']]).toEqual([undefined, undefined]);
      expect(memoryLimitOf(service)).toBeGreaterThan(0);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = withDefaults(volume).split(':');
        if (Object.hasOwn(stack.volumes, source)) continue;
        // The service `setup` creates the secrets.
        expect(volume).toMatch(name === 'setup' ? /:(ro|\/deploy)$/ : /:ro$/);
        const exists = source === './secrets' || source.startsWith('${');
        expect(exists || existsSync(join(repository, 'deploy', source)), source).toBe(true);
      }
    },
  );

  it.each(lasting(stack))('%s starts again after a failure, is checked, and listens on 127.0.0.1 only', (name, one) => {
    expect(one.restart).toBe('unless-stopped');
    // It has no port.
    if (name === 'messages') return;
    // The image of the exporter contains its check.
    if (name !== 'exporter') expect(one['healthcheck']).toMatchObject({ test: expect.arrayContaining(['CMD']) });
    expect(one.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });
});

describe('the stack for accounts', () => {
  it('has no default password, and secrets in files only', () => {
    const variables = Object.values(accounts.services).flatMap(({ environment }) => Object.keys(environment ?? {}));

    expect(variables.filter((name) => /password|token|secret/i.test(name) && !name.endsWith('_FILE'))).toEqual([]);
    expect(accounts.services['grafana']?.environment?.['GF_SECURITY_ADMIN_PASSWORD__FILE']).toBe(
      '/run/secrets/grafana.password',
    );
    for (const ignored of ['/secrets/', '/accounts/']) expect(readText('deploy/.gitignore')).toContain(ignored);
  });

  it('needs at most 780 MB of memory, and shares no data with the demo', () => {
    // Without Prometheus, `messages` takes its place.
    const services = lasting(accounts).filter(([, { profiles }]) => profiles === undefined);
    const limits = services.map(([, service]) => memoryLimitOf(service));

    expect(limits.reduce((sum, limit) => sum + limit, 0)).toBeLessThanOrEqual(780);
    expect(accounts.name).not.toBe(demo.name);
  });

  it('passes every variable of the settings to the service that reads them', () => {
    const names = Object.keys(accounts.services['settings']?.environment ?? {});
    const [, block = ''] = /const \{([^}]*)\} = process\.env/.exec(readText('deploy/settings.ts')) ?? [];
    const read = [...block.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name);

    expect(read.toSorted()).toEqual(names.toSorted());
  });
});

it('the demo has valid flags, and the instance that Prometheus scrapes', async () => {
  const flags = await parseCommandLine(demo.services['exporter']?.command ?? []);

  expect(flags).toMatchObject({ command: 'demo', 'web.listenAddress': ':10380', 'sandbox.port': 10_381 });
  expect(readText('deploy/prometheus/prometheus.yml')).toContain(flags['history.instance']);
});

interface DataSource {
  readonly uid: string;
  readonly url: string;
  readonly jsonData: Readonly<Record<string, unknown>>;
}

it('Grafana uses the services of the stack, the scrape interval of Prometheus, and the dashboards of the settings', () => {
  const folder = 'deploy/grafana/provisioning';
  const { datasources } = readYaml<{ readonly datasources: readonly DataSource[] }>(
    `${folder}/datasources/prometheus.yml`,
  );
  const { global } = readYaml<{ readonly global: object }>('deploy/prometheus/prometheus.yml');
  const urls = datasources.map(({ url }) => new URL(url));

  expect(urls.map(({ hostname }) => hostname)).toEqual(['prometheus', 'alertmanager']);
  for (const { hostname, port } of urls) {
    expect(accounts.services[hostname]?.ports?.[0]?.endsWith(`:${port}`), hostname).toBe(true);
  }
  expect(global).toMatchObject({ scrape_interval: datasources[0]?.jsonData['timeInterval'] });
  expect(datasources[0]?.jsonData['alertmanagerUid']).toBe(datasources[1]?.uid);
  expect(readYaml(`${folder}/dashboards/hosting.yml`)).toMatchObject({
    providers: [{ type: 'file', options: { path: '/settings/dashboards' } }],
  });
  expect(accounts.services['grafana']?.environment).toMatchObject({
    GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH: '/settings/home.json',
  });
});
