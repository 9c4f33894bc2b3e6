import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { resolve } from 'node:path';
import { readOr } from '../config/values/expected-error.ts';
import { defineCommand } from './command.ts';

/** Milliseconds within which a socket must answer. */
const timeout = 4000;

/** Finds the exporter's sockets in /proc. Health checks of containers therefore need neither flags nor configuration. */
export const command = defineCommand(
  'Check whether the exporter on this machine, or in this container, is healthy. Finds its address in /proc. Exits with 1 if no exporter listens, or if an exporter is not healthy. Prints the process, address and answer of each unhealthy exporter.',
  (command) => command,
  async (_flags, { stdout, pid }) => {
    const exporters = await Promise.all(findExporters(pid).map(askExporter));
    const problems = exporters.filter((problem) => problem !== undefined);
    if (exporters.length === 0) stdout.write('no exporter is listening\n');
    else if (problems.length === 0) stdout.write('healthy\n');
    for (const problem of problems) stdout.write(`not healthy: ${problem}\n`);
    return exporters.length > 0 && problems.length === 0 ? 0 : 1;
  },
);

/** Other processes of this container that run the same script with `serve`, `demo` or no command, and listen on a port. */
function findExporters(own: number) {
  // Reading about another process may fail, because the process has ended or belongs to another user.
  const program = programOf(own);
  const root = rootOf(own);
  return readOr([], () => readdirSync('/proc'))
    .filter((name) => /^\d+$/.test(name) && Number(name) !== own)
    .map((name) => ({ pid: Number(name), ...programOf(Number(name)) }))
    .filter(({ script, serves }) => serves === true && script === program?.script)
    .filter(({ pid }) => rootOf(pid) === root)
    .map(({ pid }) => ({ pid, sockets: socketsOf(pid) }))
    .filter(({ sockets }) => sockets.length > 0);
}

/** Identifies the root directory of a process. The root directory differs between containers, even if the containers share processes. */
function rootOf(pid: number): string | undefined {
  return readOr(undefined, () => {
    const { dev, ino } = statSync(`/proc/${pid}/root`);
    return `${dev} ${ino}`;
  });
}

/** The real path of a Node.js process's script, and whether its command serves metrics; undefined for other processes. */
function programOf(pid: number): { readonly script: string; readonly serves: boolean } | undefined {
  const words = readOr('', () => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  const index = words.findIndex((word) => /main\.[jt]s$|hosting-account-exporter$/.test(word));
  const [script, first = ''] = words.slice(index);
  if (index < 0 || script === undefined) return undefined;
  // Without a command, the first word is a flag or empty, and `serve` runs.
  const serves = first === '' || first.startsWith('-') || first === 'serve' || first === 'demo';
  return readOr(undefined, () => ({ script: realpathSync(resolve(readlinkSync(`/proc/${pid}/cwd`), script)), serves }));
}

type ListeningSocket = Readonly<ReturnType<typeof parseSocketAddress>>;

function socketsOf(pid: number): readonly ListeningSocket[] {
  const folder = `/proc/${pid}/fd`;
  const links = readOr([], () => readdirSync(folder)).map((fd) => readOr('', () => readlinkSync(`${folder}/${fd}`)));
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const tables = ['tcp', 'tcp6'].map((name) => readOr('', () => readFileSync(`/proc/${pid}/net/${name}`, 'utf8')));
  const lines = tables.flatMap((table) => table.split('\n'));
  return lines.flatMap((line) => {
    const [, address = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    // 0A is the state LISTEN.
    return state === '0A' && inodes.has(inode) ? parseSocketAddress(address) : [];
  });
}

/** Parses an address such as `0100007F:288C`: groups of four bytes in the byte order of the machine. */
export function parseSocketAddress(text: string) {
  const [address = '', port = ''] = text.split(':');
  const bytes = Buffer.from(address, 'hex').swap32();
  const words = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  const [loopback, host] = bytes.length === 16 ? ['::1', words.join(':')] : ['127.0.0.1', bytes.join('.')];
  const isAny = bytes.every((byte) => byte === 0);
  return { host: isAny ? loopback : host, port: Number.parseInt(port, 16) };
}

/** Returns undefined if the exporter is healthy. Otherwise returns its process ID and the answer of each address. */
async function askExporter({ pid, sockets }: ReturnType<typeof findExporters>[number]): Promise<string | undefined> {
  const answers = await Promise.all(sockets.map(askWithOrWithoutTls));
  if (answers.some(isHealthy)) return undefined;
  const described = sockets.map(({ host, port }, index) => {
    return `${host.includes(':') ? `[${host}]` : host}:${port}: ${answers[index]}`;
  });
  return `process ${pid}: ${described.join(', ')}`;
}

async function askWithOrWithoutTls(socket: ListeningSocket): Promise<string> {
  const plain = await ask(socket, httpRequest);
  // A TLS socket refuses plain HTTP or closes the connection. Do not try TLS if a socket does not answer in time.
  if (isHealthy(plain) || plain === noAnswer) return plain;
  const secure = await ask(socket, httpsRequest);
  return secure.startsWith('status') ? secure : plain;
}

/** Status 401 also means healthy: the exporter answers, but requires a login. */
function isHealthy(answer: string): boolean {
  return answer === 'status 200' || answer === 'status 401';
}

const noAnswer = `no answer within ${timeout / 1000} s`;

/** Returns the status of the answer, or the reason why there is no answer. */
function ask({ host, port }: ListeningSocket, request: typeof httpRequest): Promise<string> {
  // Do not verify the certificate, because it does not name a loopback address. The request contains no secret.
  const options = { host, port, path: '/-/healthy', rejectUnauthorized: false, signal: AbortSignal.timeout(timeout) };
  return new Promise((settle) => {
    const call = request(options, (response) => {
      response.resume();
      settle(`status ${response.statusCode}`);
    });
    call.on('error', (error) => settle(options.signal.aborted ? noAnswer : error.message));
    call.end();
  });
}
