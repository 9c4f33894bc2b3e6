import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** Measurements of the event loop. Milliseconds. */
export interface EventLoopReport {
  /** Longest delay between two iterations; on a busy machine mostly waiting for a processor. */
  readonly longestDelay: number;
  /** Longest time that the program itself occupied the event loop, in processor time. */
  readonly longestBlock: number;
  readonly longestCollection: number;
}

/** Monitors the event loop until the returned function is called, which reports. */
export function monitorEventLoop(): () => EventLoopReport {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let longestCollection = 0;
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestCollection = Math.max(longestCollection, duration);
  });
  let longestBlock = 0;
  let last = processorTime();
  const timer = setInterval(() => {
    const now = processorTime();
    longestBlock = Math.max(longestBlock, now - last);
    last = now;
  }, 1);
  collections.observe({ entryTypes: ['gc'] });
  delay.enable();
  return () => {
    delay.disable();
    clearInterval(timer);
    collections.disconnect();
    return { longestDelay: delay.max / 1e6, longestBlock, longestCollection };
  };
}

/** Processor time of this thread, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
