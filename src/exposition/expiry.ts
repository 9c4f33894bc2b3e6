/** When a result expires, by both clocks: the wall clock may be set, and the monotonic one may stop during suspend. */
export interface Expiry {
  /** Unix milliseconds. */
  readonly wall: number;
  /** Milliseconds of `performance.now()`. */
  readonly monotonic: number;
}

export function expiryAfter(milliseconds: number): Expiry {
  return { wall: Date.now() + milliseconds, monotonic: performance.now() + milliseconds };
}

/** Whether the time has come by either clock. */
export function hasExpired({ wall, monotonic }: Expiry): boolean {
  return Date.now() >= wall || performance.now() >= monotonic;
}

/** Later than any other. */
export const never: Expiry = { wall: Number.POSITIVE_INFINITY, monotonic: Number.POSITIVE_INFINITY };

/** The earlier time, by each clock. */
export function earlier(a: Expiry, b: Expiry): Expiry {
  return { wall: Math.min(a.wall, b.wall), monotonic: Math.min(a.monotonic, b.monotonic) };
}
