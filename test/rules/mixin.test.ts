import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText, readYaml, repository } from '../fixtures/repository.ts';

const mixin = readText('mixin.libsonnet');

interface RuleFile {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly record?: string;
      readonly alert?: string;
      readonly expr: string;
      readonly annotations?: Readonly<Record<string, string>>;
    }[];
  }[];
}

function filesOf(folder: string, name: RegExp): readonly string[] {
  return readdirSync(join(repository, folder))
    .filter((file) => name.test(file))
    .map((file) => `${folder}/${file}`);
}

// jsonnet is no tool of the tests: these are the properties of the generated files that the mixin relies on.
it('imports all dashboards and the rules of all languages', () => {
  const imported = [...mixin.matchAll(/import(?:str)? '([^']+)'/g)].map(([, path = '']) => path);

  expect(imported.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  expect(imported.toSorted()).toEqual(
    [...filesOf('alerts', /^hosting\.rules.*\.yml$/), ...filesOf('dashboards', /\.json$/)].toSorted(),
  );
});

describe.each(['alerts/hosting.rules.yml', 'alerts/hosting.rules.ru.yml'])('replaces in %s', (path) => {
  const rules = readYaml<RuleFile>(path).groups.flatMap((group) => group.rules);

  it('the selector, which is written in one way', () => {
    const text = readText(path);

    expect(mixin).toContain(`std.strReplace(files.rules, 'job="hosting"', config.selector)`);
    expect(text.replaceAll('job="hosting"', '')).not.toMatch(/\bjob(?:=|!=|=~|!~)/);
  });

  it('the address of Grafana, which is missing in all links', () => {
    const alerts = rules.filter(({ alert }) => alert !== undefined);

    expect(alerts.length).toBeGreaterThan(10);
    for (const { annotations } of alerts) expect(annotations?.['dashboard_url']).toMatch(/^\/d\//);
  });
});
