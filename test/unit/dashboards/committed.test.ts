import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dashboardFiles, fileContent } from '../../../dashboards/src/dashboard-files.ts';

const folder = new URL('../../../dashboards/', import.meta.url);

test('committed files match the source; update them with npm run dashboards', () => {
  const stale = dashboardFiles()
    .filter((file) => readFileSync(new URL(file.name, folder), 'utf8') !== fileContent(file))
    .map(({ name }) => name);

  expect(stale).toEqual([]);
});

test('every committed dashboard is generated', () => {
  const committed = readdirSync(folder).filter((name) => name.endsWith('.json'));

  const written = dashboardFiles().map(({ name }) => name);

  expect(committed.toSorted()).toEqual(written.toSorted());
});

/** The limit of Kubernetes for all annotations of an object, in bytes. */
const annotationLimit = 256 * 1024;

test.each(dashboardFiles())('a ConfigMap with $name can be applied with kubectl', (file) => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'hosting-account-exporter-dashboard',
      namespace: 'monitoring',
      labels: { grafana_dashboard: '1' },
    },
    data: { [file.name]: fileContent(file) },
  };

  // kubectl writes the whole object into the annotation last-applied-configuration. 4 KiB remain for labels and other annotations.
  expect(Buffer.byteLength(JSON.stringify(configMap))).toBeLessThan(annotationLimit - 4096);
});
