import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerTo, drawnPanels, drawnQueries, pictures } from '../../docs/pictures/pictures.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { type AccountProfile, account, accountProfiles } from '../fixtures/dashboard-history/account-profiles.ts';
import type { HistoryOptions } from '../fixtures/dashboard-history/series.ts';
import {
  allDashboards,
  englishDashboards,
  filledIn,
  type PlacedQuery,
  queriesOf,
  whereIs,
} from './dashboard-reading.ts';
import { type Answer, type FilledPrometheus, now, startFilledPrometheus } from './filled-prometheus.ts';

/** Fourteen accounts: one uses exactly its quota, and one uses more. */
const options: HistoryOptions = {
  accounts: [...accountProfiles, fullAccount('full', 20e9), fullAccount('over', 21e9)],
  now,
  days: 15,
  step: 3600,
};

function fullAccount(name: string, usedBytes: number): AccountProfile {
  return account(name, 'Start', 'm1.example', { customer: 'umbrella', usage: () => usedBytes, paidDays: 40 });
}

const queries = englishDashboards().flatMap((dashboard) => queriesOf(dashboard));

function ask(prometheus: FilledPrometheus, { expr, kind }: PlacedQuery, account: string): Promise<readonly Answer[]> {
  const filled = filledIn(expr, account);
  return kind === 'range' ? prometheus.range(filled) : prometheus.instant(filled);
}

/** Grafana's value for all accounts, or the account with the most data. */
function defaultAccount({ uid }: PlacedQuery): string {
  return uid === 'hosting-account' ? 'shop' : '.+';
}

/** The labels of a series, what its state is called, and its newest value with the text that replaces the value. */
function rowOf(query: PlacedQuery, { labels, values }: Answer): string {
  const value = values.at(-1);
  const name =
    labels['state'] ?? String(query.panel.targets?.find(({ refId }) => refId === query.refId)?.['legendFormat']);
  const override = query.panel.fieldConfig?.overrides.find(({ matcher }) => matcher.options === name);
  const state = override?.properties.find(({ id }) => id === 'displayName')?.value ?? '';
  const shown = Object.entries(labels).map(([label, text]) => `${label}=${text}`);
  return [...shown, state, Number(value?.toPrecision(8)), textOf(query, value) ?? ''].join(' ').trim();
}

/** The text of a value in a column of a table. */
function textOf({ panel, refId }: PlacedQuery, value: number | undefined): string | undefined {
  const override = panel.fieldConfig?.overrides.find(({ matcher }) => matcher.options === `Value #${refId}`);
  const mappings = override?.properties.find(({ id }) => id === 'mappings')?.value;
  const [named] = Array.isArray(mappings) ? mappings : [];
  return named?.options[String(value)]?.text;
}

describe('with 15 days of fourteen accounts', () => {
  const cleanups = new Cleanups();
  let prometheus: FilledPrometheus;

  beforeAll(async () => {
    prometheus = await startFilledPrometheus(cleanups, options);
  });

  afterAll(cleanups.end);

  // If a figure changes on purpose, run this file with -u, and check each changed line.
  test('every panel shows the figures of golden/figures.txt, and none is NaN or infinite', async () => {
    const lines: string[] = [];
    for (const query of queries) {
      const names = query.uid === 'hosting-account' ? options.accounts.map(({ name }) => name) : ['.+'];
      for (const name of names) {
        const rows = (await ask(prometheus, query, name)).map((answer) => rowOf(query, answer));
        lines.push(`${whereIs(query)} ${name}`, ...rows.toSorted().map((row) => `    ${row}`));
      }
    }

    expect(lines.filter((line) => / (?:NaN|-?Infinity)\b/.test(line))).toEqual([]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/figures.txt');
  });

  test.each(pictures)('every panel of the picture $file has data', async (picture) => {
    const dashboard = allDashboards().find(({ uid }) => uid === picture.uid);
    const empty: string[] = [];

    for (const panel of dashboard === undefined ? [] : drawnPanels(dashboard)) {
      const asked = drawnQueries(panel, picture).map((query) => answerTo(prometheus, query, picture));
      const answers = await Promise.all(asked);
      if (answers.every(({ length }) => length === 0)) empty.push(panel.title ?? '');
    }

    expect(empty).toEqual([]);
  });
});

describe('with one account', () => {
  const cleanups = new Cleanups();
  let alone: FilledPrometheus;
  let polledTwice: FilledPrometheus;

  beforeAll(async () => {
    const one = { ...options, accounts: accountProfiles.slice(0, 1) };
    alone = await startFilledPrometheus(cleanups, one);
    polledTwice = await startFilledPrometheus(cleanups, { ...one, copies: 2 });
  });

  afterAll(cleanups.end);

  test('every panel has data or a known reason for none', async () => {
    const expectedEmpty: Readonly<Record<string, string>> = {
      'hosting-fleet / Since yesterday': 'No alert started or ended.',
      'hosting-exporter / Problems': 'No poll has a problem.',
    };
    const filled = new Set<string>();
    const places = new Set<string>();

    for (const query of queries) {
      const place = `${query.uid} / ${query.panel.title}`;
      places.add(place);
      if ((await ask(alone, query, defaultAccount(query))).length > 0) filled.add(place);
    }

    expect([...places].filter((place) => !filled.has(place))).toEqual(Object.keys(expectedEmpty));
  });

  test('a second exporter for the same account does not change account values', async () => {
    const changed: string[] = [];

    for (const query of queries.filter(({ uid }) => uid !== 'hosting-exporter')) {
      const [once, twice] = await Promise.all(
        [alone, polledTwice].map((prometheus) => ask(prometheus, query, defaultAccount(query))),
      );
      if (JSON.stringify(sorted(once)) !== JSON.stringify(sorted(twice))) changed.push(whereIs(query));
    }

    expect(changed).toEqual([]);
  });
});

test('the number of alerts is not 0 before Prometheus has evaluated the rules', () => {
  const alerts = queries.filter(({ panel }) => panel.title === 'Alerts');
  const metricsOf = (expr: string) => [...new Set(expr.match(/[\w:]+(?=\{)/g))].toSorted();

  expect(alerts.map(({ expr, panel }) => [...metricsOf(expr), panel.fieldConfig?.defaults.noValue])).toEqual(
    Array.from({ length: 2 }, () => ['ALERTS', 'account:hosting_up:max', 'not evaluated yet']),
  );
});

function sorted(answers: readonly Answer[] = []): readonly Answer[] {
  return answers.toSorted((one, other) => JSON.stringify(one.labels).localeCompare(JSON.stringify(other.labels)));
}

describe('with an empty Prometheus', () => {
  const cleanups = new Cleanups();
  let prometheus: FilledPrometheus;

  beforeAll(async () => {
    prometheus = await startFilledPrometheus(cleanups);
  });

  afterAll(cleanups.end);

  test('no query returns data', async () => {
    const withData: string[] = [];

    for (const query of queries) {
      if ((await ask(prometheus, query, defaultAccount(query))).length > 0) withData.push(whereIs(query));
    }

    expect(withData).toEqual([]);
  });
});
