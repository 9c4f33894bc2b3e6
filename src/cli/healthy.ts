import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { resolve } from 'node:path';
import { defineCommand } from './command.ts';

/** Milliseconds within which a socket must answer. */
const timeout = 4000;

/** Finds the exporter's sockets in /proc, so that health checks of containers need neither flags nor configuration. */
export const command = defineCommand(
  'Ask the exporter that runs on this machine, or in this container, whether it is healthy. Finds its address in /proc. Exits with 1 if no exporter runs or one is not healthy.',
  (command) => command,
  async (_flags, { stdout, pid }) => {
    const exporters = findExporters(pid);
    const answers = await Promise.all(exporters.map(isExporterHealthy));
    const isHealthy = answers.length > 0 && answers.every((answer) => answer);
    stdout.write(isHealthy ? 'healthy\n' : answers.length === 0 ? 'no exporter is running\n' : 'not healthy\n');
    return isHealthy ? 0 : 1;
  },
);

/** Other processes that run this program, as in `node /app/dist/main.js`. */
function findExporters(own: number): readonly number[] {
  const script = scriptOf(own);
  return readOr([], () => readdirSync('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== own && script !== undefined && scriptOf(pid) === script);
}

/** The real path of the script that a Node.js process runs; undefined for any other process. */
function scriptOf(pid: number): string | undefined {
  const words = readOr('', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  const script = words.find((word) => /main\.[jt]s$|hosting-account-exporter$/.test(word));
  if (script === undefined) return undefined;
  return readOr(undefined, () => realpathSync(resolve(readlinkSync(`/proc/${pid}/cwd`), script)));
}

interface ListeningSocket {
  readonly host: string;
  readonly port: number;
}

function socketsOf(pid: number): readonly ListeningSocket[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set(
    readOr([], () => readdirSync(folder)).flatMap((fd) => {
      const link = readOr('', () => readlinkSync(`${folder}/${fd}`));
      return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
    }),
  );
  const lines = ['tcp', 'tcp6'].flatMap((name) => {
    return readOr('', () => readFileSync(`/proc/${pid}/net/${name}`, 'utf8')).split('\n');
  });
  return lines.flatMap((line) => {
    const [, address = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    // 0A is the state LISTEN.
    return state === '0A' && inodes.has(inode) ? parseSocketAddress(address) : [];
  });
}

/** Parses an address such as `0100007F:288C`: groups of four bytes in the byte order of the machine. */
export function parseSocketAddress(text: string): ListeningSocket {
  const [address = '', port = ''] = text.split(':');
  const bytes = address.match(/.{8}/g)?.flatMap((group) => [...Buffer.from(group, 'hex')].reverse()) ?? [];
  const isV6 = bytes.length === 16;
  const all = bytes.every((byte) => byte === 0);
  const words = Array.from({ length: 8 }, (_, word) =>
    ((bytes[2 * word] ?? 0) * 256 + (bytes[2 * word + 1] ?? 0)).toString(16),
  );
  const host = isV6 ? (all ? '::1' : words.join(':')) : all ? '127.0.0.1' : bytes.join('.');
  return { host, port: Number.parseInt(port, 16) };
}

async function isExporterHealthy(pid: number): Promise<boolean> {
  const answers = socketsOf(pid).map(async (socket) => (await ask(socket, httpRequest)) || ask(socket, httpsRequest));
  return (await Promise.all(answers)).includes(true);
}

/** Whether a socket answers that the exporter is healthy. A request for a login also means that the exporter is alive. */
function ask({ host, port }: ListeningSocket, request: typeof httpRequest): Promise<boolean> {
  // Do not verify the certificate: it does not name a loopback address, and the request contains no secret.
  const options = { host, port, path: '/-/healthy', timeout, rejectUnauthorized: false };
  return new Promise((settle) => {
    const call = request(options, (response) => {
      response.resume();
      settle(response.statusCode === 200 || response.statusCode === 401);
    });
    call.on('timeout', () => call.destroy());
    call.on('error', () => settle(false));
    call.end();
  });
}

/** Returns the fallback if reading fails, because a process may end meanwhile or belong to another user. */
function readOr<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}
