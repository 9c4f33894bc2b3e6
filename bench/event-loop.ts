import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** Measurements of the event loop. Milliseconds. */
export interface EventLoopReport {
  /** Longest delay between two iterations; on a busy machine, mostly time spent waiting for a CPU. */
  readonly longestDelay: number;
  /** Longest time that the program itself occupied the event loop, in CPU time. */
  readonly longestBlock: number;
  readonly longestCollection: number;
}

/** Monitors the event loop until the returned function is called, which returns the report. */
export function monitorEventLoop(): () => EventLoopReport {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let longestCollection = 0;
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestCollection = Math.max(longestCollection, duration);
  });
  let longestBlock = 0;
  let last = threadCpuTime();
  const measure = () => {
    const now = threadCpuTime();
    longestBlock = Math.max(longestBlock, now - last);
    last = now;
  };
  const timer = setInterval(measure, 1);
  collections.observe({ entryTypes: ['gc'] });
  delay.enable();
  return () => {
    measure();
    delay.disable();
    clearInterval(timer);
    collections.disconnect();
    return { longestDelay: delay.max / 1e6, longestBlock, longestCollection };
  };
}

/** CPU time of this thread, in milliseconds. */
function threadCpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
