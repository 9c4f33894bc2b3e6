import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

/** Measurements of the event loop in milliseconds. */
export interface EventLoopReport {
  /** Longest delay between two iterations. On a busy machine, most of it is the wait for a CPU. */
  readonly longestDelay: number;
  /** Longest CPU time for which the program occupied the event loop. */
  readonly longestBlock: number;
  /** The same, without times that include a garbage collection. */
  readonly longestOwnBlock: number;
  readonly longestCollection: number;
}

/** Starts to monitor the event loop. Returns a function that stops monitoring and returns the report. */
export function monitorEventLoop(): () => EventLoopReport {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const found: { readonly startTime: number; readonly duration: number }[] = [];
  const collections = new PerformanceObserver((list) => found.push(...list.getEntries()));
  const blocks: { readonly from: number; readonly to: number; readonly cpu: number }[] = [];
  let last = threadCpuTime();
  let from = performance.now();
  const measure = () => {
    const [now, to] = [threadCpuTime(), performance.now()];
    blocks.push({ from, to, cpu: now - last });
    [last, from] = [now, to];
  };
  const timer = setInterval(measure, 1);
  collections.observe({ entryTypes: ['gc'] });
  delay.enable();
  return () => {
    measure();
    delay.disable();
    clearInterval(timer);
    found.push(...collections.takeRecords());
    collections.disconnect();
    const own = blocks.filter(
      (block) => !found.some(({ startTime }) => startTime >= block.from && startTime < block.to),
    );
    return {
      longestDelay: delay.max / 1e6,
      longestBlock: Math.max(...blocks.map(({ cpu }) => cpu)),
      longestOwnBlock: Math.max(0, ...own.map(({ cpu }) => cpu)),
      longestCollection: Math.max(0, ...found.map(({ duration }) => duration)),
    };
  };
}

/** CPU time of this thread, in milliseconds. */
function threadCpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
