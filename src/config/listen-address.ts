export interface ListenAddress {
  /** Without the brackets of IPv6; undefined: all interfaces. */
  readonly host: string | undefined;
  /** 0: any free port. */
  readonly port: number;
}

/** Parses `:10380`, `127.0.0.1:10380` or `[::1]:10380`; undefined for any other text. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, ipv6, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535) return undefined;
  return { host: ipv6 ?? (name === '' ? undefined : name), port };
}

/** Why a text is not a listen address; undefined if it is. */
export function validateListenAddress(text: string): string | undefined {
  return parseListenAddress(text) === undefined
    ? 'is not a listen address; write [host]:port, such as :10380 or 127.0.0.1:10380'
    : undefined;
}
