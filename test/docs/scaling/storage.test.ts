import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fleetAccounts } from '../../../sandbox/src/accounts/fleet.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { type Exporter, sandboxSettings, startExporter } from '../../fixtures/program.ts';
import { startPrometheus } from '../../fixtures/prometheus.ts';
import { analyzeQuery } from '../../fixtures/promql.ts';
import { openSandbox } from '../../fixtures/sandbox.ts';
import { until } from '../../fixtures/waiting.ts';
import { parsePage } from '../../oracle/exposition.ts';
import { rules } from '../../rules/rule-file.ts';
import { documentedFile } from './documented-files.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');
const counts = { site: 3, domain: 3, database: 2 };

/** The table of docs/scaling.md: the number of series of each collector, for an account with `counts`. */
const documented: ReadonlyMap<string, number> = new Map(
  [...page.matchAll(/^\| (?:`(\w+)`|about the exporter) \| (\d[^|]*) \|$/gm)].map(
    ([, name = 'exporter', formula = '']) => [name, sumOf(formula)],
  ),
);

/** `2 + 4 per domain` with three domains is 14. */
function sumOf(formula: string): number {
  return formula.split(' + ').reduce((sum, term) => {
    const [, factor = '', item] = /^(\d+)(?: per (site|domain|database))?$/.exec(term) ?? [];
    return sum + Number(factor) * (item === undefined ? 1 : counts[item as keyof typeof counts]);
  }, 0);
}

const collectorOf: ReadonlyMap<string, string> = new Map(
  collectors.flatMap(({ name, metrics }) => metrics.map((metric) => [metric.name, name])),
);

const neededMetrics = new Set(rules.flatMap(({ expr }) => analyzeQuery(expr).selectors.map(({ metric }) => metric)));

const cleanups = new Cleanups();
let exporter: Exporter;
let names: readonly string[];

beforeAll(async () => {
  const [seed] = fleetAccounts(1);
  if (seed === undefined) throw new Error('the fleet is empty');
  // There is load every day: an hour or a day without load has no series.
  const account = {
    ...seed,
    disk: { usage: 10e9, limit: 20e9 },
    domains: Array.from({ length: counts.domain }, (_, index) => ({
      fqdn: `site-${index}.example`,
      expiresInDays: 90,
    })),
    sites: Array.from({ length: counts.site }, (_, index) => ({
      name: `site-${index}.example`,
      load: 5,
      idleDays: 0,
    })),
    databases: Array.from({ length: counts.database }, (_, index) => ({
      name: `db_${index}`,
      size: 1e8,
      load: 50,
      idleDays: 0,
    })),
  };
  const sandbox = await openSandbox({ dialect: 'provider', accounts: [account] }, cleanups);
  exporter = await startExporter(cleanups, sandboxSettings(sandbox));
  await until('every collector has succeeded', async () => {
    const success = [...(await exporter.page()).matchAll(/^hosting_exporter_collector_success\{.* ([01])$/gm)];
    expect(success.map(([, value]) => value)).toEqual(success.map(() => '1'));
    return true;
  });
  names = parsePage(await exporter.page(), 'text')
    .flatMap(({ samples }) => samples)
    .filter(({ labels }) => labels['account'] === seed.login)
    .map(({ name }) => name);
});

afterAll(cleanups.end);

it('an account has the documented number of series of each collector', () => {
  const shown = Map.groupBy(names, (name) => collectorOf.get(name) ?? 'exporter');

  const counted = new Map([...shown].map(([name, series]) => [name, series.length]));
  expect(counted, 'change the table of docs/scaling.md').toEqual(documented);
});

it('an account has the documented total, and the documented number of accounts fits into a plan', () => {
  const [, total, accounts] = /has about (\d+) series, so a plan with 10 000 series holds (\d+)/.exec(page) ?? [];

  expect(Number(total), 'change the total in docs/scaling.md').toBe(Math.round(names.length / 10) * 10);
  expect(Number(accounts), 'change the number of accounts in docs/scaling.md').toBe(Math.floor(10_000 / names.length));
});

it('an account has fewer series with the documented relabelling, which drops nothing that an alert reads', async () => {
  const text = documentedFile('prometheus-lean.yml').replace('exporter:10380', exporter.address);
  const { scrape_configs } = parse(text) as { readonly scrape_configs: readonly Readonly<Record<string, unknown>>[] };
  const prometheus = await startPrometheus(cleanups, scrape_configs);

  const kept = await until('Prometheus has scraped', async () => {
    const series = await prometheus.query('{account!=""}');
    return series.length > 0 && series.map(({ labels }) => labels['__name__'] ?? '');
  });

  const left = Number(/keeps (\d+) of the \d+ series/.exec(page)?.[1]);
  expect(kept, 'change "keeps ... of the ... series" in docs/scaling.md').toHaveLength(left);
  expect([...new Set(names)].filter((name) => neededMetrics.has(name) && !kept.includes(name))).toEqual([]);
});
