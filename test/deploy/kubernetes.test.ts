import { globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { Namespace, Secret, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { loadConfig } from '../../src/config/file/load.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const manifestFolder = 'deploy/kubernetes';

/** Reads YAML 1.1 like Kubernetes, where 0440 is octal. The types of the models only have optional fields. */
function read(path: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the models validate the manifests
  return parse(readText(join(manifestFolder, path)), { version: '1.1' }) as any;
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

const { spec: deployment } = read('base/deployment.yaml');
const pod = deployment.template.spec;
const [container] = pod.containers;
const monitor = read('prometheus-operator/servicemonitor.yaml').spec;

describe('manifests', () => {
  it.each(manifests)('%s matches the API schema', (path, Model) => {
    const [document, ...others] = parseAllDocuments(readText(join(manifestFolder, path)), { version: '1.1' });
    const validate = (value: unknown) => () => new Model(value as never).validate();

    expect(others).toEqual([]);
    expect(validate(document?.toJS())).not.toThrow();
    expect(validate({ ...document?.toJS(), metadata: 'wrong' })).toThrow('metadata must be object');
  });

  it('are all listed by a kustomization, except the example Secret', () => {
    for (const part of ['base', 'prometheus-operator']) {
      const files = globSync(join(repository, manifestFolder, part, '*.yaml')).map((file) => basename(file));
      const { resources } = read(`${part}/kustomization.yaml`);

      const own = resources.filter((file: string) => !file.startsWith('..'));
      expect(
        [...own, 'kustomization.yaml', ...(part === 'base' ? ['secret.example.yaml'] : [])].toSorted(),
        part,
      ).toEqual(files.toSorted());
    }
    expect(read('prometheus-operator/kustomization.yaml').resources).toContain('../../../alerts');
    expect(read('../../alerts/kustomization.yaml').resources).toEqual(['prometheusrule.yml']);
  });

  it('use the version of the package', () => {
    const { images } = read('base/kustomization.yaml');

    expect(images).toEqual([{ name: container.image, newTag: packageJson.version }]);
  });
});

describe('pod', () => {
  it('meets the restricted pod security standard, and has no token and a read-only file system', () => {
    expect(read('base/namespace.yaml').metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    for (const key of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers']) expect(pod).not.toHaveProperty(key);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    });
    expect(Object.keys(container.securityContext)).toHaveLength(3);
    for (const volume of pod.volumes) expect(Object.keys(volume)[1]).toMatch(/^(configMap|secret|emptyDir)$/);
  });

  it('runs as the user and group of the image, which can read the passwords', () => {
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(readText('Dockerfile')) ?? [];

    expect(pod.securityContext).toMatchObject({
      runAsUser: Number(user),
      runAsGroup: Number(group),
      fsGroup: Number(group),
    });
    expect(pod.volumes).toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ defaultMode: 0o440 }) }),
    );
  });

  it('is probed at the health endpoints, never runs twice at the same time, and has time to stop', () => {
    expect(container.ports).toEqual([
      { name: 'http-metrics', containerPort: 10_380 },
      { name: 'health', containerPort: 10_382 },
    ]);
    expect(container.readinessProbe.httpGet).toEqual({ path: '/-/ready', port: 'health' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/-/healthy', port: 'health' });
    expect(deployment.strategy.type).toBe('Recreate');
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('mounts its configuration and passwords at the configured paths', async () => {
    const [generated] = read('base/kustomization.yaml').configMapGenerator;
    const { stringData } = read('base/secret.example.yaml');
    const mountOf = (name: string) =>
      container.volumeMounts.find((one: { name: string }) => one.name === name).mountPath;
    const folder = temporaryFolder();
    const text = readText(`${manifestFolder}/base/config.yml`);
    for (const [key, value] of Object.entries(stringData))
      writeFileSync(join(folder, key), `${value}`, { mode: 0o400 });
    writeFileSync(join(folder, 'config.yml'), text.replaceAll(`${mountOf('accounts')}/`, `${folder}/`));

    const { config, warnings } = await loadConfig(join(folder, 'config.yml'), {});

    expect(container.args).toEqual([`--config.file=${mountOf('config')}/config.yml`, '--web.health-address=:10382']);
    expect(generated.files).toEqual(['config.yml']);
    expect(pod.volumes).toContainEqual({ name: 'config', configMap: { name: generated.name } });
    expect(config.accounts.map(({ name }) => name)).toEqual(Object.keys(stringData));
    expect(warnings).toEqual([]);
  });
});

it('the resources that select the pod use its labels, and set the job name of the rules', () => {
  const { labels } = deployment.template.metadata;
  const service = read('base/service.yaml');
  const [, job] = /absent\(up\{job="([^"]+)"\}\)/.exec(readText('alerts/prometheusrule.yml')) ?? [];

  expect(deployment.selector.matchLabels).toEqual(labels);
  expect(service.spec.selector).toEqual(labels);
  expect(read('base/networkpolicy.yaml').spec.podSelector.matchLabels).toEqual(labels);
  expect(monitor.selector.matchLabels).toEqual(service.metadata.labels);
  expect(monitor.endpoints).toEqual([
    { port: 'http-metrics', interval: '1m', relabelings: [{ targetLabel: 'job', replacement: job }] },
  ]);
});

it('the network policy allows the ports of DNS and of probes that the chart allows', () => {
  const { ingress, egress } = read('base/networkpolicy.yaml').spec;
  const { dnsPorts } = parse(readText('deploy/helm/values.yaml')).networkPolicy;
  const portsOf = (rule: { readonly ports: readonly { readonly port: unknown }[] } | undefined) => [
    ...new Set(rule?.ports.map(({ port }) => port)),
  ];

  expect(portsOf(egress[0])).toEqual(dnsPorts);
  expect(egress[0]).not.toHaveProperty('to');
  expect(ingress.map(portsOf)).toEqual([['http-metrics'], ['health']]);
  expect(ingress[1]).not.toHaveProperty('from');
});
