import { isUtf8 } from 'node:buffer';
import { isIPv6 } from 'node:net';

/** The credentials of a request. `exact`: whether the bytes are valid UTF-8. Invalid bytes are replaced in the texts. */
export type BasicAuth = NonNullable<ReturnType<typeof parseBasicAuth>>;

/** Parses an Authorization header of the scheme Basic; undefined for any other header. */
export function parseBasicAuth(header: string | undefined) {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1), exact: isUtf8(bytes) };
}

/** Identifies a client by its IPv4 address or IPv6 /64 network, because one host has many IPv6 addresses. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [start = '', end] = address.split('::');
  const groups = start.split(':');
  const missing = end === undefined ? 0 : 8 - groups.length - end.split(':').length;
  const all = [...groups, ...Array<string>(missing).fill('0'), ...(end?.split(':') ?? [])];
  const network = all.slice(0, 4).map((group) => group || '0');
  return network.join(':');
}
