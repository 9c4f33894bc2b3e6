import { expect, it } from 'vitest';
import type { Api } from '../../../src/api/client.ts';
import { collectors } from '../../../src/collectors/list.ts';

it.each(collectors)('the collector $name names every payload that it calls for', async (collector) => {
  const called: unknown[] = [];
  const answer = (...payloads: readonly unknown[]) => {
    called.push(...payloads);
    return Promise.resolve([] as never);
  };
  const api: Api = {
    call: (_method, payload) => answer(payload),
    callIfOffered: (_method, payload) => answer(payload),
    callFirst: (candidates) => answer(...candidates.map(([, payload]) => payload)),
  };

  for (const kind of ['files', 'databases']) await collector.fetch(api, { kind, domain: 'a' });

  expect(called[0]).toBe(collector.payloads[0]);
  for (const payload of called) expect(collector.payloads).toContain(payload);
});

it('no two payloads have the same name', () => {
  const payloads = new Set(collectors.flatMap(({ payloads }) => payloads));

  const names = [...payloads].map(({ payloadName }) => payloadName);

  expect(new Set(names).size).toBe(names.length);
});
