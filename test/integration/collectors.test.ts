import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Dialect, dialects } from '../../src/api/dialect.ts';
import { sectionOf } from '../../src/api/method.ts';
import type { Collector } from '../../src/collectors/collector.ts';
import type { Family } from '../../src/collectors/family.ts';
import { collectors } from '../../src/collectors/list.ts';
import { renderSamples } from '../../src/exposition/render.ts';
import { KeptPayload } from '../../src/results/kept-payload.ts';
import type { HostingAccount } from '../../src/sandbox/hosting-account.ts';
import { methodsOf } from '../../src/sandbox/methods/list.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { sandboxAccountConfig } from '../fixtures/config.ts';
import { withinAnHour } from '../fixtures/within-an-hour.ts';
import { expectedSeries, type SeriesMap } from '../oracle/expected-series.ts';
import { compare, readPage } from '../oracle/page-series.ts';

const expectationsFile = 'test/oracle/expected-series.ts';

describe.each(collectors)('the collector $name', (collector) => {
  it('calls only methods that read', () => {
    for (const method of collector.methods) expect(method).toMatch(/^[a-z]+\/(?:get|is)[A-Z]/);
  });

  it('calls only methods that the sandbox answers in at least one dialect', () => {
    const answered = new Set(dialects.flatMap((dialect) => [...methodsOf(dialect).keys()]));

    const missing = collector.methods
      .filter((method) => !answered.has(method))
      .map((method) => `the sandbox does not answer ${method}: add it to src/sandbox/methods/${sectionOf(method)}.ts`);

    expect(missing).toEqual([]);
  });

  it.each([...dialects])('exports exactly the expected series in the dialect of the %s', async (dialect) => {
    const sandbox = sandboxes[dialect];

    for (const account of sandbox.accounts) {
      const differences = await withinAnHour(async () => {
        const exported = await collect(collector, account, sandbox);
        return compare(expectedSeries(account, dialect, Date.now(), [collector]), exported);
      });

      expect(differences).toEqual([]);
    }
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

/** A payload after it was kept: the figures of both must be the same. */
function kept(payload: unknown): unknown {
  return new KeptPayload(payload, { answered: 0, providerTime: 0, complete: true }).decode();
}

/** The series of one collector on the page, without polling. */
async function collect(collector: Collector, { login }: HostingAccount, sandbox: Sandbox): Promise<SeriesMap> {
  const config = sandboxAccountConfig(sandbox, login, { api: { requestsPerMinute: 600_000 } });
  const { api, session, databases, issues, sent } = clientUnderTest(config);
  // Detects the dialect, which decides the format of parameters.
  await databases();
  sent.length = 0;
  const items = collector.items(await collector.itemsFrom?.fetch(api, {}));
  const read = items.map(async (item) => {
    const payload = kept(await collector.fetch(api, item));
    const { now } = session.clock;
    return collector.read(payload, login, item, { now, settled: now - config.api.settlingTime }, true);
  });
  const families: readonly Family[] = (await Promise.all(read)).flat();
  const methods: readonly string[] = [...collector.methods, ...(collector.itemsFrom?.methods ?? [])];
  expect(issues).toEqual([]);
  const undeclared = sent.filter((method) => !methods.includes(method));
  expect(undeclared, `add them to methods of the collector ${collector.name}`).toEqual([]);
  return readPage(families.map((family) => renderSamples(family).text).join(''));
}
