import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rename, rm, statfs } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Shard } from '../config/values/config.ts';
import { unlessCode } from '../config/values/expected-error.ts';
import type { Log } from '../log.ts';

/** Another process uses the directory. The program prints the message to stderr and exits with code 3. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** The answer to a process that may take the lock. Any other answer names the owner of the lock. */
const free = 'free';

/** Milliseconds to wait for an answer. A suspended process does not answer. */
const answerTime = 5000;

/** Error codes that mean that the file system does not support sockets, or that the path is too long for a socket. */
const noSocket = ['EINVAL', 'ENAMETOOLONG', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'];

/** File system types of NFS, SMB (two versions) and CephFS. A socket there cannot be reached from other machines. */
const networkFileSystems = [0x6969, 0xff534d42, 0xfe534d42, 0xc36400];

/**
 * Locks a directory. Only different shards with the same `count` can lock it at the same time. The owner, the process that has the lock,
 * listens on a socket. After it has ended, the kernel refuses connections, and the next process removes the socket. Each has a unique name,
 * so no process removes that of a running one. Rejects with FolderInUseError, or with a system error if the directory is not writable.
 */
export async function takeLock(directory: string, shard: Shard | undefined, log: Log) {
  const token = randomBytes(6).toString('hex');
  const path = join(directory, `lock${shard === undefined ? '' : `-${shard.index}-of-${shard.count}`}.${token}`);
  let isHeld = false;
  let hasYielded = false;
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    const other = await text(socket.unref()).catch(() => '');
    // If processes start at the same time, the process with the smallest token takes the lock.
    const yields = !isHeld && other !== '' && other < token;
    hasYielded ||= yields;
    socket.on('error', () => {}).end(yields ? free : `process ${process.pid} on ${hostname()}`);
  });
  const release = () => rm(path, { force: true }).finally(() => server.close());
  // Until a socket listens, it looks like the socket of a dead process. Create it under a name that other processes ignore.
  const hidden = `${path}.tmp`;
  const hasSocket = await unlessCode(noSocket, once(server.unref().listen(hidden), 'listening'));
  const isRemote = networkFileSystems.includes((await statfs(directory)).type);
  if (!hasSocket || isRemote) {
    const reason = isRemote ? 'network file system' : 'no sockets, or the path is too long for a socket';
    log.warn({ directory, reason }, 'state directory is not protected from a second exporter');
  }
  if (!hasSocket) return { release: async () => {} };
  server.on('error', () => {});
  await rename(hidden, path);
  const others = (await readdir(directory)).map((name) => join(directory, name)).filter((other) => other !== path);
  const answers = await Promise.all(others.filter((other) => excludes(other, shard)).map((other) => ask(other, token)));
  const owner = answers.find((answer) => answer !== free) ?? (hasYielded ? 'another process' : undefined);
  isHeld = owner === undefined;
  if (isHeld) return { release };
  await release();
  const advice = 'give each exporter its own directory';
  throw new FolderInUseError(`state.directory: ${directory} is in use by ${owner}; ${advice}`);
}

/** Whether a file is the lock of an exporter that may poll the same accounts. */
function excludes(path: string, shard: Shard | undefined): boolean {
  const [isLock, index, count] = /\/lock(?:-(\d+)-of-(\d+))?\.[0-9a-f]{12}$/.exec(path) ?? [];
  return isLock !== undefined && (shard === undefined || count !== `${shard.count}` || index === `${shard.index}`);
}

/** Asks the process behind a socket, and returns its answer. If the process has ended, removes the socket. */
async function ask(path: string, token: string, isRepeated = false): Promise<string> {
  const socket = createConnection(path);
  socket.setTimeout(answerTime, () => socket.destroy()).end(token);
  const answer = await unlessCode(['ECONNREFUSED', 'ENOENT'], text(socket)).catch(() => '');
  // Ask again. If the process has just ended, the kernel refuses the next connection.
  if (answer === '') return isRepeated ? 'another process' : ask(path, token, true);
  if (answer === undefined) await rm(path, { force: true });
  return answer ?? free;
}
