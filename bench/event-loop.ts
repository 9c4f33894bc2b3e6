import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** Measurements of the event loop in milliseconds. */
export interface EventLoopReport {
  /** Longest delay between two iterations. On a busy machine, most of it is the wait for a CPU. */
  readonly longestDelay: number;
  /** Longest CPU time for which the program occupied the event loop. */
  readonly longestBlock: number;
  readonly longestCollection: number;
}

/** Starts to monitor the event loop. Returns a function that stops monitoring and returns the report. */
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
