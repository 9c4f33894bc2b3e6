import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  PodMonitor,
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { ConfigMap, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readText, readYaml, repository } from '../fixtures/repository.ts';

// Needs Helm 3.14 or newer as `helm`.

const chart = join(repository, 'deploy/helm');

const models = {
  ConfigMap,
  Deployment,
  NetworkPolicy,
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
  if (resource === undefined || others.length > 0) throw new Error(`${others.length + 1} resources of kind ${kind}`);
  return resource;
}

function kindsOf(resources: readonly Resource[]): readonly string[] {
  return [...new Set(resources.map(({ kind }) => kind))].toSorted();
}

describe('the Helm chart', { timeout: 60_000 }, () => {
  it('passes helm lint', () => {
    const { status, stdout } = spawnSync('helm', ['lint', '--strict', chart], { encoding: 'utf8' });

    expect(status, stdout).toBe(0);
  });

  it('runs one exporter by default, and never two at a time', () => {
    const resources = render();

    expect(kindsOf(resources)).toEqual(['ConfigMap', 'Deployment', 'Service', 'ServiceAccount']);
    expect(only(resources, 'Deployment')['spec']).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(JSON.stringify(resources)).not.toContain('--shard');
  });

  it('runs shards as a StatefulSet whose pods know their share', () => {
    const resources = render('shards=3');

    expect(kindsOf(resources)).toEqual(['ConfigMap', 'Service', 'ServiceAccount', 'StatefulSet']);
    const { metadata, spec } = only(resources, 'StatefulSet');
    expect(spec).toMatchObject({
      replicas: 3,
      serviceName: metadata.name,
      template: {
        spec: {
          containers: [
            {
              args: expect.arrayContaining(['--shard=auto']),
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
    expect(only(resources, 'Service')['spec']).toMatchObject({ clusterIP: 'None' });
  });

  it('keeps the state of every shard in a claim, if wanted', () => {
    expect(JSON.stringify(only(render(), 'Deployment'))).toContain('"name":"state","emptyDir"');
    for (const shards of [1, 3]) {
      const set = only(render('state.persistent=true', `shards=${shards}`), 'StatefulSet');

      expect(set['spec']).toMatchObject({ replicas: shards, volumeClaimTemplates: [{ metadata: { name: 'state' } }] });
      expect(JSON.stringify(set)).not.toContain('emptyDir');
      expect(JSON.stringify(set).includes('--shard=auto')).toBe(shards > 1);
    }
  });

  it('mounts an existing Secret', () => {
    const resources = render('secret.existing=hosting-accounts');

    expect(kindsOf(resources)).not.toContain('Secret');
    expect(JSON.stringify(only(resources, 'Deployment'))).toContain('"secretName":"hosting-accounts"');
  });

  it('creates a Secret from inline passwords', () => {
    const resources = render('secret.passwords.shop=hunter2');

    expect(only(resources, 'Secret')['stringData']).toEqual({ shop: 'hunter2' });
    expect(JSON.stringify(only(resources, 'Deployment'))).not.toContain('hunter2');
  });

  it.each(['ServiceMonitor', 'PodMonitor'] as const)('sets the job name of the rules with a %s', (kind) => {
    const value = `${kind[0]?.toLowerCase()}${kind.slice(1)}`;
    const resource = only(render(`${value}.enabled=true`, `${value}.labels.release=monitoring`), kind);

    expect(JSON.stringify(resource)).toContain('"targetLabel":"job","replacement":"hosting"');
    expect(resource.metadata.labels).toMatchObject({ release: 'monitoring' });
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
      expect(JSON.parse(text)).toEqual(JSON.parse(readText(`dashboards/${file}`)));
      expect(text.trim()).not.toContain('\n');
    }
  });

  it('lets DNS out to every address, for node-local caches and OpenShift', () => {
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

  it('leaves the users to OpenShift', () => {
    const nulls = ['runAsUser', 'runAsGroup', 'fsGroup'].map((key) => `podSecurityContext.${key}=null`);

    expect(JSON.stringify(only(render(...nulls), 'Deployment'))).not.toMatch(/runAsUser|runAsGroup|fsGroup/);
  });

  it.each([
    [['shards=0'], 'minimum: got 0, want 1'],
    [['config.api.timout=5s'], "additional properties 'timout' not allowed"],
    [['secret.existing=a', 'secret.passwords.b=c'], 'set either secret.existing or secret.passwords'],
    [['serviceMonitor.enabled=true', 'podMonitor.enabled=true'], 'enable either serviceMonitor or podMonitor'],
  ])('refuses %j', (settings, message) => {
    expect(failure(...settings)).toContain(message);
  });

  it('writes the configuration as it is in the values', () => {
    const { data } = only(render('config.api.timeout=20s'), 'ConfigMap');

    expect(parse((data as Readonly<Record<string, string>>)['config.yml'] ?? '')).toMatchObject({
      api: { timeout: '20s' },
    });
  });
});
