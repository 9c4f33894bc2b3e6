/** The heap after garbage collection, in bytes, after a number of API calls. */
export interface HeapReading {
  readonly calls: number;
  readonly heapUsed: number;
}

/**
 * The lowest reading of the first third and the lowest reading of the last third. Work in progress only increases a
 * reading, so the two lowest readings are comparable.
 */
export function lowestOfThirds<T>(readings: readonly T[], amount: (reading: T) => number): { first: T; last: T } {
  const third = Math.floor(readings.length / 3);
  if (third < 2) throw new Error('the comparison needs at least six readings');
  const lowest = (part: readonly T[]) => part.reduce((one, other) => (amount(other) < amount(one) ? other : one));
  return { first: lowest(readings.slice(0, third)), last: lowest(readings.slice(-third)) };
}

/** Growth of the heap in bytes per call, from the first third of the readings to the last third. */
export function bytesPerCall(readings: readonly HeapReading[]): number {
  const { first, last } = lowestOfThirds(readings, ({ heapUsed }) => heapUsed);
  return (last.heapUsed - first.heapUsed) / (last.calls - first.calls);
}
