import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { Namespace, Secret, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { loadConfig } from '../../../src/config/load.ts';
import { readText, repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const folder = 'deploy/kubernetes';

/** As Kubernetes reads YAML, where 0440 is octal. */
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
}>(`${folder}/base/deployment.yaml`);
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

describe('the manifests', () => {
  it.each(manifests)('%s is what the API of Kubernetes, or of the operator, takes', (path, Resource) => {
    const [document, ...others] = parseAllDocuments(readText(join(folder, path)), { version: '1.1' });
    // The class is generated from the API's schema; what it is given is unknown until it has looked.
    const resource = new (Resource as unknown as new (value: unknown) => { validate(): void })(document?.toJS());

    expect(others).toEqual([]);
    expect(() => resource.validate()).not.toThrow();
  });

  it('are checked by schemas that do refuse what is wrong', () => {
    const wrong = { ...read<object>(`${folder}/base/deployment.yaml`), spec: { replicas: 'one' } };
    const resource = new (Deployment as unknown as new (value: unknown) => { validate(): void })(wrong);

    expect(() => resource.validate()).toThrow('replicas must be integer');
  });

  it('are all named by a kustomization, but for the example of a secret', () => {
    for (const part of ['base', 'prometheus-operator']) {
      const files = globSync(join(repository, folder, part, '*.yaml')).map((file) => basename(file));
      const { resources } = read<Kustomization>(`${folder}/${part}/kustomization.yaml`);

      const named = ['kustomization.yaml', 'secret.example.yaml', ...resources];
      expect(files.filter((file) => !named.includes(file))).toEqual([]);
      expect(resources.filter((file) => !file.startsWith('..') && !files.includes(file))).toEqual([]);
    }
  });

  it('take the alert rules from where they are written', () => {
    const operator = read<Kustomization>(`${folder}/prometheus-operator/kustomization.yaml`);

    expect(operator.resources).toContain('../../../alerts');
    expect(read<Kustomization>('alerts/kustomization.yaml').resources).toEqual(['prometheusrule.yml']);
  });

  it('run the version that this is', () => {
    const { images } = read<Kustomization>(`${folder}/base/kustomization.yaml`);

    expect(images).toEqual([{ name: container?.image, newTag: packageJson.version }]);
  });
});

describe('the pod', () => {
  it('keeps to the restricted pod security standard, and writes nowhere', () => {
    expect(read<{ readonly metadata: unknown }>(`${folder}/base/namespace.yaml`).metadata).toMatchObject({
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
    expect(container?.ports).toEqual([{ name: 'http-metrics', containerPort: 10_380 }]);
    for (const volume of pod.volumes) expect(Object.keys(volume)[1]).toMatch(/^(configMap|secret)$/);
  });

  it("runs as the image's user, in the group that the passwords belong to", () => {
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(readText('Dockerfile')) ?? [];
    const secret = pod.volumes.find((volume) => Object.hasOwn(volume, 'secret'));

    expect(pod.securityContext).toMatchObject({
      runAsUser: Number(user),
      runAsGroup: Number(group),
      fsGroup: Number(group),
    });
    expect(secret).toMatchObject({ secret: { defaultMode: 0o440 } });
  });

  it('is asked where the exporter answers', () => {
    expect(container?.readinessProbe.httpGet).toEqual({ path: '/-/ready', port: 'http-metrics' });
    expect(container?.livenessProbe.httpGet).toEqual({ path: '/-/healthy', port: 'http-metrics' });
  });

  it('is alone, and has the time to end by itself', () => {
    expect(deployment.spec.strategy.type).toBe('Recreate');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('needs no token of the cluster', () => {
    expect(pod.automountServiceAccountToken).toBe(false);
  });

  it('finds its configuration and its passwords where they are mounted', () => {
    const { configMapGenerator: [generated] = [] } = read<Kustomization>(`${folder}/base/kustomization.yaml`);
    const { stringData } = read<{ readonly stringData: Readonly<Record<string, string>> }>(
      `${folder}/base/secret.example.yaml`,
    );
    const mounts = new Map(container?.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    const own = temporaryFolder();
    const text = readText(`${folder}/base/config.yml`);
    for (const [key, value] of Object.entries(stringData)) writeFileSync(join(own, key), value, { mode: 0o400 });
    writeFileSync(join(own, 'config.yml'), text.replaceAll(`${mounts.get('accounts')}/`, `${own}/`));

    const { config, warnings } = loadConfig(join(own, 'config.yml'), {});

    expect(container?.args).toEqual([`--config.file=${mounts.get('config')}/config.yml`]);
    expect(generated?.files).toEqual(['config.yml']);
    expect(pod.volumes).toContainEqual({ name: 'config', configMap: { name: generated?.name } });
    expect(config.accounts.map(({ name }) => name)).toEqual(Object.keys(stringData));
    expect(warnings).toEqual([]);
  });
});

describe('what finds the pod', () => {
  const { labels } = deployment.spec.template.metadata;

  it('selects it by its labels', () => {
    const service = read<{
      readonly metadata: { readonly labels: unknown };
      readonly spec: { readonly selector: unknown };
    }>(`${folder}/base/service.yaml`);
    const policy = read<{ readonly spec: { readonly podSelector: { readonly matchLabels: unknown } } }>(
      `${folder}/base/networkpolicy.yaml`,
    );
    const monitor = read<{ readonly spec: { readonly selector: { readonly matchLabels: unknown } } }>(
      `${folder}/prometheus-operator/servicemonitor.yaml`,
    );

    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(policy.spec.podSelector.matchLabels).toEqual(labels);
    expect(monitor.spec.selector.matchLabels).toEqual(service.metadata.labels);
  });

  it('is named as the alert rules name it', () => {
    const { spec } = read<{ readonly spec: { readonly endpoints: readonly unknown[] } }>(
      `${folder}/prometheus-operator/servicemonitor.yaml`,
    );
    const [, job] = /absent\(up\{job="([^"]+)"\}\)/.exec(readText('alerts/prometheusrule.yml')) ?? [];

    expect(spec.endpoints).toEqual([
      { port: 'http-metrics', interval: '1m', relabelings: [{ targetLabel: 'job', replacement: job }] },
    ]);
  });
});
