/** The first descriptor that systemd passes on. */
const firstDescriptor = 3;

/**
 * Descriptors of the sockets that systemd has opened for the process, as in sd_listen_fds(3). Empty if there are none, or
 * if they are for another process, such as a shell that started this one.
 */
export function inheritedSockets(
  { LISTEN_PID, LISTEN_FDS }: Readonly<Record<string, string | undefined>>,
  pid: number,
): readonly number[] {
  if (LISTEN_PID !== String(pid) || !/^\d{1,4}$/.test(LISTEN_FDS ?? '')) return [];
  return Array.from({ length: Number(LISTEN_FDS) }, (_, index) => firstDescriptor + index);
}
