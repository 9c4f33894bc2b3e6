import type { Socket } from 'node:net';

/** One target per account. All targets have the same address, so `instance` also contains the account. */
export function serviceDiscovery(address: string, telemetryPath: string, accounts: Iterable<string>) {
  return [...accounts].map((account) => ({
    targets: [address],
    labels: { __metrics_path__: telemetryPath, __param_account: account, instance: `${address}/${account}` },
  }));
}

/** The address to which a client connected, for HTTP/1.0 requests without a Host header. */
export function localAddress({ localAddress: address = '', localPort = 0 }: Socket): string {
  // A server that listens on :: receives IPv4 addresses with the prefix ::ffff:.
  const host = address.replace(/^::ffff:(?=[\d.]+$)/, '');
  return `${host.includes(':') ? `[${host}]` : host}:${localPort}`;
}
