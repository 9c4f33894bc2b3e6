// Loaded before the program (node --expose-gc --import): at SIGUSR2 it collects garbage and adds a line of figures to a
// file, so that a test sees the memory that is really held, and what keeps the program running.
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
