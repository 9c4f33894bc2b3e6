import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inFolder } from '../rules/run-tool.ts';
import { run } from './command.ts';
import type { Engine } from './engine.ts';

/**
 * Copies a Dockerfile without the digest of its base image, because a substitute has another digest. Returns the tag of
 * the base.
 */
export async function copyWithoutDigest(dockerfile: string, copy: string): Promise<string> {
  const text = (await readFile(dockerfile, 'utf8')).replace(/^(ARG BASE=[^@\s]+)@\S+$/m, '$1');
  const [, tag] = /^ARG BASE=(\S+)$/m.exec(text) ?? [];
  if (tag === undefined) throw new Error(`${dockerfile} has no line "ARG BASE=...".`);
  await writeFile(copy, text);
  return tag;
}

/**
 * Creates an image in place of one from Docker Hub, with the same tag: Debian from debootstrap, extended by `fill`. The
 * engine then needs no access to an image registry.
 */
async function importDebian(
  engine: Engine,
  tag: string,
  { suite, packages, changes = [] }: Debian,
  fill: (root: string) => Promise<void>,
): Promise<void> {
  await inFolder([], async (folder) => {
    const root = join(folder, 'root');
    await run('debootstrap', ['--variant=minbase', `--include=${packages.join(',')}`, suite, root]);
    for (const leftover of ['var/cache/apt', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man']) {
      await rm(join(root, leftover), { recursive: true, force: true });
    }
    await fill(root);
    const archive = join(folder, 'root.tar');
    await run('tar', ['--create', '--file', archive, '--directory', root, '--numeric-owner', '.']);
    await engine.docker('import', ...changes.flatMap((change) => ['--change', change]), archive, tag);
  });
}

interface Debian {
  readonly suite: string;
  readonly packages: readonly string[];
  /** Dockerfile instructions. */
  readonly changes?: readonly string[];
}

/** Replaces `node:...-slim` by the Node.js and npm of this machine on a minimal Debian. */
export async function importNode(engine: Engine, tag: string): Promise<void> {
  const npmProgram = (await run('sh', ['-c', 'readlink -f "$(command -v npm)"'])).trim();
  await importDebian(
    engine,
    tag,
    { suite: 'trixie', packages: ['libstdc++6'], changes: ['ENV PATH=/usr/local/bin:/usr/bin:/bin', 'CMD ["node"]'] },
    async (root) => {
      await cp(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true });
      await cp(join(npmProgram, '../..'), join(root, 'usr/local/lib/node_modules/npm'), {
        recursive: true,
        dereference: true,
      });
      await run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm')]);
    },
  );
}

/**
 * Replaces the images of Prometheus and Alertmanager by Debian's packages, with the same paths and entry points. Debian
 * has no Grafana. The replacement for Grafana only reads the files that Grafana needs, as the same user, and fails if
 * it cannot.
 */
export async function importPrometheus(engine: Engine, tags: PrometheusTags): Promise<void> {
  await importDebian(
    engine,
    'debian-prometheus',
    { suite: 'trixie', packages: ['prometheus', 'prometheus-alertmanager'] },
    async (root) => {
      for (const name of ['prometheus', 'alertmanager']) {
        await rm(join(root, 'etc', name), { recursive: true, force: true });
        await mkdir(join(root, 'etc', name));
        await mkdir(join(root, name));
        await run('chown', ['65534:65534', join(root, name)]);
      }
      await run('ln', ['-sf', 'prometheus-alertmanager', join(root, 'usr/bin/alertmanager')]);
    },
  );
  const { grafana, ...programs } = tags;
  const readFiles =
    'cat $GF_SECURITY_ADMIN_PASSWORD__FILE $GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH /settings/dashboards/*';
  await buildFrom(engine, grafana, [
    'FROM debian-prometheus',
    'USER 472',
    `ENTRYPOINT ["/bin/sh", "-ec", "${readFiles} > /dev/null; exec sleep infinity"]`,
  ]);
  for (const [name, tag] of Object.entries(programs)) {
    await buildFrom(engine, tag, [
      'FROM debian-prometheus',
      'USER 65534',
      `WORKDIR /${name}`,
      `VOLUME ["/${name}"]`,
      `ENTRYPOINT ["/usr/bin/${name}"]`,
    ]);
  }
}

/** Tags of the images. */
export interface PrometheusTags {
  readonly prometheus: string;
  readonly alertmanager: string;
  readonly grafana: string;
}

/** systemd passes credentials through a shared mount. In a container, mounts are private by default. */
const startSystemd = ['sh', '-c', 'mount --make-rshared / && exec /lib/systemd/systemd'];

/** A machine with systemd and the program, installed as in docs/installation.md. */
export async function importSystemd(engine: Engine, tag: string, repository: string): Promise<void> {
  await inFolder([], async (folder) => {
    const packed = await run('npm', ['run', '--silent', 'tarball', '--', `--destination=${folder}`], {
      cwd: repository,
    });
    await importDebian(
      engine,
      tag,
      { suite: 'bookworm', packages: ['systemd', 'libstdc++6'], changes: [`CMD ${JSON.stringify(startSystemd)}`] },
      async (root) => {
        await cp(process.execPath, join(root, 'usr/bin/node'), { dereference: true });
        const prefix = join(root, 'opt/hosting-account-exporter');
        await run('npm', ['install', '--global', '--prefix', prefix, resolve(repository, packed.trim())], {
          cwd: folder,
        });
        await cp(join(repository, 'deploy/systemd'), join(root, 'etc/systemd/system'), { recursive: true });
      },
    );
  });
}

async function buildFrom(engine: Engine, tag: string, lines: readonly string[]): Promise<void> {
  await inFolder([], async (folder) => {
    await writeFile(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
    await engine.docker('build', '--network', 'host', '--tag', tag, folder);
  });
}

/**
 * Writes an npmrc for a build secret. It contains the registry of this machine and the additional certificates that
 * Node.js trusts here.
 */
export async function writeNpmSettings(folder: string): Promise<string> {
  const registry = (await run('npm', ['config', 'get', 'registry'])).trim();
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  const lines = [`registry=${registry}`];
  if (certificates !== undefined) lines.push(`ca=${JSON.stringify(await readFile(certificates, 'utf8'))}`);
  const file = join(folder, 'npmrc');
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  return file;
}
