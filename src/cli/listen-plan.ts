import type { Config } from '../config/config.ts';
import { parseListenAddress } from '../config/listen-address.ts';
import type { ListenTarget } from '../listeners/listeners.ts';
import { inheritedSockets } from '../listeners/systemd.ts';
import type { ServeArguments } from './arguments.ts';
import type { Host } from './host.ts';
import { UsageError } from './usage-error.ts';

/** A socket to listen on, and its name in messages. */
export interface NamedTarget {
  readonly name: string;
  readonly target: ListenTarget;
}

/** All sockets to listen on. */
export interface ListenPlan {
  readonly pages: readonly NamedTarget[];
  /** Only for probes. */
  readonly health: readonly NamedTarget[];
}

/** The sockets of a command line. Throws UsageError if systemd passes none. */
export function listenPlan(
  { systemdSocket, healthAddress }: Pick<ServeArguments, 'systemdSocket' | 'healthAddress'>,
  { web }: Config,
  { environment, pid }: Host,
): ListenPlan {
  const health = healthAddress === undefined ? [] : [addressTarget(healthAddress)];
  if (!systemdSocket) return { pages: web.listenAddresses.map(addressTarget), health };
  const sockets = inheritedSockets(environment, pid);
  if (sockets.length === 0) {
    const advice = 'start the exporter through its socket unit, or remove the flag';
    throw new UsageError(`error: --web.systemd-socket: systemd passed no sockets; ${advice}`);
  }
  return { pages: sockets.map((fd) => ({ name: `socket ${fd} of systemd`, target: { fd } })), health };
}

/** Expects a validated address. */
export function addressTarget(address: string): NamedTarget {
  const { host, port = 0 } = parseListenAddress(address) ?? {};
  return { name: address, target: { host, port } };
}
