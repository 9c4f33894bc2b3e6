import type { Socket } from 'node:net';

/** One target of Prometheus' HTTP service discovery. */
export interface DiscoveredTarget {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * One target per account, at the address that Prometheus used for the request. The targets share that address, so
 * `instance` also contains the account.
 */
export function serviceDiscovery(
  address: string,
  telemetryPath: string,
  accounts: Iterable<string>,
): readonly DiscoveredTarget[] {
  return [...accounts].map((account) => ({
    targets: [address],
    labels: { __metrics_path__: telemetryPath, __param_account: account, instance: `${address}/${account}` },
  }));
}

/** The address at which a client connected. HTTP/1.0 requests may have no Host header. */
export function localAddress({ localAddress: address = '', localPort = 0 }: Socket): string {
  // A server that listens on :: sees IPv4 addresses with this prefix.
  const host = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  return `${host.includes(':') ? `[${host}]` : host}:${localPort}`;
}
