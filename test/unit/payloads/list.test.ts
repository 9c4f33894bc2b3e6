import { expect, it } from 'vitest';
import type { Api } from '../../../src/api/api.ts';
import { collectors } from '../../../src/collectors/list.ts';
import { payloads } from '../../../src/payloads/list.ts';
import { scalarsFor } from '../../../src/payloads/scalars.ts';

it.each(collectors)('contains every payload of the collector $name', async (collector) => {
  const schemas: unknown[] = [];
  const answer = (...called: readonly unknown[]) => {
    schemas.push(...called);
    return Promise.resolve([] as never);
  };
  const api: Api = {
    call: (_method, schema) => answer(schema),
    callIfOffered: (_method, schema) => answer(schema),
    callFirst: (candidates) => answer(...candidates.map(([, schema]) => schema)),
  };
  const scalars = scalarsFor({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' });

  for (const kind of ['files', 'databases']) await collector.fetch(api, scalars, { kind });

  const listed = payloads.map((create) => create(scalars));
  expect(schemas.length).toBeGreaterThan(0);
  for (const schema of schemas) expect(listed).toContain(schema);
});
