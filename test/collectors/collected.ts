import type { Collector, Item } from '../../src/collectors/collector.ts';
import type { Family } from '../../src/collectors/family.ts';
import { renderFamilies } from '../../src/store/render.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { accountConfig } from '../fixtures/config.ts';
import { type ScriptedAnswer, scriptedApi } from '../fixtures/scripted-api.ts';

const now = Date.parse('2026-06-03T19:20:00Z');

type Answers = Readonly<Record<string, ScriptedAnswer>>;

/** The payload that a collector reads from these answers of the API. Methods without an answer return an empty list. */
export async function payloadOf(collector: Collector, answers: Answers, item: Item = {}): Promise<unknown> {
  const { api } = accountConfig({ api: { baseUrl: (await scriptedApi(answers)).baseUrl } });
  const client = clientUnderTest(accountConfig({ api }));
  return collector.fetch(client.api, item);
}

/** The families that a collector exports of a payload at 2026-06-03 19:20 UTC. */
export function familiesOf(
  collector: Collector,
  payload: unknown,
  item: Item = {},
  complete = true,
): readonly Family[] {
  return collector.read(payload, 'shop', item, { now, settled: now }, complete);
}

/** The lines on the page for these answers of the API. */
export async function linesOf(collector: Collector, answers: Answers, item?: Item): Promise<readonly string[]> {
  return linesOfFamilies(familiesOf(collector, await payloadOf(collector, answers, item), item));
}

export function linesOfFamilies(families: readonly Family[]): readonly string[] {
  const lines = families.flatMap((family) => [...renderFamilies([family]).values()]);
  return Buffer.concat(lines).toString().split('\n').slice(0, -1);
}
