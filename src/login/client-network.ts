import { isIPv6 } from 'node:net';

/** What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, of which every host has many. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [start = '', end] = address.split('::');
  const groups = start.split(':');
  const missing = end === undefined ? 0 : 8 - groups.length - end.split(':').length;
  const all = [...groups, ...Array<string>(missing).fill('0'), ...(end?.split(':') ?? [])];
  return all
    .slice(0, 4)
    .map((group) => group || '0')
    .join(':');
}
