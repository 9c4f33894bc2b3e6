import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ruleGroups } from '../../../src/rules/bundle.ts';
import { rawExpression } from '../../../src/rules/grafana.ts';
import { settingsSchema } from '../../../src/rules/settings.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import {
  englishDashboards,
  filledIn,
  type PlacedQuery,
  panelsOf,
  queriesOf,
  whereIs,
} from '../../unit/dashboards/dashboard-reading.ts';
import { type Answer, type FilledPrometheus, now, startFilledPrometheus } from './filled-prometheus.ts';

const accounts = [
  'shop',
  'кофейня',
  'studio',
  'dental-clinic',
  'museum',
  'newspaper',
  'blog',
  'bakery',
  'law-office',
  'school',
  'garden',
  'agency',
];

const queries = englishDashboards().flatMap((dashboard) => queriesOf(dashboard));

function ask(prometheus: FilledPrometheus, { expr, kind }: PlacedQuery, account: string): Promise<readonly Answer[]> {
  const filled = filledIn(expr, account);
  return kind === 'range' ? prometheus.range(filled) : prometheus.instant(filled);
}

function placedAt(uid: string, panelId: number, refId: string): PlacedQuery {
  const found = queries.find((query) => query.uid === uid && query.panel.id === panelId && query.refId === refId);
  if (found === undefined) {
    throw new Error(`No query ${refId} in panel ${panelId} of ${uid}`);
  }
  return found;
}

/** Grafana's value for all accounts, or the account with the most data. */
function defaultAccount({ uid }: PlacedQuery): string {
  return uid === 'hosting-account' ? 'shop' : '.+';
}

function hasNonFiniteValue(answers: readonly Answer[]): boolean {
  return answers.some(({ values }) => values.some((value) => !Number.isFinite(value)));
}

/** Legends of the queries with data, in a panel with one query per severity. */
async function stateOf(prometheus: FilledPrometheus, panelId: number, account: string): Promise<readonly string[]> {
  const inPanel = queries.filter(({ uid, panel }) => uid === 'hosting-account' && panel.id === panelId);
  const answers = await Promise.all(inPanel.map((query) => ask(prometheus, query, account)));
  return inPanel.filter((_, index) => answers[index]?.length).map((query) => legendOf(query));
}

function legendOf({ panel, refId }: PlacedQuery): string {
  return String(panel.targets?.find((target) => target['refId'] === refId)?.['legendFormat']);
}

