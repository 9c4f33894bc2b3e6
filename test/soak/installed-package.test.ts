import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { listening } from '../fixtures/program.ts';
import { npm, packTarball } from '../fixtures/tarball.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

describe('npm install of the tarball', () => {
  const cleanups = new Cleanups();
  let installed: string;

  beforeAll(() => {
    const tarball = packTarball(cleanups);
    installed = temporaryFolder(cleanups);
    writeFileSync(join(installed, 'package.json'), '{}');
    // Installs offline and without a cache, because the tarball contains all packages.
    const offline = ['--offline', `--cache=${temporaryFolder(cleanups)}`];
    npm(installed, 'install', '--omit=dev', ...offline, '--no-audit', '--no-fund', tarball);
  });

  afterAll(cleanups.end);

  it('installs a program that runs with npm exec', () => {
    const version = npm(installed, 'exec', '--offline', '--', 'hosting-account-exporter', '--version');

    expect(version).toMatch(/^hosting-account-exporter \d+\.\d+\.\d+ \(\S+\)\n$/);
  });

  it('installs a program that runs the demo', async () => {
    const command = join(installed, 'node_modules/.bin/hosting-account-exporter');
    const demo = new Process(cleanups, command, ['demo', '--web.listen-address=127.0.0.1:0'], { folder: installed });
    const exporter = await listening(demo);

    await until('the first values', async () => (await exporter.page()).includes('hosting_account_disk_usage_bytes{'));

    expect(await demo.stop()).toEqual({ code: 0, signal: null });
  });
});
