import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { alertThresholds } from '../../src/rules/thresholds.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { config, sandboxAccountConfig } from '../fixtures/config.ts';
import { readText, readYaml } from '../fixtures/repository.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { parsePage } from '../oracle/exposition.ts';

interface Step {
  readonly type: string;
  readonly parameters: readonly string[];
  readonly error_handler?: string;
  readonly error_handler_params?: string;
}

interface Item {
  readonly key: string;
  readonly url?: string;
  readonly query_fields?: readonly { readonly name: string; readonly value: string }[];
  readonly master_item?: { readonly key: string };
  readonly valuemap?: { readonly name: string };
  readonly preprocessing?: readonly Step[];
}

interface Rule extends Item {
  readonly item_prototypes: readonly Item[];
  readonly lld_macro_paths: readonly { readonly lld_macro: string; readonly path: string }[];
}

interface Template {
  readonly template: string;
  readonly items: readonly Item[];
  readonly discovery_rules: readonly Rule[];
  readonly macros: readonly { readonly macro: string; readonly value?: string; readonly description: string }[];
  readonly valuemaps: readonly { readonly name: string }[];
}

const file = 'deploy/zabbix/hosting-accounts.yaml';
const text = readText(file);
const [template] = readYaml<{ zabbix_export: { templates: readonly [Template] } }>(file).zabbix_export.templates;
const masters = template.items.filter(({ url }) => url !== undefined);
const prototypes = template.discovery_rules.flatMap((rule) => rule.item_prototypes);
const dependents = [...template.items.filter(({ url }) => url === undefined), ...prototypes];

