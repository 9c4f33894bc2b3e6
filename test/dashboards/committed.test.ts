import { globSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fileContent } from '../../dashboards/src/dashboards.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { allDashboards } from './dashboard-reading.ts';

test('the committed dashboards are the generated ones; update them with npm run dashboards', () => {
  const generated = Object.fromEntries(allDashboards().map((one) => [`dashboards/${one.uid}.json`, fileContent(one)]));
  const stale = Object.entries(generated).filter(([path, text]) => readText(path) !== text);
  const committed = readdirSync(`${repository}/dashboards`).filter((name) => name.endsWith('.json'));

  expect(stale.map(([path]) => path)).toEqual([]);
  expect(committed.map((name) => `dashboards/${name}`).toSorted()).toEqual(Object.keys(generated).toSorted());
});

/** The limit of Kubernetes for all annotations of an object, in bytes. 4 KiB remain for labels and other annotations. */
const annotationLimit = 256 * 1024 - 4096;

const rules = globSync('alerts/hosting.rules*.yml', { cwd: repository });

test.each([
  ...allDashboards().map((one): [string, object] => [
    `ConfigMap of ${one.uid}`,
    { data: { [`${one.uid}.json`]: fileContent(one) } },
  ]),
  ...rules.map((path): [string, object] => [`ConfigMap of ${path}`, { data: { [basename(path)]: readText(path) } }]),
  ...rules.map((path): [string, object] => [`PrometheusRule of ${path}`, { spec: parse(readText(path)) }]),
])('kubectl can apply the %s', (kind, content) => {
  const object = { apiVersion: 'v1', kind, metadata: { labels: { grafana_dashboard: '1' } }, ...content };

  // kubectl writes the whole object into the annotation last-applied-configuration. Go's encoder also escapes characters of HTML.
  const annotation = JSON.stringify(object).replaceAll(/[<>&\u2028\u2029]/g, '\\u0000');
  expect(rules).toHaveLength(2);
  expect(Buffer.byteLength(annotation)).toBeLessThan(annotationLimit);
});
