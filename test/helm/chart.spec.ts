import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  PodMonitor,
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { StatefulSet } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readText, readYaml, repository } from '../fixtures/repository.ts';

// Needs Helm 3.14 or newer as `helm`.

const chart = join(repository, 'deploy/helm');

const models = {
  ConfigMap,
  NetworkPolicy,
  PodDisruptionBudget,
  PodMonitor,
  PrometheusRule,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
  StatefulSet,
} as const;

interface Resource {
  readonly kind: keyof typeof models;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly [key: string]: unknown;
}

const template = ['template', 'release', chart, '--namespace=hosting', '--kube-version=1.34.0'];

/** Renders the chart, and validates every resource against the schema of its kind. */
function render(...settings: readonly string[]): readonly Resource[] {
  const flags = settings.flatMap((setting) => ['--set', setting]);
  const output = execFileSync('helm', [...template, ...flags], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const resources = parseAllDocuments(output, { version: '1.1' })
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);
  for (const resource of resources) new models[resource.kind](resource as never).validate();
  return resources;
}

function failure(...settings: readonly string[]): string {
  const flags = settings.flatMap((setting) => ['--set', setting]);
  const { status, stderr } = spawnSync('helm', [...template, ...flags], { encoding: 'utf8' });
  return status === 0 ? 'accepted' : stderr;
}

function only(resources: readonly Resource[], kind: Resource['kind']): Resource {
  const [resource, ...others] = resources.filter((one) => one.kind === kind);
  if (resource === undefined || others.length > 0) throw new Error(`expected one resource of kind ${kind}`);
  return resource;
}

