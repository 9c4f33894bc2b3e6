// Loaded before the program with node --expose-gc --import. On SIGUSR2, it collects garbage. Then it appends a line of
// JSON with the used memory and the active resources to a file. With PROBE_LEAK, every API call leaks about 100 bytes.
// A test uses this leak to check its own detection.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const file = process.env['PROBE_FILE'] ?? '';

/** Collections per probe. Polls in progress hold memory, and finalizers only run between two collections. */
const collections = 8;

process.on('SIGUSR2', async () => {
  let heapUsed = Number.POSITIVE_INFINITY;
  let external = Number.POSITIVE_INFINITY;
  for (let collection = 0; collection < collections; collection += 1) {
    globalThis.gc?.();
    const usage = process.memoryUsage();
    heapUsed = Math.min(heapUsed, usage.heapUsed);
    external = Math.min(external, usage.external);
    await setTimeout(100, undefined, { ref: false });
  }
  const { rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  appendFileSync(file, `${JSON.stringify({ heapUsed, external, rss, resources })}\n`);
});

if (process.env['PROBE_LEAK'] !== undefined) {
  const leaked: unknown[] = [];
  // An array of seven doubles: 16 bytes of the list, 32 of the object, 72 of its elements.
  subscribe('undici:request:create', () => leaked.push(Array.from({ length: 7 }, () => Math.random())));
}
