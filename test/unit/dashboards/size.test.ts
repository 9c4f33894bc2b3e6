import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readText, repository } from '../../fixtures/repository.ts';

/** Maximum number of bytes of all annotations of an object. `kubectl apply` keeps the whole object in one of them. */
const maxAnnotation = 262_144;

/** Room for names, labels and further annotations of the chart. */
const metadata = 2000;

/** Files that exceed the limit, with the reason. `kubectl apply --server-side` and Helm accept them, because they need no annotation. */
const tooLarge: Readonly<Record<string, string>> = {};

/** Bytes of the annotation in which `kubectl apply` keeps an object. Go's encoder also escapes characters of HTML. */
function annotationSize(object: object): number {
  const json = JSON.stringify(object).replaceAll(/[<>&\u2028\u2029]/g, '\\u0000');
  return Buffer.byteLength(json) + metadata;
}

const objects = globSync('alerts/hosting.rules*.yml', { cwd: repository }).flatMap((path) => {
  const text = readText(path);
  return [
    [`PrometheusRule of ${basename(path)}`, annotationSize({ kind: 'PrometheusRule', spec: parse(text) })],
    [`ConfigMap of ${basename(path)}`, annotationSize({ kind: 'ConfigMap', data: { [basename(path)]: text } })],
  ] as const;
});

describe('an object of the chart', () => {
  it.each(objects)('%s fits into the annotation of kubectl apply, unless it is an exception', (name, size) => {
    expect(size <= maxAnnotation, `${name}: ${size} bytes`).toBe(!(name in tooLarge));
  });

  it('exists for each exception and the rules in two languages', () => {
    const names = objects.map(([name]) => name);

    expect(names).toEqual(expect.arrayContaining(Object.keys(tooLarge)));
    expect(names).toHaveLength(4);
  });
});
