import { day, hour } from '../time/zone.ts';
import { hashText, noise } from './noise.ts';

/** State of the shared server: memory in megabytes, uptime in whole days. */
export interface ServerHealth {
  readonly loadAverage: number;
  readonly memoryUsed: number;
  readonly uptimeDays: number;
}

export function serverHealthAt(name: string, memory: number, simulated: number): ServerHealth {
  const seed = hashText(name);
  const minute = Math.floor(simulated / 60_000);
  const wave = 1 + 0.5 * Math.sin((2 * Math.PI * simulated) / day - Math.PI / 2);
  return {
    loadAverage: (4 + 20 * noise(seed, 0)) * wave * (0.8 + 0.4 * noise(seed + 1, minute)),
    memoryUsed: Math.round(memory * (0.04 + 0.03 * noise(seed + 2, Math.floor(simulated / hour)))),
    uptimeDays: Math.floor(simulated / day + noise(seed, 1) * 400) % 400,
  };
}
