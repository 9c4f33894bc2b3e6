import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../sandbox/src/server.ts';
import { dialects } from '../../src/api/method.ts';
import { collectors } from '../../src/collectors/list.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { sandboxAccountConfig } from '../fixtures/config.ts';

const file = join(import.meta.dirname, 'payload-shapes.txt');

it('a collector whose payload has another shape has another payloadVersion', async () => {
  const current = await currentShapes();
  const recorded = byCollector(readFileSync(file, 'utf8').split('\n'));

  const forgotten = [...byCollector(current)]
    .filter(([collector, shape]) => recorded.has(collector) && String(recorded.get(collector)) !== String(shape))
    .map(
      ([collector]) =>
        `${collector}: raise payloadVersion, because a state directory may contain older payloads; if the collector is new, delete its lines from test/payloads/payload-shapes.txt instead`,
    );

  expect(forgotten).toEqual([]);
  // After the version was raised, run npx vitest run test/payloads/versions.test.ts -u.
  await expect(`${current.join('\n')}\n`).toMatchFileSnapshot(file);
});

/** The lines of each collector and version. */
function byCollector(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(
    lines.filter((line) => line !== ''),
    (line) => line.split(' ', 2).join(' '),
  );
}

/**
 * The paths and types of all values in the payloads that the sandbox's accounts give, in both dialects, each after the
 * collector and its version: `sites 1 [].id: string`.
 */
async function currentShapes(): Promise<readonly string[]> {
  const shapes = new Map<string, Set<string>>(collectors.map(({ name }) => [name, new Set()]));
  for (const dialect of dialects) {
    const sandbox = await startSandbox({ dialect, speed: 0, requestsPerMinute: 0 });
    for (const { login } of sandbox.accounts) {
      const config = sandboxAccountConfig(sandbox, login, { api: { requestsPerMinute: 600_000 } });
      const { api, databases } = clientUnderTest(config);
      await databases();
      for (const collector of collectors) {
        const shape = shapes.get(collector.name) ?? new Set();
        for (const item of collector.items(await collector.itemsFrom?.fetch(api, {})).slice(0, 5)) {
          describeShape(await collector.fetch(api, item), '', shape);
        }
      }
    }
    await sandbox.close();
  }
  return collectors.flatMap(({ name, payloadVersion = 1 }) =>
    [...(shapes.get(name) ?? [])].toSorted().map((line) => `${name} ${payloadVersion} ${line}`),
  );
}

/** `[].domains[].name: string` */
function describeShape(value: unknown, path: string, shape: Set<string>): void {
  if (Array.isArray(value)) for (const element of value) describeShape(element, `${path}[]`, shape);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) describeShape(inner, `${path}.${key}`, shape);
  } else if (value !== undefined && value !== null) shape.add(`${path}: ${typeof value}`);
}
