import { collectors } from '../../src/collectors/list.ts';

/** The default poll interval of a collector as a Prometheus duration. */
export function scheduleOf(name: string): string {
  const found = collectors.find((collector) => collector.name === name);
  if (found === undefined) {
    throw new Error(`No collector ${name}`);
  }
  return found.schedule;
}
