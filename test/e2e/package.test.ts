import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { listening } from '../fixtures/program.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

/** Milliseconds; npm downloads the dependencies that are not in its cache. */
const timeout = 300_000;

const root = resolve(import.meta.dirname, '../..');

/** Runs npm with the settings of the user. Throws if npm fails. */
function npm(folder: string, ...argv: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', argv, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${argv.join(' ')}: ${status}\n${stderr}`);
  return stdout;
}

/** Files that users need: the program, alert rules and dashboards. */
const needed = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/revision$/,
  /^dist\/(?:[a-z-]+\/)*[a-z-]+\.js$/,
  /^alerts\/[a-z.-]+\.yml$/,
  /^dashboards\/[a-z-]+\.json$/,
];

describe('the package', { timeout }, () => {
  const cleanups = new Cleanups();
  let files: readonly string[];
  let installed: string;

  beforeAll(() => {
    const folder = temporaryFolder(cleanups);
    // Without scripts: they would rebuild the files that other tests run.
    const packed = npm(root, 'pack', '--ignore-scripts', '--json', `--pack-destination=${folder}`);
    const report: unknown = JSON.parse(packed);
    const [entry] = Object.values(report as Record<string, { readonly files: readonly { readonly path: string }[] }>);
    files = (entry?.files ?? []).map(({ path }) => path);
    const [tarball = ''] = readdirSync(folder);
    installed = temporaryFolder(cleanups);
    npm(installed, 'init', '--yes');
    npm(installed, 'install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball));
  }, timeout);

  afterAll(cleanups.end);

  it('contains what users need, and nothing else', () => {
    const unneeded = files.filter((file) => !needed.some((pattern) => pattern.test(file)));

    expect(unneeded).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining(['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/main.js', 'dist/revision']),
    );
  });

  it('installs without development dependencies', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly devDependencies: Record<string, string>;
    };

    const present = Object.keys(devDependencies).filter((name) => existsSync(join(installed, 'node_modules', name)));

    expect(present).toEqual([]);
  });

  it('runs with npm exec', () => {
    const version = npm(installed, 'exec', '--offline', '--', 'hosting-account-exporter', '--version');

    expect(version).toMatch(/^hosting-account-exporter \d+\.\d+\.\d+ \(\S+\)\n$/);
  });

  it('runs the demo', async () => {
    const command = join(installed, 'node_modules/.bin/hosting-account-exporter');
    const demo = new Process(cleanups, command, ['demo', '--web.listen-address=127.0.0.1:0'], { folder: installed });
    const exporter = await listening(demo);

    await until('the first values', async () => (await exporter.page()).includes('hosting_account_disk_usage_bytes{'));

    expect(await demo.stop()).toEqual({ code: 0, signal: null });
  });
});
