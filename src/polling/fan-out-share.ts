import type { Poller } from './poller.ts';

/** Share of the budget that scheduled runs may use. The rest is for retries. */
const usableShare = 0.9;

/** Maximum calls per minute of each fan-out; infinite if `budget` suffices. Fan-outs that need less leave the rest to the others. */
export function fanOutShare(pollers: readonly Poller[], budget: number): number {
  let left = budget * usableShare;
  for (const { collector, callsPerMinute } of pollers) if (!collector.stretches) left -= callsPerMinute;
  left = Math.max(left, budget * (1 - usableShare));
  const required = pollers.filter(({ collector }) => collector.stretches).map((poller) => poller.callsPerMinute);
  for (const [index, calls] of required.sort((one, other) => one - other).entries()) {
    const share = left / (required.length - index);
    if (calls > share) return share;
    left -= calls;
  }
  return Number.POSITIVE_INFINITY;
}
