import * as fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { Account } from '../../../src/accounts/account.ts';
import { Connections } from '../../../src/api/connections.ts';
import { ApiSession } from '../../../src/api/session.ts';
import { collectors, payloadVersions } from '../../../src/collectors/list.ts';
import { AccountStore } from '../../../src/exposition/account-store.ts';
import { Page } from '../../../src/exposition/page.ts';
import { ProcessMetrics } from '../../../src/exposition/process-metrics.ts';
import { FailureLog } from '../../../src/polling/failure-log.ts';
import { RestoreReport } from '../../../src/results/snapshot.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { formatState, parseState } from '../../../src/state/state-file.ts';
import { sandboxAccountConfig } from '../../fixtures/config.ts';
import { polledAccount, statusOf } from '../../fixtures/polled-account.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { recordedLog } from '../../fixtures/recorded-log.ts';
import { parsePage } from '../../oracle/exposition.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Places in a value at which another value can stand. */
function placesIn(value: Json): readonly (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, part]) => placesIn(part).map((place) => [key, ...place]))];
}

function replaced(value: Json, [key, ...rest]: readonly (string | number)[], other: Json): Json {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((part, index) => (`${index}` === key ? replaced(part, rest, other) : part));
  if (typeof value !== 'object' || value === null) return other;
  return { ...value, [key]: replaced(value[key] ?? null, rest, other) };
}

it('any JSON value in place of another one in a file causes neither an error nor an invalid page', async () => {
  const sandbox = await startSandbox({ dialect: 'provider', requestsPerMinute: 0 });
  onTestFinished(() => sandbox.close());
  const config = sandboxAccountConfig(sandbox, 'blog');
  const polled = polledAccount(config);
  await polled.account.pollOnce();
  const session = { ...new ApiSession(30).snapshot(), rejection: undefined };
  const state = { account: config.name, identity: 'i', written: Date.now(), session, polls: polled.account.snapshot() };
  const lines = [...formatState(state, payloadVersions)].map((line) => JSON.parse(line) as Json);
  const connections = new Connections(undefined);
  onTestFinished(() => connections.destroy());
  const processMetrics = new ProcessMetrics({ version: '0', revision: 'r', nodeVersion: 'v24' }, { hasRuntime: false });
  const { log } = recordedLog();

  /** What a new process shows of these lines. */
  async function pageOf(written: readonly Json[]): Promise<string> {
    const content = written.map((line) => `${JSON.stringify(line)}\n`).join('');
    const { state: read } = await parseState(content, payloadVersions);
    const page = new Page(collectors, processMetrics);
    const newSession = new ApiSession(config.api.requestsPerMinute);
    const store = new AccountStore(page.index);
    const parts = {
      connections,
      session: newSession,
      store,
      observer: processMetrics,
      log,
      failureLog: new FailureLog(log),
    };
    const account = new Account(config, parts);
    page.add(account);
    if (read !== undefined) await account.restore(read.polls, false, new RestoreReport());
    statusOf(account);
    const chunks = await page.render('openmetrics', {});
    account.stop();
    newSession.budget.close();
    return Buffer.concat(chunks.flatMap(({ texts }) => texts)).toString('utf8');
  }

  const series = (page: string) => page.split('\n').filter((line) => /^hosting_(?!exporter_)/.test(line)).length;
  const complete = series(await pageOf(lines));
  const change = fc
    .nat(lines.length - 1)
    .chain((index) => fc.tuple(fc.constant(index), fc.constantFrom(...placesIn(lines[index] ?? null))));
  const other = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1e308, '', '\n', [], {})) as fc.Arbitrary<Json>;

  expect(complete).toBeGreaterThan(30);
  await fc.assert(
    fc.asyncProperty(change, other, async ([index, place], value) => {
      const page = await pageOf(lines.map((line, at) => (at === index ? replaced(line, place, value) : line)));

      expect(() => parsePage(page, 'openmetrics')).not.toThrow();
      expect(series(page)).toBeLessThanOrEqual(complete + 5);
    }),
    {
      numRuns: propertyRuns(200),
      // A list of items that the figures of its own collector do not need.
      examples: [
        [[lines.findIndex((line) => JSON.stringify(line).includes('"subdomains"')), ['payload', 'subdomains']], {}],
      ],
    },
  );
});
