import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { repository } from '../fixtures/repository.ts';
import { buildApiServer, type Cluster, startCluster } from './cluster.ts';

// Needs Helm 3.14 or newer as `helm`, and Go. Each pair of values is an installation and its upgrade, against Kubernetes' API server.

const cleanups = new Cleanups();
let cluster: Cluster;
beforeAll(async () => {
  buildApiServer();
  cluster = await startCluster(cleanups);
  for (const [kind, plural] of [
    ['ServiceMonitor', 'servicemonitors'],
    ['PodMonitor', 'podmonitors'],
    ['PrometheusRule', 'prometheusrules'],
  ] as const) {
    await cluster.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', anySchema(kind, plural));
  }
}, 1_800_000);
afterAll(cleanups.end);

let releases = 0;
let namespace: string;
beforeEach(() => {
  releases += 1;
  namespace = `release-${releases}`;
});

const chart = join(repository, 'deploy/helm');
const name = 'web-hosting-account-exporter';

interface StatefulSet {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly replicas: number; readonly volumeClaimTemplates?: readonly object[] };
}

/**
 * Installs or upgrades the release with only these values. Returns the error of Helm, of the chart or of Kubernetes, or
 * an empty text.
 */
function deploy(...settings: readonly string[]): string {
  const flags = settings.flatMap((setting) => ['--set', setting]);
  const options = ['--namespace', namespace, '--create-namespace', '--install', '--reset-values'];
  return cluster.helm('upgrade', 'web', chart, ...options, ...flags);
}

const statefulSetPath = () => `/apis/apps/v1/namespaces/${namespace}/statefulsets/${name}`;

async function statefulSet(): Promise<StatefulSet> {
  return (await cluster.request('GET', statefulSetPath())) as StatefulSet;
}

/** Sets the number of pods in the status. In a complete cluster, a controller sets it. */
async function runPods(replicas: number): Promise<void> {
  await cluster.request('PATCH', `${statefulSetPath()}/status`, { status: { replicas } });
}