describe('with 15 days of twelve accounts', () => {
  const cleanups = new Cleanups();
  let prometheus: FilledPrometheus;

  beforeAll(async () => {
    prometheus = await startFilledPrometheus(cleanups, { accounts: 12, now, days: 15, step: 900, seed: 1 });
  }, 120_000);

  afterAll(cleanups.end);

  test('every query of every panel returns data', async () => {
    const expectedEmpty: Readonly<Record<string, string>> = {
      'hosting-fleet / Next to fill up / C': 'No disk fills up within hours.',
      'hosting-account / Full in / C': 'No disk fills up within hours, and the fullest one still has space.',
      'hosting-exporter / Exporters / B': 'All exporters are up.',
      'hosting-exporter / Exporters / C': 'All exporters are up.',
      'hosting-exporter / Configuration / B': 'No reload failed.',
      'hosting-exporter / Failed API calls per hour / B': 'No network failures.',
      'hosting-exporter / Failed API calls per hour / C': 'No limit failures.',
      'hosting-exporter / Failed API calls per hour / D': 'No HTTP failures.',
      'hosting-exporter / Failed API calls per hour / G': 'No other reasons.',
    };
    const empty: string[] = [];

    for (const query of queries) {
      const candidates = [defaultAccount(query), ...accounts];
      let found = false;
      for (const account of candidates) {
        found ||= (await ask(prometheus, query, account)).length > 0;
        if (found) {
          break;
        }
      }
      if (!found) {
        empty.push(whereIs(query));
      }
    }

    expect(empty.toSorted()).toEqual(Object.keys(expectedEmpty).toSorted());
  }, 120_000);

  test('no query returns NaN or infinity', async () => {
    const wrong: string[] = [];

    for (const query of queries) {
      for (const account of [defaultAccount(query), 'studio', 'garden', 'museum']) {
        if (hasNonFiniteValue(await ask(prometheus, query, account))) {
          wrong.push(`${whereIs(query)} for ${account}`);
        }
      }
    }

    expect(wrong).toEqual([]);
  }, 120_000);

  test('the fleet shows the state of each account', async () => {
    const answers = await ask(prometheus, placedAt('hosting-fleet', 9, 'A'), '.+');

    const states = Object.fromEntries(answers.map(({ labels, values }) => [labels['account'], values[0]]));

    expect(states).toEqual({
      shop: 2,
      кофейня: 3,
      studio: 0,
      'dental-clinic': 0,
      museum: 2,
      newspaper: 0,
      blog: 2,
      bakery: 0,
      'law-office': 3,
      school: 2,
      garden: 2,
      agency: 2,
    });
  });

  test('every listed domain has a state, and long expired domains are not listed', async () => {
    const [listed, states] = await Promise.all(
      ['A', 'B'].map((refId) => ask(prometheus, placedAt('hosting-fleet', 11, refId), '.+')),
    );
    const named = (answers: readonly Answer[] = []) => answers.map(({ labels }) => labels['domain'] ?? '').toSorted();

    expect(named(listed)).toEqual(named(states));
    expect(named(listed)).not.toContain('old.example');
    expect(named(states?.filter(({ values }) => (values[0] ?? 0) > 0))).toEqual([
      'law.example',
      'school.example',
      'shop-sale.example',
      'кофе-на-дом.рф',
    ]);
  });

  test('a missing backup sorts before the oldest one, and accounts without databases need no database backup', async () => {
    const answers = await ask(prometheus, placedAt('hosting-fleet', 16, 'A'), '.+');

    const ages = Object.fromEntries(
      answers.map(({ labels, values }) => [`${labels['account']} ${labels['kind']}`, values[0] ?? 0]),
    );

    expect(ages['garden files']).toBe(Math.max(...Object.values(ages)));
    expect(ages['school files']).toBeCloseTo(8.4, 1);
    expect(Object.keys(ages)).not.toContain('garden databases');
  });

  test('a critical alert is listed and counted once, not also as a warning', async () => {
    const [severities, counts] = await Promise.all([
      ask(prometheus, placedAt('hosting-account', 24, 'A'), 'кофейня'),
      Promise.all(['A', 'B'].map((refId) => ask(prometheus, placedAt('hosting-account', 6, refId), 'кофейня'))),
    ]);

    expect(severities.map(({ labels, values }) => [labels['alertname'], labels['what'], values[0]]).toSorted()).toEqual(
      [
        ['HostingDiskAlmostFull', undefined, 3],
        ['HostingDomainExpired', 'кофе-на-дом.рф', 3],
      ],
    );
    expect(counts.flat().map(({ values }) => values[0])).toEqual([2, 0]);
  });

  test.each([
    ['Failing accounts', 2, { warning: 1 }],
    ['Disk almost full', 3, { critical: 1, warning: 1 }],
    ['Suspended soon', 4, { critical: 1, warning: 1 }],
  ])('%s (%i) counts each account once', async (_, panelId, expected) => {
    const inPanel = queries.filter(({ uid, panel }) => uid === 'hosting-fleet' && panel.id === panelId);

    const counted = await Promise.all(
      inPanel.map(async (query) =>
        (await ask(prometheus, query, '.+')).map(({ values }) => [legendOf(query), values[0]] as const),
      ),
    );

    expect(Object.fromEntries(counted.flat())).toEqual(expected);
  });

  test.each([
    ['Disk almost full', 3],
    ['Highest disk usage', 5],
    ['Suspended soon', 4],
    ['Next to fill up', 6],
    ['Next suspension', 7],
  ])('%s (%i) shows nothing for an account without data', async (_, panelId) => {
    const inPanel = queries.filter(({ uid, panel }) => uid === 'hosting-fleet' && panel.id === panelId);

    const shown = await Promise.all(inPanel.map((query) => ask(prometheus, query, 'museum')));

    expect(shown.flat()).toEqual([]);
  });

  test.each([
    ['Disk used', 1, 'shop', ['OK']],
    ['Disk used', 1, 'кофейня', ['critical']],
    ['Disk used, with an account threshold', 1, 'school', ['warning']],
    ['Disk used', 1, 'studio', ['unlimited']],
    ['Disk used', 1, 'museum', []],
    ['Full in', 3, 'shop', ['warning']],
    ['Full in, after a single restore', 3, 'newspaper', ['OK']],
    ['Full in, with a nightly backup', 3, 'bakery', ['OK']],
    ['Suspended in', 4, 'law-office', ['critical']],
    ['Suspended in', 4, 'school', ['warning']],
    ['Suspended in', 4, 'garden', []],
    ['Plan load', 5, 'blog', ['warning']],
    ['Plan load', 5, 'studio', ['unlimited']],
    ['Data age', 7, 'museum', ['stale']],
  ])('%s (%i) of %s is %j', async (_, panelId, account, expected) => {
    expect(await stateOf(prometheus, panelId, account)).toEqual(expected);
  });

  test('a panel shows at least the severity of its alert', async () => {
    const panels: Readonly<Record<string, number>> = {
      HostingDiskAlmostFull: 1,
      HostingDiskFillingUp: 3,
      HostingDiskFillingUpFast: 3,
      HostingAccountBlockedSoon: 4,
      HostingPlanLoadHigh: 5,
    };
    const groups = ruleGroups(settingsSchema.parse({}), { stateless: true });
    const records = groups.flatMap(({ rules }) => rules.filter((rule) => 'record' in rule));
    const alerts = groups.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
    const compared: string[] = [];

    for (const { alert, severity, expr } of alerts) {
      const panelId = panels[alert];
      if (panelId === undefined) {
        continue;
      }
      for (const { labels } of await prometheus.instant(rawExpression(expr, records))) {
        const account = labels['account'] ?? '';
        const states = await stateOf(prometheus, panelId, account);
        compared.push(`${alert} ${severity} ${account}`);
        expect(states, `${alert} ${severity} of ${account}`).toEqual([
          severity === 'critical' ? 'critical' : expect.stringMatching(/warning|critical/),
        ]);
      }
    }

    expect(compared.toSorted()).toEqual([
      'HostingAccountBlockedSoon critical law-office',
      'HostingAccountBlockedSoon warning law-office',
      'HostingAccountBlockedSoon warning school',
      'HostingDiskAlmostFull critical кофейня',
      'HostingDiskAlmostFull warning school',
      'HostingDiskAlmostFull warning кофейня',
      'HostingDiskFillingUp warning shop',
      'HostingDiskFillingUp warning кофейня',
      'HostingPlanLoadHigh warning blog',
    ]);
  });

  test('a series has exactly one rank', async () => {
    const mixed: string[] = [];

    for (const panel of englishDashboards().flatMap((dashboard) => panelsOf(dashboard))) {
      const ranks = queries
        .filter((query) => query.panel.id === panel.id && query.panel.title === panel.title)
        .filter(({ expr }) => expr.includes('@ end()') && !expr.startsWith('sum('));
      const seen = new Set<string>();
      for (const query of ranks) {
        for (const { labels } of await ask(prometheus, query, query.uid === 'hosting-account' ? 'agency' : '.+')) {
          const name = JSON.stringify(labels);
          if (seen.has(name)) {
            mixed.push(`${whereIs(query)}: ${name}`);
          }
          seen.add(name);
        }
      }
    }

    expect(mixed).toEqual([]);
  });
});

