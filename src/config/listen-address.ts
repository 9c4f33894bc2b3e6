export interface ListenAddress {
  /** Undefined: all interfaces. IPv6 without brackets. */
  readonly host: string | undefined;
  /** 0: any free one. */
  readonly port: number;
}

/** Host and port of `:10380`, `127.0.0.1:10380` or `[::1]:10380`; undefined where it is no such address. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, ipv6, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  return { host: ipv6 ?? (name === '' ? undefined : name), port };
}

/** What is wrong with an address to listen on; undefined where nothing is. */
export function listenAddressComplaint(text: string): string | undefined {
  return parseListenAddress(text) === undefined
    ? 'is not an address to listen on; write [host]:port, such as :10380 or 127.0.0.1:10380'
    : undefined;
}
