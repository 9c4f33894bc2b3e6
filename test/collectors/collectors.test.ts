import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostingAccount } from '../../sandbox/src/hosting-account.ts';
import { methodsOf } from '../../sandbox/src/methods/list.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { type Dialect, dialects, sectionOf } from '../../src/api/method.ts';
import type { Collector, Item, MetricDescription } from '../../src/collectors/collector.ts';
import { collectors } from '../../src/collectors/list.ts';
import { renderFamilies } from '../../src/store/render.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { sandboxAccountConfig } from '../fixtures/config.ts';
import { withinAnHour } from '../fixtures/within-an-hour.ts';
import { expectedSeries, type SeriesMap } from '../oracle/expected-series.ts';
import { compare, readPage } from '../oracle/page-series.ts';

const expectationsFile = 'test/oracle/expected-series.ts';

/** Whether the value depends on all elements of a list; the numbers of the account are single fields. */
function dependsOnAllElements({ name, help }: MetricDescription): boolean {
  if (/^hosting_backup_(?:job_)?last_timestamp_seconds$/.test(name)) return true;
  return help.startsWith('Number of ') && !name.startsWith('hosting_account_');
}

describe.each(collectors)('the collector $name', (collector) => {
  it('calls only methods that read', () => {
    for (const method of collector.methods) expect(method).toMatch(/^[a-z]+\/(?:get|is)[A-Z]/);
  });

  it('calls only methods that the sandbox answers in at least one dialect', () => {
    const answered = new Set(dialects.flatMap((dialect) => [...methodsOf(dialect).keys()]));

    const missing = collector.methods
      .filter((method) => !answered.has(method))
      .map((method) => {
        const file = `sandbox/src/methods/${sectionOf(method)}.ts`;
        return `the sandbox does not answer ${method}: add it to ${file}, and a new section to sandbox/src/methods/list.ts`;
      });

    expect(missing).toEqual([]);
  });

  it.each([...dialects])('exports exactly the expected series in the dialect of the %s', async (dialect) => {
    const sandbox = sandboxes[dialect];

    for (const account of sandbox.accounts) {
      const earlierCalls = sandbox.calls.length;
      const differences = await withinAnHour(async () => {
        const exported = await collect(collector, account, sandbox);
        return compare(expectedSeries(account, dialect, Date.now(), [collector]), exported);
      });

      const refused = sandbox.calls.slice(earlierCalls).filter(({ outcome }) => outcome !== 'success');
      const refusals = [...new Set(refused.map(({ method, outcome }) => `${method} (${outcome})`))];
      const hint = refusals.length === 0 ? '' : `; the sandbox refused ${refusals.join(', ')}`;
      expect(differences, `see the entry ${collector.name} in ${expectationsFile}${hint}`).toEqual([]);
    }
  });

  it('omits exactly the metrics that depend on all elements if elements of a list were dropped', async () => {
    const { provider } = sandboxes;
    const [result] = await poll(collector, provider.account('shop'), provider);
    if (result === undefined) throw new Error(`the sandbox's account shop has no items of ${collector.name}`);

    const families = collector.read(result.payload, 'shop', result.item, result.time, false);
    const shown = families.map(({ name }) => name);

    const metrics = collector.metrics.map(({ name }) => name);
    expect(
      metrics.filter((name) => !shown.includes(name)),
      'set requiresCompleteList for a count of elements, or start the HELP text of another number with other words than "Number of"',
    ).toEqual(collector.metrics.filter(dependsOnAllElements).map(({ name }) => name));
  });

  it('has expected series for each metric, in exactly the dialects that the metric names', () => {
    const expected = Object.fromEntries(collector.metrics.map(({ name }) => [name, [] as Dialect[]]));
    for (const dialect of dialects) {
      const series = sandboxes[dialect].accounts.flatMap((account) => [
        ...expectedSeries(account, dialect, Date.now(), [collector]).keys(),
      ]);
      for (const name of new Set(series.map((key) => key.slice(0, key.indexOf('{'))))) expected[name]?.push(dialect);
    }

    const named = Object.fromEntries(collector.metrics.map(({ name, dialects }) => [name, dialects]));

    expect(expected, `see the entry ${collector.name} in ${expectationsFile}`).toEqual(named);
  });
});

const sandboxes = {} as Record<Dialect, Sandbox>;

beforeAll(async () => {
  for (const dialect of dialects) {
    sandboxes[dialect] = await startSandbox({ dialect, speed: 0, requestsPerMinute: 0 });
  }
});

afterAll(async () => {
  await Promise.all(Object.values(sandboxes).map((sandbox) => sandbox.close()));
});

/** A payload after it was saved and restored. The figures of both must be the same. */
function saved(payload: unknown): unknown {
  return JSON.parse(JSON.stringify(payload));
}

interface Result {
  readonly item: Item;
  readonly payload: unknown;
  readonly time: { readonly now: number; readonly settled: number };
}

/** The payloads of all items of a collector. */
async function poll(collector: Collector, { login }: HostingAccount, sandbox: Sandbox): Promise<readonly Result[]> {
  const config = sandboxAccountConfig(sandbox, login, { api: { requestsPerMinute: 600_000 } });
  const { api, session, databases, issues, sent } = clientUnderTest(config);
  // Detects the dialect, which decides the format of parameters.
  await databases();
  sent.length = 0;
  const items = collector.items(await collector.itemsFrom?.fetch(api, {}));
  const results = await Promise.all(
    items.map(async (item) => {
      const payload = saved(await collector.fetch(api, item));
      const { now } = session;
      return { item, payload, time: { now, settled: now - config.api.settlingTime } };
    }),
  );
  const methods: readonly string[] = [...collector.methods, ...(collector.itemsFrom?.methods ?? [])];
  expect(issues).toEqual([]);
  const undeclared = sent.filter((method) => !methods.includes(method));
  expect(undeclared, `add them to methods of the collector ${collector.name}`).toEqual([]);
  return results;
}

/** The series of one collector on the page, without polling. */
async function collect(collector: Collector, account: HostingAccount, sandbox: Sandbox): Promise<SeriesMap> {
  const results = await poll(collector, account, sandbox);
  const families = results.flatMap(({ item, payload, time }) =>
    collector.read(payload, account.login, item, time, true),
  );
  return readPage(Buffer.concat(families.flatMap((family) => [...renderFamilies([family]).values()])).toString());
}
