import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { shop } from '../../sandbox/src/accounts/shop.ts';
import { until } from '../fixtures/waiting.ts';
import { type Engine, startEngine } from './engine.ts';
import { baseImage, image, revision, secondImage } from './image.ts';

let engine: Engine;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exporter-image-test-'));
  engine = await startEngine(inject('dataFolder'), 'isolated');
  await writeFile(
    join(folder, 'config.yml'),
    `api: { base_url: "http://127.0.0.1:10381/api" }\naccounts: [{ name: shop, login: shop, password_file: /run/secrets/shop }]\n`,
  );
  await chmod(join(folder, 'config.yml'), 0o444);
});

afterAll(async () => {
  await engine?.docker('container', 'prune', '--force');
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The restrictions that the documentation recommends. */
const restricted = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'];

function start(name: string, ...args: readonly string[]): Promise<string> {
  return engine.docker('run', '--detach', '--name', name, ...restricted, '--network=host', ...args);
}

describe('image', () => {
  test('adds less than 15 MB to its base', async () => {
    const sizeOf = async (tag: string) => Number(await engine.docker('inspect', '--format', '{{.Size}}', tag));
    const [base, bytes] = [await sizeOf(baseImage), await sizeOf(image)];
    // The base contains npm, but the image does not.
    const npm = Number.parseInt(
      await engine.docker('run', '--rm', '--entrypoint=du', baseImage, '-sb', '/usr/local/lib/node_modules'),
      10,
    );

    process.stdout.write(`size of the base: ${base} bytes, of them npm: ${npm}, of the image: ${bytes}\n`);
    expect(bytes - (base - npm)).toBeLessThan(15e6);
  });

  test('has labels for version, revision and time', async () => {
    const labels = JSON.parse(await engine.docker('inspect', '--format', '{{json .Config.Labels}}', image));

    expect(labels).toMatchObject({
      'org.opencontainers.image.version': packageJson.version,
      'org.opencontainers.image.revision': revision,
      'org.opencontainers.image.created': '2026-01-02T03:04:05Z',
    });
  });

  test('contains the program and its dependencies, but no build tools', async () => {
    const files = await engine.docker(
      ...['run', '--rm', '--network=none', '--user=0', '--entrypoint=find', image],
      ...['/', '-xdev', '-not', '-path', '/proc/*', '-not', '-path', '/sys/*'],
    );
    const paths = files.split('\n');
    const topOf = (prefix: string) => new Set(paths.filter((path) => path.startsWith(prefix)));

    expect(topOf('/app/dist/')).toContain('/app/dist/main.js');
    for (const name of Object.keys(packageJson.dependencies)) expect(paths).toContain(`/app/node_modules/${name}`);
    for (const name of Object.keys(packageJson.devDependencies)) {
      expect(paths).not.toContain(`/app/node_modules/${name}`);
    }
    for (const path of ['/app/src', '/app/test', '/app/.git', '/root/.npm', '/root/.npmrc', '/usr/local/bin/npm']) {
      expect(paths).not.toContain(path);
    }
  });

  test('contains the licences, but no types, maps or tests of dependencies', async () => {
    const find = ['run', '--rm', '--network=none', '--user=0', '--entrypoint=find', image, '/app'];
    const paths = (await engine.docker(...find)).split('\n');

    expect(paths).toEqual(
      expect.arrayContaining(['/app/LICENSE', '/app/THIRD-PARTY.md', '/app/node_modules/zod/LICENSE']),
    );
    expect(paths.filter((path) => /\.(?:[mc]?ts|map)$|(?<!alerts)\/tests?\//.test(path))).toEqual([]);
  });

  test('is bit-identical in a second build', async () => {
    const version = await engine.docker('version', '--format', '{{.Server.Version}}');
    // BuildKit before Docker 23 ignores SOURCE_DATE_EPOCH and writes the time of the build into the image. The identity
    // omits this time.
    const identity = Number.parseInt(version, 10) < 23 ? '{{json .RootFS.Layers}}{{json .Config}}' : '{{.Id}}';
    const identityOf = (tag: string) => engine.docker('inspect', '--format', identity, tag);

    expect(await identityOf(secondImage)).toBe(await identityOf(image));
  });

  test('contains no settings of the build machine', async () => {
    const history = await engine.docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', image);

    expect(history).not.toMatch(/registry|_authToken|BEGIN CERTIFICATE/);
  });

  test('prints its help, its version and its revision', async () => {
    const help = await engine.docker('run', '--rm', ...restricted, '--network=none', image, '--help');
    const version = await engine.docker('run', '--rm', ...restricted, '--network=none', image, '--version');

    expect(help).toContain('--config.file');
    expect(version).toBe(`hosting-account-exporter ${packageJson.version} (${revision})\n`);
  });
});

describe('container', () => {
  test('polls an account from a mounted configuration and a secret file, and stops gracefully', async () => {
    await start('sandbox', image, 'sandbox');
    await engine.pageOf('http://127.0.0.1:10381/sandbox');
    await writeFile(join(folder, 'password'), `${shop.password}\n`, { mode: 0o400 });
    await chown(join(folder, 'password'), 65_532, 65_532);
    await start(
      'exporter',
      ...['--volume', `${folder}/config.yml:/etc/hosting-account-exporter/config.yml:ro`],
      ...['--volume', `${folder}/password:/run/secrets/shop:ro`],
      ...['--health-interval=1s', '--health-start-period=0s'],
      ...[image, '--config.file=/etc/hosting-account-exporter/config.yml'],
    );

    const ready = await engine.pageOf('http://127.0.0.1:10380/-/ready');
    await untilHealth('exporter', 'healthy');
    const page = await engine.inNetwork('curl', '-sSf', 'http://127.0.0.1:10380/metrics');
    const user = await engine.docker('exec', 'exporter', 'id', '-u');
    const first = await engine.docker('exec', 'exporter', 'cat', '/proc/1/cmdline');
    await engine.docker('stop', '--time', '10', 'exporter');
    const state = JSON.parse(await engine.docker('inspect', '--format', '{{json .State}}', 'exporter')) as State;

    expect(ready).toBe('ready\n');
    expect(page).toContain('hosting_up{account="shop"} 1\n');
    expect(page).toMatch(/^hosting_account_disk_usage_bytes\{account="shop"\} \d+$/m);
    expect(page).toContain(`version="${packageJson.version}",revision="${revision}"`);
    expect(user).toBe('65532\n');
    expect(first).toBe('node\0/app/dist/main.js\0--config.file=/etc/hosting-account-exporter/config.yml\0');
    // After SIGKILL, the exit code would be 137.
    expect(state).toMatchObject({ ExitCode: 0, OOMKilled: false });
  });

  test('reads one account from the environment, and is healthy on another port', async () => {
    await start(
      'environment',
      ...['--env', 'HOSTING_BASE_URL=http://127.0.0.1:10381/api', '--env', 'HOSTING_LOGIN=shop'],
      ...['--env', 'HOSTING_PASSWORD_FILE=/run/secrets/shop', '--volume', `${folder}/password:/run/secrets/shop:ro`],
      ...['--health-interval=1s', '--health-start-period=0s'],
      ...[image, '--web.listen-address=127.0.0.1:10390'],
    );

    await engine.pageOf('http://127.0.0.1:10390/-/ready');
    await untilHealth('environment', 'healthy');
    const page = await engine.inNetwork('curl', '-sSf', 'http://127.0.0.1:10390/metrics');
    await engine.docker('stop', '--time', '10', 'environment');

    expect(page).toContain('hosting_up{account="shop"} 1\n');
  });

  test('becomes unhealthy if the exporter does not answer', async () => {
    await start(
      ...(['elsewhere', '--health-interval=1s', '--health-start-period=0s', '--health-retries=1'] as const),
      ...[image, 'sandbox', '--port=10391'],
    );

    await untilHealth('elsewhere', 'unhealthy');
    await engine.docker('stop', '--time', '10', 'elsewhere');
  });
});

interface State {
  readonly ExitCode: number;
}

function untilHealth(name: string, status: string): Promise<true> {
  const inspect = () => engine.docker('inspect', '--format', '{{.State.Health.Status}}', name);
  return until(`${name} is ${status}`, async () => (await inspect()).trim() === status);
}
