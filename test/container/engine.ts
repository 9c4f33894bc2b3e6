import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type CommandOptions, outcomeOf, run } from './command.ts';

/**
 * `host`: no bridge and no firewall rules, containers use the network of the machine; for builds, which must reach a
 * registry. `own`: everything in a network namespace that ends with the engine, so that bridges, names and published
 * ports work and nothing of the machine is touched; there is no way out of it.
 */
export type EngineNetwork = 'host' | 'own';

/** A Docker engine of our own, beside any other on this machine. */
export interface Engine {
  /** What `docker` prints; rejects where it fails. */
  docker(...args: readonly string[]): Promise<string>;
  /** What Docker Compose prints about a compose file; rejects where it fails. */
  compose(file: string, args: readonly string[], options?: CommandOptions): Promise<string>;
  /** What a program prints that runs in the network of the engine. */
  inNetwork(program: string, ...args: readonly string[]): Promise<string>;
  /** What a page says in the network of the engine, as soon as it can be had. */
  pageOf(url: string): Promise<string>;
  stop(): Promise<void>;
}

/** Debian's client: the only one that builds without further plugins. */
const docker = '/usr/bin/docker';

/** A new folder for an engine's images and containers. */
export function createDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'exporter-engine-'));
}

/** Starts an engine on a data folder, and waits until it answers. */
export async function startEngine(folder: string, network: EngineNetwork): Promise<Engine> {
  const socket = `unix://${folder}/docker.sock`;
  const log = await open(join(folder, 'dockerd.log'), 'a');
  const dockerd = [
    'dockerd',
    ...['--host', socket],
    ...['--data-root', join(folder, 'data')],
    ...['--exec-root', join(folder, 'exec')],
    ...['--pidfile', join(folder, 'dockerd.pid')],
    ...(network === 'host' ? ['--bridge=none', '--iptables=false', '--ip6tables=false', '--ip-forward=false'] : []),
  ];
  const isolated = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  const [program = '', ...args] = network === 'host' ? dockerd : [...isolated, ...dockerd];
  const daemon = spawn(program, args, { stdio: ['ignore', log.fd, log.fd] });
  const environment = { DOCKER_HOST: socket, DOCKER_BUILDKIT: '1' };
  try {
    await untilAnswering(daemon, socket);
  } catch (error) {
    const said = await readFile(join(folder, 'dockerd.log'), 'utf8');
    throw new Error(`The Docker engine did not start:\n${said.slice(-2000)}`, { cause: error });
  } finally {
    await log.close();
  }

  const inNetwork = (inner: string, ...innerArgs: readonly string[]) =>
    network === 'host'
      ? run(inner, innerArgs)
      : run('nsenter', [`--net=/proc/${daemon.pid}/ns/net`, inner, ...innerArgs]);
  return {
    docker: (...dockerArgs) => run(docker, dockerArgs, { env: environment }),
    compose: async (file, composeArgs, options = {}) => {
      const [command = '', ...first] = await composeCommand(file, folder);
      return run(command, [...first, ...composeArgs], { ...options, env: { ...environment, ...options.env } });
    },
    inNetwork,
    pageOf: (url) => inNetwork('curl', '-sSf', '--retry', '60', '--retry-all-errors', '--retry-delay', '1', url),
    stop: () => end(daemon),
  };
}

/** Removes the data folder of an engine that has ended, and what it has left mounted there. */
export async function removeDataFolder(folder: string): Promise<void> {
  const mounts = await readFile('/proc/self/mounts', 'utf8');
  const points = mounts.split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const point of points.filter((path) => path.startsWith(`${folder}/`)).reverse()) await run('umount', [point]);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Docker Compose as the plugin, or as Debian 12 has it: that one is older than the key `name`, so the line is left out of
 * the file for it and said by a flag.
 */
async function composeCommand(file: string, folder: string): Promise<readonly string[]> {
  if ((await outcomeOf(docker, ['compose', 'version'])).code === 0) return [docker, 'compose', '--file', file];
  const text = await readFile(file, 'utf8');
  const [line = '', name = ''] = /^name: (.*)\n/m.exec(text) ?? [];
  const copy = join(folder, 'compose.yml');
  await writeFile(copy, text.replace(line, ''));
  return ['docker-compose', '--project-name', name, '--project-directory', dirname(file), '--file', copy];
}

async function untilAnswering(daemon: ChildProcess, socket: string): Promise<void> {
  while (daemon.exitCode === null) {
    const { code } = await outcomeOf(docker, ['--host', socket, 'version']);
    if (code === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`It ended with ${daemon.exitCode}.`);
}

/** Asks the engine to end, which takes its containers and its containerd with it. */
async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null) return;
  daemon.kill('SIGTERM');
  await once(daemon, 'exit');
}
