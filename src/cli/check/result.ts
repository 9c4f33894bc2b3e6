import type { Reason } from '../../api/error.ts';
import type { Method } from '../../api/method.ts';
import type { TimeZoneDoubt } from '../../polling/time-zone-doubt.ts';

export interface CollectorResult {
  readonly collector: string;
  readonly methods: readonly Method[];
  readonly state: 'ok' | 'not permitted' | 'failed' | 'skipped';
  readonly reason: Reason | undefined;
  /** The method for which the permission is missing; undefined if the API grants permissions per section. */
  readonly forbiddenMethod?: Method | undefined;
  /** Why the collector failed. For a fan-out collector that works: the number of its calls per poll. */
  readonly detail: string;
  readonly httpStatus?: number | undefined;
  readonly advice: string | undefined;
}

/** The result of one account, as `check --json` prints it. */
export interface AccountResult {
  readonly account: string;
  readonly baseUrl: string;
  /** `foreign`: the server responds, but is not the API. `failing`: the API responds with errors. `failed`: no response. */
  readonly connection: 'ok' | 'foreign' | 'failing' | 'failed';
  /** Undefined without TLS, and with a proxy, because a proxy hides the certificate. */
  readonly tls: { readonly protocol: string; readonly certificateEnds: string } | undefined;
  /** The time of the API minus the local time, in seconds; undefined if responses contain no date. */
  readonly clockSkewSeconds: number | undefined;
  /** Set if the dates of the load do not fit the time zone. */
  readonly timeZoneDoubt?: TimeZoneDoubt | undefined;
  readonly credentials: 'accepted' | 'rejected' | 'unknown';
  readonly sites: number | undefined;
  readonly databases: number | undefined;
  readonly callsPerMinute: number;
  readonly budget: number;
  readonly collectors: readonly CollectorResult[];
  readonly advice: readonly string[];
}

export function isHealthy({ connection, collectors }: AccountResult): boolean {
  return connection === 'ok' && collectors.every(({ state }) => state === 'ok');
}
