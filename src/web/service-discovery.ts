/** One target of Prometheus' http_sd. */
export interface DiscoveredTarget {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * A target for each account, at the address that Prometheus itself asked for. `instance` tells the targets apart, which
 * otherwise have one address.
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
