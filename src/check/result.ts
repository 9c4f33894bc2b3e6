import type { Reason } from '../api/error.ts';
import type { Method } from '../api/method.ts';

/** The result of one collector. A fan-out collector is checked with its first item. */
export interface CollectorResult {
  readonly collector: string;
  readonly methods: readonly Method[];
  readonly state: 'ok' | 'not permitted' | 'failed' | 'skipped';
  readonly reason: Reason | undefined;
  /** The method to permit, if the API grants permissions per method; undefined if it grants them per section. */
  readonly forbiddenMethod?: Method | undefined;
  /** Why it failed; for a fan-out collector that works, its number of calls per poll. */
  readonly detail: string;
  /** What to do if it does not work; undefined if it works. */
  readonly advice: string | undefined;
}

/** The result of one account. `check --json` prints it. */
export interface AccountResult {
  readonly account: string;
  readonly baseUrl: string;
  /** `foreign`: the server responds, but is not the API. */
  readonly connection: 'ok' | 'foreign' | 'failed';
  /** Undefined without TLS, and with a proxy, which hides the certificate. */
  readonly tls: { readonly protocol: string; readonly certificateEnds: string } | undefined;
  /** Seconds that the API's clock is ahead of the local clock; undefined if responses contain no date. */
  readonly clockSkewSeconds: number | undefined;
  readonly credentials: 'accepted' | 'rejected' | 'unknown';
  readonly sites: number | undefined;
  readonly databases: number | undefined;
  /** Calls that the schedules require. */
  readonly callsPerMinute: number;
  /** Calls that are allowed per minute. */
  readonly budget: number;
  readonly collectors: readonly CollectorResult[];
  /** What to do about failures and warnings, such as an expiring certificate. */
  readonly advice: readonly string[];
}

/** Whether all enabled collectors work. */
export function isHealthy({ connection, collectors }: AccountResult): boolean {
  return connection === 'ok' && collectors.every(({ state }) => state === 'ok');
}