describe('an upgrade of the chart', { timeout: 300_000 }, () => {
  it.each([
    ['other settings of the pod', [], ['image.tag=2.0.0', 'log.level=debug', 'resources.limits.memory=1Gi']],
    ['more memory and a larger temporary volume', [], ['resources.limits.memory=1Gi', 'state.size=1Gi']],
    ['another port', [], ['service.port=80']],
    ['an existing Secret', ['secret.passwords.shop=x'], ['secret.existing=accounts']],
    ['several Secrets', ['secret.existing=accounts'], ['secret.existing={accounts,more}']],
    ['account files', [], ['accountFiles[0].configMap.name=a', 'accountFiles[1].secret.name=b']],
    [
      'volumes',
      [],
      [
        'extraVolumes[0].name=x',
        'extraVolumes[0].emptyDir.medium=Memory',
        'extraVolumeMounts[0].name=x',
        'extraVolumeMounts[0].mountPath=/x',
      ],
    ],
    ['a ServiceMonitor', [], ['serviceMonitor.enabled=true']],
    ['a PodMonitor instead', ['serviceMonitor.enabled=true'], ['podMonitor.enabled=true']],
    ['no monitor', ['podMonitor.enabled=true'], []],
    [
      'Russian',
      ['prometheusRule.enabled=true', 'dashboards.enabled=true'],
      [
        'prometheusRule.enabled=true',
        'prometheusRule.language=ru',
        'dashboards.enabled=true',
        'dashboards.languages={ru}',
      ],
    ],
    ['both languages', ['dashboards.enabled=true'], ['dashboards.enabled=true', 'dashboards.languages={en,ru}']],
    ['a network policy', [], ['networkPolicy.enabled=true']],
    [
      'a disruption budget of a share',
      ['podDisruptionBudget.enabled=true'],
      ['podDisruptionBudget.enabled=true', 'podDisruptionBudget.maxUnavailable=50%'],
    ],
    [
      'a spread',
      ['shards=3'],
      [
        'shards=3',
        'topologySpreadConstraints[0].maxSkew=1',
        'topologySpreadConstraints[0].topologyKey=zone',
        'topologySpreadConstraints[0].whenUnsatisfiable=DoNotSchedule',
      ],
    ],
    ['updates by hand', [], ['updateStrategy.type=OnDelete']],
    ['users of OpenShift', [], ['runAsUser', 'runAsGroup', 'fsGroup'].map((key) => `podSecurityContext.${key}=null`)],
    ['the default account', [], ['serviceAccount.create=false']],
    [
      'the same claims in another unit',
      ['state.persistent=true', 'state.size=1Gi'],
      ['state.persistent=true', 'state.size=1024Mi'],
    ],
  ] as const)('accepts %s, and goes back', async (_, before, after) => {
    expect(deploy(...before)).toBe('');
    await runPods(1);

    expect(deploy(...after)).toBe('');
    expect(deploy(...before)).toBe('');
  });

  it('changes the configuration without new pods', async () => {
    deploy();
    const { generation } = (await statefulSet()).metadata;

    expect(
      deploy('config.accounts[0].name=bakery', 'config.accounts[0].login=u2', 'config.accounts[0].password_file=x'),
    ).toBe('');

    expect((await statefulSet()).metadata.generation).toBe(generation);
    const map = await cluster.request('GET', `/api/v1/namespaces/${namespace}/configmaps/${name}`);
    expect(JSON.stringify(map)).toContain('bakery');
  });

  it.each([
    [1, 3, 'false'],
    [3, 1, 'false'],
    [1, 3, 'true'],
    [3, 1, 'true'],
  ])('changes %i shards to %i only while no pod runs (persistent: %s)', async (before, after, isPersistent) => {
    const persistent = `state.persistent=${isPersistent}`;
    expect(deploy(`shards=${before}`, persistent)).toBe('');
    await runPods(before);

    expect(deploy(`shards=${after}`, persistent)).toContain(`shards is ${after}, but pods of ${before} shards run`);
    expect(deploy(`shards=${after}`, persistent)).toContain('Upgrade with --set=stopped=true first');

    expect(deploy(`shards=${after}`, persistent, 'stopped=true')).toBe('');
    expect((await statefulSet()).spec.replicas).toBe(0);
    expect(deploy(`shards=${after}`, persistent)).toContain(
      `${before} of the pods that were stopped have not ended yet`,
    );

    await runPods(0);
    expect(deploy(`shards=${after}`, persistent)).toBe('');
    expect((await statefulSet()).spec.replicas).toBe(after);
  });

  it.each([
    ['state.persistent', [], ['state.persistent=true']],
    ['state.persistent', ['state.persistent=true'], []],
    ['state.size', ['state.persistent=true'], ['state.persistent=true', 'state.size=1Gi']],
    ['state.storageClass', ['state.persistent=true'], ['state.persistent=true', 'state.storageClass=fast']],
  ] as const)(
    'refuses another %s (%j, then %j), until the StatefulSet is deleted without its pods',
    async (value, before, after) => {
      expect(deploy(...before)).toBe('');
      await runPods(1);

      const refusal = deploy(...after);
      expect(refusal).toContain(`Kubernetes cannot change ${value} of a StatefulSet.`);
      expect(refusal).toContain(`kubectl --namespace=${namespace} delete statefulset ${name} --cascade=orphan`);

      await cluster.request('DELETE', `${statefulSetPath()}?propagationPolicy=Background`);
      expect(deploy(...after)).toBe('');
      const { volumeClaimTemplates = [] } = (await statefulSet()).spec;
      expect(volumeClaimTemplates).toHaveLength(after.length > 0 ? 1 : 0);
    },
  );
});

function anySchema(kind: string, plural: string): object {
  const group = 'monitoring.coreos.com';
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
