import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { Namespace, Secret, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { loadConfig } from '../../../src/config/file/load.ts';
import { readText, repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const manifestFolder = 'deploy/kubernetes';

/** Reads YAML 1.1 like Kubernetes, where 0440 is octal. */
function read<T>(path: string): T {
  return parse(readText(path), { version: '1.1' }) as T;
}

const manifests = [
  ['base/namespace.yaml', Namespace],
  ['base/deployment.yaml', Deployment],
  ['base/service.yaml', Service],
  ['base/networkpolicy.yaml', NetworkPolicy],
  ['base/secret.example.yaml', Secret],
  ['prometheus-operator/servicemonitor.yaml', ServiceMonitor],
  ['../../alerts/prometheusrule.yml', PrometheusRule],
] as const;

interface Kustomization {
  readonly namespace?: string;
  readonly resources: readonly string[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[];
  readonly images?: readonly { readonly name: string; readonly newTag: string }[];
}

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly Readonly<Record<string, unknown>>[];
  readonly terminationGracePeriodSeconds: number;
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number; readonly hostPort?: number }[];
  readonly securityContext: {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation: boolean;
    readonly readOnlyRootFilesystem: boolean;
    readonly capabilities: { readonly drop: readonly string[]; readonly add?: readonly string[] };
  };
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

const deployment = read<{
  readonly spec: {
    readonly strategy: { readonly type: string };
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}>(`${manifestFolder}/base/deployment.yaml`);
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

describe('manifests', () => {
  it.each(manifests)('%s matches the API schema', (path, Resource) => {
    const [document, ...others] = parseAllDocuments(readText(join(manifestFolder, path)), { version: '1.1' });
    // The generated class expects its own type; the document is unknown until it is validated.
    const resource = new (Resource as unknown as new (value: unknown) => { validate(): void })(document?.toJS());

    expect(others).toEqual([]);
    expect(() => resource.validate()).not.toThrow();
  });

  it('are checked by schemas that reject an invalid manifest', () => {
    const wrong = { ...read<object>(`${manifestFolder}/base/deployment.yaml`), spec: { replicas: 'one' } };
    const resource = new (Deployment as unknown as new (value: unknown) => { validate(): void })(wrong);

    expect(() => resource.validate()).toThrow('replicas must be integer');
  });

  it('are all listed by a kustomization, except the example Secret', () => {
    for (const part of ['base', 'prometheus-operator']) {
      const files = globSync(join(repository, manifestFolder, part, '*.yaml')).map((file) => basename(file));
      const { resources } = read<Kustomization>(`${manifestFolder}/${part}/kustomization.yaml`);

      const named = ['kustomization.yaml', 'secret.example.yaml', ...resources];
      expect(files.filter((file) => !named.includes(file))).toEqual([]);
      expect(resources.filter((file) => !file.startsWith('..') && !files.includes(file))).toEqual([]);
    }
  });

  it('reference the generated alert rules', () => {
    const operator = read<Kustomization>(`${manifestFolder}/prometheus-operator/kustomization.yaml`);

    expect(operator.resources).toContain('../../../alerts');
    expect(read<Kustomization>('alerts/kustomization.yaml').resources).toEqual(['prometheusrule.yml']);
  });

  it('use the version of the package', () => {
    const { images } = read<Kustomization>(`${manifestFolder}/base/kustomization.yaml`);

    expect(images).toEqual([{ name: container?.image, newTag: packageJson.version }]);
  });
});

describe('pod', () => {
  it('meets the restricted pod security standard and has a read-only file system', () => {
    expect(read<{ readonly metadata: unknown }>(`${manifestFolder}/base/namespace.yaml`).metadata).toMatchObject({
      labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
    });
    expect(pod).not.toHaveProperty('hostNetwork');
    expect(pod).not.toHaveProperty('hostPID');
    expect(pod).not.toHaveProperty('hostIPC');
    expect(pod).not.toHaveProperty('initContainers');
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.containers.map(({ securityContext }) => securityContext)).toEqual([
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    ]);
    expect(container?.ports).toEqual([
      { name: 'http-metrics', containerPort: 10_380 },
      { name: 'health', containerPort: 10_382 },
    ]);
    for (const volume of pod.volumes) expect(Object.keys(volume)[1]).toMatch(/^(configMap|secret|emptyDir)$/);
  });

  it('runs as the user and group of the image, which can read the passwords', () => {
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(readText('Dockerfile')) ?? [];
    const secret = pod.volumes.find((volume) => Object.hasOwn(volume, 'secret'));

    expect(pod.securityContext).toMatchObject({
      runAsUser: Number(user),
      runAsGroup: Number(group),
      fsGroup: Number(group),
    });
    expect(secret).toMatchObject({ secret: { defaultMode: 0o440 } });
  });

  it('is probed at the health endpoints of the exporter', () => {
    expect(container?.readinessProbe.httpGet).toEqual({ path: '/-/ready', port: 'health' });
    expect(container?.livenessProbe.httpGet).toEqual({ path: '/-/healthy', port: 'health' });
  });

  it('never runs twice at the same time, and has time to stop gracefully', () => {
    expect(deployment.spec.strategy.type).toBe('Recreate');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('mounts no service account token', () => {
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('mounts its configuration and passwords at the configured paths', async () => {
    const { configMapGenerator: [generated] = [] } = read<Kustomization>(`${manifestFolder}/base/kustomization.yaml`);
    const { stringData } = read<{ readonly stringData: Readonly<Record<string, string>> }>(
      `${manifestFolder}/base/secret.example.yaml`,
    );
    const mounts = new Map(container?.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    const folder = temporaryFolder();
    const text = readText(`${manifestFolder}/base/config.yml`);
    for (const [key, value] of Object.entries(stringData)) writeFileSync(join(folder, key), value, { mode: 0o400 });
    writeFileSync(join(folder, 'config.yml'), text.replaceAll(`${mounts.get('accounts')}/`, `${folder}/`));

    const { config, warnings } = await loadConfig(join(folder, 'config.yml'), {});

    expect(container?.args).toEqual([
      `--config.file=${mounts.get('config')}/config.yml`,
      '--web.health-address=:10382',
    ]);
    expect(generated?.files).toEqual(['config.yml']);
    expect(pod.volumes).toContainEqual({ name: 'config', configMap: { name: generated?.name } });
    expect(config.accounts.map(({ name }) => name)).toEqual(Object.keys(stringData));
    expect(warnings).toEqual([]);
  });
});

describe('resources that select the pod', () => {
  const { labels } = deployment.spec.template.metadata;

  it('use its labels', () => {
    const service = read<{
      readonly metadata: { readonly labels: unknown };
      readonly spec: { readonly selector: unknown };
    }>(`${manifestFolder}/base/service.yaml`);
    const policy = read<{ readonly spec: { readonly podSelector: { readonly matchLabels: unknown } } }>(
      `${manifestFolder}/base/networkpolicy.yaml`,
    );
    const monitor = read<{ readonly spec: { readonly selector: { readonly matchLabels: unknown } } }>(
      `${manifestFolder}/prometheus-operator/servicemonitor.yaml`,
    );

    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(policy.spec.podSelector.matchLabels).toEqual(labels);
    expect(monitor.spec.selector.matchLabels).toEqual(service.metadata.labels);
  });

  it('set the job name of the alert rules', () => {
    const { spec } = read<{ readonly spec: { readonly endpoints: readonly unknown[] } }>(
      `${manifestFolder}/prometheus-operator/servicemonitor.yaml`,
    );
    const [, job] = /absent\(up\{job="([^"]+)"\}\)/.exec(readText('alerts/prometheusrule.yml')) ?? [];

    expect(spec.endpoints).toEqual([
      { port: 'http-metrics', interval: '1m', relabelings: [{ targetLabel: 'job', replacement: job }] },
    ]);
  });
});