describe('with one account', () => {
  const cleanups = new Cleanups();
  let alone: FilledPrometheus;
  let polledTwice: FilledPrometheus;

  beforeAll(async () => {
    const one = { accounts: 1, now, days: 15, step: 900, seed: 1 };
    alone = await startFilledPrometheus(cleanups, one);
    polledTwice = await startFilledPrometheus(cleanups, { ...one, copies: 2 });
  }, 120_000);

  afterAll(cleanups.end);

  test('every panel has data or a known reason for none', async () => {
    const expectedEmpty: Readonly<Record<string, string>> = {
      'hosting-exporter / Polls that fail, are late or drop series': 'No poll has a problem.',
    };
    const filled = new Set<string>();
    const places = new Set<string>();

    for (const query of queries) {
      const place = `${query.uid} / ${query.panel.title}`;
      places.add(place);
      if ((await ask(alone, query, defaultAccount(query))).length > 0) {
        filled.add(place);
      }
    }

    expect([...places].filter((place) => !filled.has(place))).toEqual(Object.keys(expectedEmpty));
  });

  test('a second exporter for the same account does not change account values', async () => {
    const changed: string[] = [];

    for (const query of queries.filter(({ uid }) => uid !== 'hosting-exporter')) {
      const [once, twice] = await Promise.all(
        [alone, polledTwice].map((prometheus) => ask(prometheus, query, defaultAccount(query))),
      );
      if (JSON.stringify(sorted(once)) !== JSON.stringify(sorted(twice))) {
        changed.push(whereIs(query));
      }
    }

    expect(changed).toEqual([]);
  });
});

function sorted(answers: readonly Answer[] = []): readonly Answer[] {
  return answers.toSorted((one, other) => JSON.stringify(one.labels).localeCompare(JSON.stringify(other.labels)));
}

describe('with an empty Prometheus', () => {
  const cleanups = new Cleanups();
  let prometheus: FilledPrometheus;

  beforeAll(async () => {
    prometheus = await startFilledPrometheus(cleanups);
  }, 60_000);

  afterAll(cleanups.end);

  test('no query returns data', async () => {
    const withData: string[] = [];

    for (const query of queries) {
      if ((await ask(prometheus, query, defaultAccount(query))).length > 0) {
        withData.push(whereIs(query));
      }
    }

    expect(withData).toEqual([]);
  });
});