function volumes(resources: readonly Resource[]): unknown {
  return (only(resources, 'StatefulSet') as { spec?: { template: { spec: { volumes: unknown } } } }).spec?.template.spec
    .volumes;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindsOf(resources: readonly Resource[]): readonly string[] {
  return [...new Set(resources.map(({ kind }) => kind))].toSorted();
}

describe('the Helm chart', { timeout: 60_000 }, () => {
  it('passes helm lint', () => {
    const { status, stdout } = spawnSync('helm', ['lint', '--strict', chart], { encoding: 'utf8' });

    expect(status, stdout).toBe(0);
  });

  it('runs one exporter by default, as the only shard', () => {
    const resources = render();

    expect(kindsOf(resources)).toEqual(['ConfigMap', 'Service', 'ServiceAccount', 'StatefulSet']);
    expect(only(resources, 'StatefulSet')['spec']).toMatchObject({ replicas: 1 });
  });

  it('sets the shard of each pod', () => {
    const resources = render('shards=3');

    const { spec } = only(resources, 'StatefulSet');
    expect(spec).toMatchObject({
      replicas: 3,
      serviceName: 'release-hosting-account-exporter-pods',
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        spec: {
          containers: [
            {
              args: expect.arrayContaining(['--shard=auto', '--config.auto-reload']),
              env: [
                { name: 'STATE_DIRECTORY', value: '/var/lib/hosting-account-exporter' },
                { name: 'SHARD_INDEX', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
                { name: 'SHARD_COUNT', value: '3' },
              ],
            },
          ],
        },
      },
    });
    expect(only(render('shards=3', 'stopped=true'), 'StatefulSet')['spec']).toMatchObject({ replicas: 0 });
  });

  it('has a Service with an address, and a headless Service for the ServiceMonitor', () => {
    const resources = render('shards=3', 'serviceMonitor.enabled=true');

    const services = resources.filter(({ kind }) => kind === 'Service');
    expect(services.map(({ metadata, spec }) => [metadata.name, (spec as { clusterIP?: string }).clusterIP])).toEqual([
      ['release-hosting-account-exporter', undefined],
      ['release-hosting-account-exporter-pods', 'None'],
    ]);
    const { selector } = only(resources, 'ServiceMonitor')['spec'] as { selector: { matchLabels: object } };
    const selected = services.filter(({ metadata: { labels } }) =>
      Object.entries(selector.matchLabels).every(([label, text]) => labels[label] === text),
    );
    expect(selected.map(({ metadata }) => metadata.name)).toEqual(['release-hosting-account-exporter-pods']);
  });

  it('keeps the state of every shard in a claim if it is persistent', () => {
    expect(JSON.stringify(only(render(), 'StatefulSet'))).toContain('"name":"state","emptyDir"');
    for (const shards of [1, 3]) {
      const set = only(render('state.persistent=true', `shards=${shards}`), 'StatefulSet');

      expect(set['spec'], `${shards} shards`).toMatchObject({
        replicas: shards,
        volumeClaimTemplates: [{ metadata: { name: 'state' } }],
      });
      expect(JSON.stringify(set), `${shards} shards`).not.toContain('emptyDir');
    }
  });

  it.each([
    ['secret.existing=hosting-accounts', [{ secret: { name: 'hosting-accounts' } }]],
    ['secret.existing={first,second}', [{ secret: { name: 'first' } }, { secret: { name: 'second' } }]],
  ])('mounts existing Secrets: %s', (setting, sources) => {
    const resources = render(setting);

    expect(kindsOf(resources)).not.toContain('Secret');
    expect(volumes(resources)).toContainEqual({ name: 'accounts', projected: { defaultMode: 0o440, sources } });
  });

  it('mounts account files of several objects, and volumes of the user', () => {
    const resources = render(
      'accountFiles[0].configMap.name=customers-a',
      'accountFiles[1].secret.name=customers-b',
      'extraVolumes[0].name=authority',
      'extraVolumes[0].configMap.name=authority',
      'extraVolumeMounts[0].name=authority',
      'extraVolumeMounts[0].mountPath=/etc/authority',
    );

    const sources = [{ configMap: { name: 'customers-a' } }, { secret: { name: 'customers-b' } }];
    expect(volumes(resources)).toContainEqual({ name: 'account-files', projected: { defaultMode: 0o440, sources } });
    expect(volumes(resources)).toContainEqual({ name: 'authority', configMap: { name: 'authority' } });
    const mounts = JSON.stringify(only(resources, 'StatefulSet'));
    expect(mounts).toContain('{"name":"account-files","mountPath":"/etc/hosting-accounts","readOnly":true}');
    expect(mounts).toContain('{"mountPath":"/etc/authority","name":"authority"}');
  });

  it('spreads its own pods, and limits evictions', () => {
    const spread = (key: string, value: string) => `topologySpreadConstraints[0].${key}=${value}`;
    const constraint = [
      spread('maxSkew', '1'),
      spread('topologyKey', 'zone'),
      spread('whenUnsatisfiable', 'DoNotSchedule'),
    ];
    const resources = render('podDisruptionBudget.enabled=true', ...constraint);
    const own = render('podDisruptionBudget.enabled=true', ...constraint, spread('labelSelector.matchLabels.a', 'b'));

    const { spec, metadata } = only(resources, 'PodDisruptionBudget');
    const matchLabels = {
      'app.kubernetes.io/name': 'hosting-account-exporter',
      'app.kubernetes.io/instance': 'release',
    };
    expect(spec).toEqual({ maxUnavailable: 1, selector: { matchLabels } });
    expect(metadata.labels).toMatchObject(matchLabels);
    const constraints = (list: readonly Resource[]) =>
      JSON.stringify(only(list, 'StatefulSet')).match(/"topologySpreadConstraints":(\[.*?\])/)?.[1];
    expect(JSON.parse(constraints(resources) ?? '')).toEqual([
      { labelSelector: { matchLabels }, maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
    ]);
    expect(constraints(own)).toContain('"matchLabels":{"a":"b"}');
  });

  it('creates a Secret from inline passwords', () => {
    const resources = render('secret.passwords.shop=hunter2');

    expect(only(resources, 'Secret')['stringData']).toEqual({ shop: 'hunter2' });
    expect(JSON.stringify(only(resources, 'StatefulSet'))).not.toContain('hunter2');
  });

  it.each(['ServiceMonitor', 'PodMonitor'] as const)('sets the job name of the rules with a %s', (kind) => {
    const value = `${kind[0]?.toLowerCase()}${kind.slice(1)}`;
    const own = ['targetLabel=team', 'replacement=web'].map((setting) => `${value}.endpoint.relabelings[0].${setting}`);
    const resources = render(
      `${value}.enabled=true`,
      `${value}.labels.release=monitoring`,
      `${value}.endpoint.scheme=https`,
      ...own,
    );

    const resource = only(resources, kind);
    expect(resource.metadata.labels).toMatchObject({ release: 'monitoring' });
    const spec = resource['spec'] as Readonly<Record<string, readonly object[]>>;
    expect(spec['endpoints'] ?? spec['podMetricsEndpoints']).toEqual([
      {
        port: 'http-metrics',
        interval: '1m',
        scrapeTimeout: '30s',
        scheme: 'https',
        relabelings: [
          { targetLabel: 'job', replacement: 'hosting' },
          { sourceLabels: ['__meta_kubernetes_pod_name'], targetLabel: '__tmp_hash' },
          { targetLabel: 'team', replacement: 'web' },
        ],
      },
    ]);
  });

  it.each([
    ['en', 'alerts/hosting.rules.yml'],
    ['ru', 'alerts/hosting.rules.ru.yml'],
  ])('installs the rules in the language %s unchanged', (language, path) => {
    const rule = only(render('prometheusRule.enabled=true', `prometheusRule.language=${language}`), 'PrometheusRule');

    expect(rule['spec']).toEqual(readYaml(path));
  });

  it('installs dashboards minified, with the label of the sidecar', () => {
    const maps = render('dashboards.enabled=true', 'dashboards.languages={ru}').filter(({ metadata }) =>
      Object.hasOwn(metadata.labels, 'grafana_dashboard'),
    );

    expect(maps).toHaveLength(4);
    for (const { data } of maps) {
      const [[file = '', text = ''] = []] = Object.entries(data as Readonly<Record<string, string>>);
      expect(JSON.parse(text), file).toEqual(JSON.parse(readText(`dashboards/${file}`)));
      expect(text.trim(), file).not.toContain('\n');
    }
  });

  it('allows DNS to every address, for node-local caches and OpenShift', () => {
    const { spec } = only(render('networkPolicy.enabled=true'), 'NetworkPolicy');
    const { egress } = spec as { readonly egress: readonly Readonly<Record<string, unknown>>[] };

    expect(egress[0]).not.toHaveProperty('to');
    expect(egress[0]?.['ports']).toEqual(
      [53, 5353].flatMap((port) => [
        { port, protocol: 'UDP' },
        { port, protocol: 'TCP' },
      ]),
    );
  });

  it.each([
    [['shards=0'], 'minimum: got 0, want 1'],
    [['config.api.timout=5s'], "additional properties 'timout' not allowed"],
    [['secret.existing=a', 'secret.passwords.b=c'], 'set either secret.existing or secret.passwords'],
    [['serviceMonitor.enabled=true', 'podMonitor.enabled=true'], 'enable either serviceMonitor or podMonitor'],
  ])('refuses %j', (settings, message) => {
    expect(failure(...settings)).toContain(message);
  });

  it('renders each value that is set to null, or says what to do', { timeout: 300_000 }, () => {
    const values = readYaml<Readonly<Record<string, unknown>>>('deploy/helm/values.yaml');
    const children = Object.entries(values).flatMap(([key, value]) =>
      isObject(value) && key !== 'config' ? Object.keys(value).map((child) => `${key}.${child}`) : [],
    );
    const enabled = ['serviceMonitor', 'prometheusRule', 'dashboards', 'networkPolicy', 'podDisruptionBudget'];
    const on = enabled.map((key) => `${key}.enabled=true`);

    const results = [...Object.keys(values), ...children].map((path) => {
      const settings = [...on.filter((setting) => !setting.startsWith(`${path}.`)), `${path}=null`];
      const message = failure(...settings);
      return [path, message.includes(`: ${path} must not be null: remove it`) ? 'refused' : message] as const;
    });

    expect(results.filter(([, result]) => !['refused', 'accepted'].includes(result))).toEqual([]);
    // Without these values, everyone could connect, or the pod would have more rights or no limits.
    const refused = results.filter(([, result]) => result === 'refused').map(([path]) => path);
    const opening = ['prometheusNamespaces', 'dnsPorts', 'apiCidrs', 'apiPorts'].map((key) => `networkPolicy.${key}`);
    expect(refused).toEqual(expect.arrayContaining([...opening, 'securityContext', 'podSecurityContext', 'resources']));
  });
});
