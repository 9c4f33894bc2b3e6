import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerTo, drawnPanels, drawnQueries, pictures } from '../../docs/pictures/pictures.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountProfiles } from '../fixtures/dashboard-history/account-profiles.ts';
import {
  allDashboards,
  englishDashboards,
  filledIn,
  type PlacedQuery,
  queriesOf,
  whereIs,
} from './dashboard-reading.ts';
import { options, testFigures } from './figures.ts';
import { type Answer, type FilledPrometheus, now, startFilledPrometheus } from './filled-prometheus.ts';

const accounts = accountProfiles.map(({ name }) => name);

const queries = englishDashboards().flatMap((dashboard) => queriesOf(dashboard));

function ask(prometheus: FilledPrometheus, { expr, kind }: PlacedQuery, account: string): Promise<readonly Answer[]> {
  const filled = filledIn(expr, account);
  return kind === 'range' ? prometheus.range(filled) : prometheus.instant(filled);
}

function placedAt(uid: string, panelId: number, refId: string): PlacedQuery {
  const found = queries.find((query) => query.uid === uid && query.panel.id === panelId && query.refId === refId);
  return found ?? expect.fail(`no query ${refId} in panel ${panelId} of ${uid}`);
}

/** Grafana's value for all accounts, or the account with the most data. */
function defaultAccount({ uid }: PlacedQuery): string {
  return uid === 'hosting-account' ? 'shop' : '.+';
}

/** The values of a panel of a dashboard by the text of their state. */
async function statesOf(
  prometheus: FilledPrometheus,
  uid: string,
  panelId: number,
  account: string,
): Promise<Readonly<Record<string, number | undefined>>> {
  const asked = queries.filter((query) => query.uid === uid && query.panel.id === panelId);
  const answers = await Promise.all(asked.map((query) => ask(prometheus, query, account)));
  return Object.fromEntries(
    answers.flatMap((rows, index) =>
      rows.map(({ labels, values }) => [stateText(asked[index]?.panel, index, labels['state']), values[0]]),
    ),
  );
}

/** The text that a panel shows in place of the name of a series. */
function stateText(panel: PlacedQuery['panel'] | undefined, index: number, state?: string): string {
  const name = state ?? String(panel?.targets?.[index]?.['legendFormat']);
  const override = panel?.fieldConfig?.overrides.find(({ matcher }) => matcher.options === name);
  return String(override?.properties.find(({ id }) => id === 'displayName')?.value ?? name);
}

