// Loaded before the program with node --expose-gc --import. On SIGUSR2 it collects garbage and appends the memory in use
// and the active resources to a file, as one line of JSON.
import { appendFileSync } from 'node:fs';

const file = process.env['PROBE_FILE'] ?? '';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  appendFileSync(file, `${JSON.stringify({ heapUsed, external, rss, resources })}\n`);
});
