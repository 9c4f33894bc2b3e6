import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileContent } from '../../../dashboards/src/dashboards.ts';
import { allDashboards } from './dashboard-reading.ts';

const folder = new URL('../../../dashboards/', import.meta.url);

test('committed files match the source; update them with npm run dashboards', () => {
  const stale = allDashboards().filter(
    (dashboard) => readFileSync(new URL(`${dashboard.uid}.json`, folder), 'utf8') !== fileContent(dashboard),
  );

  expect(stale.map(({ uid }) => uid)).toEqual([]);
});

test('every committed dashboard is generated', () => {
  const committed = readdirSync(folder).filter((name) => name.endsWith('.json'));

  expect(committed.toSorted()).toEqual(
    allDashboards()
      .map(({ uid }) => `${uid}.json`)
      .toSorted(),
  );
});

/** The limit of Kubernetes for all annotations of an object, in bytes. */
const annotationLimit = 256 * 1024;

test.each(allDashboards())('a ConfigMap with $uid can be applied with kubectl', (dashboard) => {
  const metadata = { name: 'hosting-account-exporter-dashboard', labels: { grafana_dashboard: '1' } };
  const data = { [`${dashboard.uid}.json`]: fileContent(dashboard) };

  const object = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data });

  // kubectl writes the whole object into the annotation last-applied-configuration. Go's encoder also escapes characters of HTML. 4 KiB
  // remain for labels and other annotations.
  const annotation = object.replaceAll(/[<>&]/g, '\\u0000');
  expect(Buffer.byteLength(annotation)).toBeLessThan(annotationLimit - 4096);
});
