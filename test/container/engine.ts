import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type CommandOptions, outcomeOf, run } from './command.ts';

/**
 * `host`: containers use the network of the machine, without a bridge or firewall rules. Builds need this to reach the
 * registry. `isolated`: the engine has a separate network namespace without access to the outside. There, bridges,
 * names and published ports work without changes to the machine.
 */
export type EngineNetwork = 'host' | 'isolated';

/** A Docker engine that is independent of other engines on this machine. */
export interface Engine {
  /** Runs `docker` and returns its stdout. Rejects if it fails. */
  docker(...args: readonly string[]): Promise<string>;
  /** Runs Docker Compose on a file and returns its stdout. Rejects if it fails. */
  compose(file: string, args: readonly string[], options?: CommandOptions): Promise<string>;
  /**
   * Runs commands in bash, in a folder with `deploy/compose.yml`. `docker compose -f deploy/compose.yml` uses this engine. Rejects if
   * a command fails.
   */
  shell(folder: string, commands: string, stdin?: string): Promise<string>;
  /** Runs a program in the network of the engine and returns its stdout. */
  inNetwork(program: string, ...args: readonly string[]): Promise<string>;
  /** Fetches a page in the network of the engine. Retries until it is available. */
  pageOf(url: string): Promise<string>;
  stop(): Promise<void>;
}

/** Debian's client, which can build without plugins. */
const docker = '/usr/bin/docker';

/** Creates a folder for the images and containers of an engine. */
export function createDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'exporter-engine-'));
}

/** Starts an engine on a data folder and waits until it answers. */
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
    const output = await readFile(join(folder, 'dockerd.log'), 'utf8');
    throw new Error(`The Docker engine did not start:\n${output.slice(-2000)}`, { cause: error });
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
    shell: async (cwd, commands, stdin = '') => {
      const words = await composeCommand(join(cwd, 'deploy/compose.yml'), folder);
      const compose = `docker() { shift 3; ${words.join(' ')} "$@"; }`;
      const script = `set -e\n${compose}\n{ ${commands}\n} <<< '${stdin}'\n`;
      return run('bash', ['-c', script], { cwd, env: environment });
    },
    inNetwork,
    pageOf: (url) => inNetwork('curl', '-sSf', '--retry', '60', '--retry-all-errors', '--retry-delay', '1', url),
    stop: () => stop(daemon),
  };
}

/** Removes the data folder of a stopped engine, including remaining mounts. */
export async function removeDataFolder(folder: string): Promise<void> {
  const mounts = await readFile('/proc/self/mounts', 'utf8');
  const points = mounts.split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const point of points.filter((path) => path.startsWith(`${folder}/`)).reverse()) await run('umount', [point]);
  await rm(folder, { recursive: true, force: true });
}

/**
 * The Docker Compose plugin or, if it is missing, the docker-compose of Debian 12. The latter supports neither the key
 * `name` nor `restart` of a dependency. Therefore, it gets copies of the files without these keys, and a flag for the
 * name.
 */
async function composeCommand(file: string, folder: string): Promise<readonly string[]> {
  if ((await outcomeOf(docker, ['compose', 'version'])).code === 0) return [docker, 'compose', '--file', file];
  const [, project = ''] = /^name: (.*)$/m.exec(await readFile(file, 'utf8')) ?? [];
  for await (const path of glob(join(dirname(file), 'compose*.yml'))) {
    const text = (await readFile(path, 'utf8')).replace(/^name: .*$/m, '').replaceAll(', restart: true }', ' }');
    await writeFile(join(folder, basename(path)), text);
  }
  const copy = join(folder, basename(file));
  return ['docker-compose', '--project-name', project, '--project-directory', dirname(file), '--file', copy];
}

async function untilAnswering(daemon: ChildProcess, socket: string): Promise<void> {
  while (daemon.exitCode === null) {
    const { code } = await outcomeOf(docker, ['--host', socket, 'version']);
    if (code === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`dockerd exited with ${daemon.exitCode}.`);
}

/** Stops the engine with its containers and its containerd. */
async function stop(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null) return;
  daemon.kill('SIGTERM');
  await once(daemon, 'exit');
}
