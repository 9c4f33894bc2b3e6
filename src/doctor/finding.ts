import type { Reason } from '../api/error.ts';
import type { Method } from '../api/method.ts';

/** How one collector of an account fares: each of its methods was called once. */
export interface CollectorFinding {
  readonly collector: string;
  readonly methods: readonly Method[];
  readonly state: 'ok' | 'not permitted' | 'failed' | 'skipped';
  readonly reason: Reason | undefined;
  /** What went wrong; of a fan-out that works, for how many items it will call. */
  readonly detail: string;
}

/** What the doctor found about one account. */
export interface AccountFinding {
  readonly account: string;
  readonly baseUrl: string;
  /** `foreign`: something answers that is not the API. */
  readonly connection: 'ok' | 'foreign' | 'failed';
  /** Undefined without TLS, or where a proxy stands between. */
  readonly tls: { readonly protocol: string; readonly certificateEnds: string } | undefined;
  /** Seconds that the API's clock is ahead of ours; undefined where it does not tell. */
  readonly clockSkewSeconds: number | undefined;
  readonly credentials: 'accepted' | 'rejected' | 'unknown';
  readonly sites: number | undefined;
  readonly databases: number | undefined;
  readonly callsPerMinute: number;
  readonly budget: number;
  readonly collectors: readonly CollectorFinding[];
  /** What to do about it, in plain words. */
  readonly advice: readonly string[];
}

/** Whether everything that is switched on will work. */
export function isHealthy(finding: AccountFinding): boolean {
  return finding.connection === 'ok' && finding.collectors.every(({ state }) => state === 'ok');
}
