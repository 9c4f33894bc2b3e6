/** The end of a result's life, by both clocks: the wall clock may be set, the monotonic one may stop during suspend. */
export interface Expiry {
  /** Unix milliseconds. */
  readonly wall: number;
  /** Milliseconds of `performance.now()`. */
  readonly monotonic: number;
}

export function expiryAfter(milliseconds: number): Expiry {
  return { wall: Date.now() + milliseconds, monotonic: performance.now() + milliseconds };
}

/** Whether either clock has passed it. */
export function hasExpired({ wall, monotonic }: Expiry): boolean {
  return Date.now() >= wall || performance.now() >= monotonic;
}

/** Later than every other one. */
export const never: Expiry = { wall: Number.POSITIVE_INFINITY, monotonic: Number.POSITIVE_INFINITY };

/** The earlier one, by each clock. */
export function earlier(a: Expiry, b: Expiry): Expiry {
  return { wall: Math.min(a.wall, b.wall), monotonic: Math.min(a.monotonic, b.monotonic) };
}
