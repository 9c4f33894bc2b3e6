import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** What the event loop went through. Milliseconds. */
export interface EventLoopReport {
  /** Between two turns; on a busy machine most of it is waiting for a processor. */
  readonly longestDelay: number;
  /** Of the processor between two turns: what the program itself did without letting others go on. */
  readonly longestTurn: number;
  readonly longestCollection: number;
}

/** Watches the event loop from now on until the function that it gives is called. */
export function watchEventLoop(): () => EventLoopReport {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let longestCollection = 0;
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestCollection = Math.max(longestCollection, duration);
  });
  let longestTurn = 0;
  let last = processorTime();
  const timer = setInterval(() => {
    const now = processorTime();
    longestTurn = Math.max(longestTurn, now - last);
    last = now;
  }, 1);
  collections.observe({ entryTypes: ['gc'] });
  delay.enable();
  return () => {
    delay.disable();
    clearInterval(timer);
    collections.disconnect();
    return { longestDelay: delay.max / 1e6, longestTurn, longestCollection };
  };
}

/** Of this thread alone. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