describe('the template for Zabbix', () => {
  it('has a different UUID of version 4 for each object', () => {
    const uuids = [...text.matchAll(/uuid: (\S+)/g)].map(([, uuid]) => uuid);

    expect(uuids.length).toBeGreaterThan(50);
    expect(uuids.filter((uuid) => !/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(uuid ?? ''))).toEqual([]);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  it('refers only to its own items, value maps and macros, and uses all macros', () => {
    const keys = [...template.items, ...prototypes].map(({ key }) => key);
    const inTriggers = [...text.matchAll(/\/Hosting accounts by HTTP\/([a-z.]+(?:\[[^\]]*\])?)/g)].map(
      ([, key]) => key,
    );
    const maps = [...template.items, ...prototypes].flatMap(({ valuemap }) => valuemap?.name ?? []);
    const macrosOf = (part: string) => [...part.matchAll(/\{\$([A-Z._]+)/g)].map(([, macro]) => macro);
    const [before = '', after = ''] = text.split('\n      macros:\n');

    expect(new Set(keys).size).toBe(keys.length);
    expect(inTriggers.filter((key = '') => !keys.includes(key))).toEqual([]);
    expect(new Set(maps)).toEqual(new Set(template.valuemaps.map(({ name }) => name)));
    expect(new Set(macrosOf(before))).toEqual(new Set(macrosOf(after)));
    for (const { master_item } of [...dependents, ...template.discovery_rules]) {
      expect(masters.map(({ key }) => key)).toContain(master_item?.key);
    }
  });

  it('has the default thresholds of the alerts', () => {
    const described = template.macros.flatMap(({ value, description }) => {
      const [, alert, severity] = /^(Hosting\w+), (\w+): /.exec(description) ?? [];
      return alert === undefined ? [] : [{ alert, severity, value: Number(value) }];
    });
    const expected = described.map(({ alert, severity }) => {
      const { levels, unit } = alertThresholds.find((one) => one.alert === alert) ?? {};
      const level = Object.entries(levels ?? {}).find(([name]) => name === severity)?.[1].value ?? Number.NaN;
      return { alert, severity, value: unit === 'ratio' ? level * 100 : level };
    });

    expect(described.length).toBeGreaterThan(10);
    expect(described).toEqual(expected);
  });
});

describe('preprocessing of the answers of an exporter', () => {
  const accounts = ['blog', 'shop', 'unlimited'];
  const cleanups = new Cleanups();
  let sandbox: Sandbox;
  /** The answer to each master item. */
  let answers: ReadonlyMap<string, string>;

  beforeAll(async () => {
    sandbox = await openSandbox({ dialect: 'provider' }, cleanups);
    const configs = accounts.map((login) => sandboxAccountConfig(sandbox, login));
    const exporter = await startApp(config(...configs), { cleanups });
    await pollAll(exporter);
    answers = new Map(
      await Promise.all(masters.map(async (item) => [item.key, await answerOf(item, exporter.origin)] as const)),
    );
  });
  afterAll(cleanups.end);

  async function answerOf({ url = '', query_fields = [] }: Item, origin: string): Promise<string> {
    const query = new URLSearchParams(query_fields.map(({ name, value }): [string, string] => [name, value]));
    const response = await fetch(`${url.replace('{$HOSTING.URL}', origin)}?${query}`);
    expect(response.status).toBe(200);
    return response.text();
  }

  /** The value of an item, with the macros of its discovery; undefined if a step discards it. Throws if Zabbix would not support it. */
  function computed({ key, master_item, preprocessing = [] }: Item, macros: Record<string, string> = {}) {
    let value = answers.get(master_item?.key ?? '') ?? '';
    for (const { type, parameters, error_handler: handler, error_handler_params: custom } of preprocessing) {
      const [parameter = '', ...others] = parameters.map((one) =>
        one.replaceAll(/\{#\w+\}/g, (name) => macros[name] ?? name),
      );
      const result = run(type, value, parameter, others);
      if (result === undefined && handler === 'DISCARD_VALUE') return undefined;
      if (result === undefined && handler === undefined) throw new Error(`${key}: ${type} ${parameter} has no result`);
      value = result ?? custom ?? '';
    }
    return value;
  }

  /** Performs a step as Zabbix does, for the forms of steps that the template uses. Undefined if it fails. */
  function run(type: string, value: string, parameter: string, others: readonly string[]): string | undefined {
    if (type === 'JSONPATH') return jsonPath(value, parameter);
    if (type === 'JAVASCRIPT') return String(new Function('value', parameter)(value));
    if (type === 'MATCHES_REGEX') return new RegExp(parameter).test(value) ? value : undefined;
    if (type === 'DISCARD_UNCHANGED_HEARTBEAT') return value;
    const [, metric, selector = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(parameter) ?? [];
    const labels = [...selector.matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, name = '', label = '']) => [name, label] as const,
    );
    const samples = parsePage(value, 'text')
      .flatMap((family) => family.samples)
      .filter((sample) => sample.name === metric && labels.every(([name, label]) => sample.labels[name] === label));
    if (type === 'PROMETHEUS_TO_JSON') return JSON.stringify(samples);
    expect(type).toBe('PROMETHEUS_PATTERN');
    const [sample] = samples;
    return others[0] === 'label' ? sample?.labels[others[1] ?? ''] : sample?.value.toString();
  }

  function jsonPath(value: string, path: string): string | undefined {
    const [, list, account, rest = ''] = /^\$\.(\w+)\[\?\(@\.account == "(.*)"\)\]\.(.+)$/.exec(path) ?? [];
    const document = JSON.parse(value);
    const roots =
      list === undefined ? [document] : document[list].filter((one: { account: string }) => one.account === account);
    const isFirst = rest.endsWith('.first()');
    const names = (list === undefined ? path.slice(2) : rest.replace('.first()', '')).split('.');
    const found = roots.map((root: unknown) => names.reduce((one, name) => Object(one)[name], root));
    const known = found.filter((one: unknown) => one !== undefined);
    if (known.length === 0) return undefined;
    const result = list === undefined || isFirst ? known[0] : known;
    return typeof result === 'string' ? result : JSON.stringify(result);
  }

  const discovered = (key: string) => {
    const rule = template.discovery_rules.find((one) => one.key === key);
    if (rule === undefined) throw new Error(`there is no rule ${key}`);
    const found: object[] = JSON.parse(computed(rule) ?? '[]');
    const rows = found.map((row) =>
      Object.fromEntries(
        rule.lld_macro_paths.map(({ lld_macro, path }) => [lld_macro, jsonPath(JSON.stringify(row), path) ?? '']),
      ),
    );
    return {
      rows,
      values: (macros: Record<string, string>) =>
        rule.item_prototypes.map((item) => [item.key.split('[')[0], computed(item, macros)]),
    };
  };

  it('gives the state, the counts and the version', () => {
    const values = template.items.filter(({ url }) => url === undefined).map((item) => computed(item));

    expect(values).toEqual(['0', '0', '0', '0', '0', '0', '3', '1.2.3']);
  });

  it('discovers the accounts, with figures where the plan has limits', () => {
    const { rows, values } = discovered('hosting.accounts.discovery');
    const figuresOf = (account: string) => Object.fromEntries(values({ '{#ACCOUNT}': account }));

    expect(rows.map((row) => row['{#ACCOUNT}']).toSorted()).toEqual(accounts);
    expect(figuresOf('shop')).toEqual({
      'hosting.account.state': '0',
      'hosting.account.problems': '',
      'hosting.account.disk.used': expect.stringMatching(/^\d+$/),
      'hosting.account.disk.limit': '20000000000',
      'hosting.account.disk.used.percent': expect.stringMatching(/^\d\d\./),
      'hosting.account.disk.full.days': undefined,
      'hosting.account.load.percent': expect.stringMatching(/^\d\d\./),
      'hosting.account.paid.until': expect.stringMatching(/^\d{10}$/),
      'hosting.account.balance': expect.stringMatching(/^\d+\./),
      'hosting.account.charge': '32.82',
    });
    expect(figuresOf('unlimited')).toMatchObject({
      'hosting.account.disk.limit': undefined,
      'hosting.account.disk.used.percent': undefined,
      'hosting.account.load.percent': undefined,
    });
  });

  it.each([
    [
      'hosting.domains.discovery',
      '{#DOMAIN}',
      () =>
        sandbox
          .account('shop')
          .domains.filter(({ expiresAt }) => expiresAt !== undefined)
          .map(({ fqdn }) => fqdn),
    ],
    ['hosting.databases.discovery', '{#DATABASE}', () => sandbox.account('shop').databases.map(({ name }) => name)],
    ['hosting.backups.discovery', '{#KIND}', () => ['files', 'databases']],
  ])('%s finds what the account has, each with all figures', (key, macro, expected) => {
    const { rows, values } = discovered(key);
    const ofShop = rows.filter((row) => row['{#ACCOUNT}'] === 'shop');

    expect(ofShop.map((row) => row[macro]).toSorted()).toEqual([...expected()].toSorted());
    for (const row of ofShop) for (const [name, value] of values(row)) expect(value, name).toMatch(/^\d+(\.\d+)?$/);
  });
});