/** The names of the states that a panel of the account shows. */
async function stateOf(prometheus: FilledPrometheus, panelId: number, account: string): Promise<readonly string[]> {
  return Object.keys(await statesOf(prometheus, 'hosting-account', panelId, account));
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

  testFigures(() => prometheus);

  test('every query of every panel returns data', async () => {
    const expectedEmpty: Readonly<Record<string, string>> = {
      'hosting-fleet / Since yesterday / B': 'No alert ended.',
      'hosting-fleet / Since yesterday / C': 'No account came or went.',
    };
    const empty: string[] = [];

    for (const query of queries) {
      let answers: readonly Answer[] = [];
      for (const account of [defaultAccount(query), ...accounts]) {
        if (answers.length === 0) answers = await ask(prometheus, query, account);
      }
      if (answers.length === 0) empty.push(whereIs(query));
    }

    expect(empty.toSorted()).toEqual(Object.keys(expectedEmpty).toSorted());
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

  test('no query returns NaN or infinity', async () => {
    const wrong: string[] = [];

    for (const query of queries) {
      for (const account of [defaultAccount(query), 'studio', 'garden', 'museum']) {
        const values = (await ask(prometheus, query, account)).flatMap((answer) => answer.values);
        if (!values.every(Number.isFinite)) wrong.push(`${whereIs(query)} for ${account}`);
      }
    }

    expect(wrong).toEqual([]);
  });

  test('the fleet shows the state of each account and its reason', async () => {
    const query = placedAt('hosting-fleet', 9, 'A');

    const answers = await ask(prometheus, query, '.+');

    const states = Object.fromEntries(
      answers.map(({ labels, values }) => [labels['account'], textOf(query, values[0])]),
    );
    expect(states).toEqual({
      shop: 'warning: disk',
      кофейня: 'critical: disk',
      studio: 'OK',
      'dental-clinic': 'OK',
      museum: 'warning: credentials',
      newspaper: 'OK',
      blog: 'warning: load',
      bakery: 'OK',
      'law-office': 'critical: suspension',
      school: 'warning: disk',
      garden: 'warning: no backup',
      agency: 'warning: series dropped',
      full: 'critical: disk',
      over: 'critical: disk',
    });
  });

  test('the fleet lists what changed since yesterday', async () => {
    const alertsAt = async (offset: string): Promise<ReadonlyMap<string, number>> => {
      const rank: Readonly<Record<string, number>> = { warning: 2, critical: 3 };
      const ranks = new Map<string, number>();
      for (const { labels } of await prometheus.instant(`ALERTS{alertstate="firing"} ${offset}`)) {
        const what = labels['collector'] ?? labels['kind'] ?? labels['domain'] ?? '';
        const key = `${labels['alertname']} ${labels['account']} ${what}`;
        ranks.set(key, Math.max(ranks.get(key) ?? 0, rank[labels['severity'] ?? ''] ?? 0));
      }
      return ranks;
    };
    const [now, before] = await Promise.all([alertsAt(''), alertsAt('offset 1d')]);
    const expected = [...new Set([...now.keys(), ...before.keys()])].flatMap((key) => {
      const [current = 0, earlier = 0] = [now.get(key), before.get(key)];
      const change = current > earlier ? current : current === 0 ? -earlier : 0;
      return change === 0 ? [] : [[key, change] as const];
    });

    const answers = await ask(prometheus, placedAt('hosting-fleet', 27, 'A'), '.+');

    const changes = answers.map(({ labels, values }) => {
      const { alertname, account, what = '' } = labels;
      return [`${alertname} ${account} ${what}`, values[0]] as const;
    });
    expect(changes.toSorted()).toEqual(expected.toSorted());
    expect(changes.length).toBeGreaterThan(0);
  });

  test('the exporter lists each cause once, with accounts without new data above collectors', async () => {
    const query = placedAt('hosting-exporter', 13, 'A');

    const answers = await ask(prometheus, query, '.+');

    const problems = answers.map(({ labels, values }) => [labels['account'], labels['collector'], values[0]] as const);
    // The credentials of museum are rejected, a permission of dental-clinic is missing for a day, agency has too many series.
    expect(problems.toSorted()).toEqual([
      ['agency', 'site_load_detail', 1],
      ['dental-clinic', 'mailboxes', 4],
      ['museum', 'all', 5],
    ]);
    expect([5, 4, 3, 2, 1].map((value) => textOf(query, value))).toEqual([
      'no new data',
      'failed, stale data',
      'late, stale data',
      'failed',
      'series dropped',
    ]);
    const others = await Promise.all(
      ['B', 'C'].map((id) => ask(prometheus, placedAt('hosting-exporter', 13, id), '.+')),
    );
    for (const rows of others) {
      const places = rows.map(({ labels }) => `${labels['account']} ${labels['collector']}`);
      expect(places.filter((place) => place.startsWith('museum'))).toEqual(['museum all']);
    }
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

  test('a missing backup is a state, and accounts without databases need no database backup', async () => {
    const [ages = [], states = []] = await Promise.all(
      ['A', 'C'].map((refId) => ask(prometheus, placedAt('hosting-fleet', 16, refId), '.+')),
    );
    const byKind = (answers: readonly Answer[]) =>
      Object.fromEntries(
        answers.map(({ labels, values }) => [`${labels['account']} ${labels['kind']}`, values[0] ?? 0]),
      );

    expect(byKind(states)['garden files']).toBe(Math.max(...Object.values(byKind(states))));
    expect(byKind(states)['school files']).toBe(2);
    expect(byKind(ages)['school files']).toBeCloseTo(8.4, 1);
    expect(Object.keys(byKind(ages))).not.toContain('garden databases');
  });

  test('a critical alert is listed and counted once, not also as a warning', async () => {
    const [severities, counts] = await Promise.all([
      ask(prometheus, placedAt('hosting-account', 24, 'A'), 'кофейня'),
      statesOf(prometheus, 'hosting-account', 6, 'кофейня'),
    ]);

    expect(severities.map(({ labels, values }) => [labels['alertname'], labels['what'], values[0]]).toSorted()).toEqual(
      [
        ['HostingDiskAlmostFull', undefined, 3],
        ['HostingDomainExpired', 'кофе-на-дом.рф', 3],
      ],
    );
    expect(counts).toEqual({ critical: 2, warning: 0 });
  });

  test.each([
    ['Accounts without new data', 2, { critical: 0, warning: 1 }],
    ['Disk almost full', 3, { critical: 3, warning: 1 }],
    ['Suspended soon', 4, { critical: 1, warning: 1 }],
  ])('%s (%i) counts each account once', async (_, panelId, expected) => {
    expect(await statesOf(prometheus, 'hosting-fleet', panelId, '.+')).toEqual(expected);
  });

  test('PHP versions show for how many days they still get security fixes', async () => {
    const answers = await ask(prometheus, placedAt('hosting-workload', 13, 'B'), '.+');

    const days = Object.fromEntries(answers.map(({ labels, values }) => [labels['version'], values[0]]));
    const daysUntil = (date: string): number => Math.floor((Date.parse(date) / 1000 - now) / 86_400);
    expect(days).toEqual({
      // The support ended more than three years before the check.
      '5.6': daysUntil('1970-01-01'),
      '7.2': daysUntil('1970-01-01'),
      '7.4': daysUntil('1970-01-01'),
      '8.1': daysUntil('2026-01-01'),
      '8.2': daysUntil('2027-01-01'),
      '8.3': daysUntil('2028-01-01'),
    });
  });

  test('domains on a PHP version without security fixes are listed', async () => {
    const answers = await ask(prometheus, placedAt('hosting-workload', 15, 'A'), '.+');

    // At the end of the history, support of 8.2 ends in two months.
    const expected = options.accounts.flatMap(({ sites }) => sites.filter(({ php }) => Number(php) <= 8.2));
    expect(answers.map(({ labels }) => labels['domain']).toSorted()).toEqual(
      expected.map(({ name }) => name).toSorted(),
    );
    expect(expected.length).toBeGreaterThan(3);
  });

  test.each([
    ['Disk used', 1, 'shop', ['OK']],
    ['Disk used', 1, 'кофейня', ['critical']],
    ['Disk used, with an account threshold', 1, 'school', ['warning']],
    ['Disk used', 1, 'studio', ['unlimited']],
    ['Disk used', 1, 'museum', ['last known']],
    ['Full in, full and not growing for a day', 3, 'кофейня', []],
    ['Full in', 3, 'shop', ['warning']],
    ['Full in, after a single restore', 3, 'newspaper', []],
    ['Full in, with a nightly backup', 3, 'bakery', []],
    ['Suspended in', 4, 'law-office', ['critical']],
    ['Suspended in', 4, 'school', ['warning']],
    ['Suspended in', 4, 'garden', []],
    ['Plan load', 5, 'blog', ['warning']],
    ['Plan load', 5, 'studio', ['unlimited']],
    ['Data age', 7, 'museum', ['warning']],
    ['Full in', 3, 'studio', []],
  ])('%s (%i) of %s is %j', async (_, panelId, account, expected) => {
    expect(await stateOf(prometheus, panelId, account)).toEqual(expected);
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
