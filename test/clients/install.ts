import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../fixtures/repository.ts';
import { type PythonClient, pythonClients } from './versions.ts';

const cache = join(repository, 'node_modules/.cache/clients');

/** The interpreter of a client's virtual environment. */
export function pythonOf(client: PythonClient): string {
  return join(cache, client, 'bin/python');
}

export const legoDriver = join(cache, 'lego-driver');

function requireProgram(program: string, args: readonly string[], advice: string): void {
  const { status } = spawnSync(program, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`npm run test:clients needs ${advice}`);
}

/** Installs each missing client into a separate folder below node_modules/.cache. */
export function setup(): void {
  const newEnough = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  requireProgram('python3', ['-c', newEnough], 'Python 3.11 or newer with venv as python3 (Debian: python3-venv)');
  requireProgram('go', ['version'], 'Go 1.25 or newer as go (Debian: golang-go)');
  mkdirSync(cache, { recursive: true });
  const python = execFileSync('python3', ['--version'], { encoding: 'utf8' }).trim();
  for (const [client, requirements] of Object.entries(pythonClients)) {
    const folder = join(cache, client);
    const installed = join(folder, 'installed.txt');
    const wanted = [python, ...requirements].join('\n');
    if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) continue;
    rmSync(folder, { recursive: true, force: true });
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements];
    execFileSync(join(folder, 'bin/python'), pip, { stdio: 'inherit' });
    writeFileSync(installed, wanted);
  }
  const lego = join(import.meta.dirname, 'lego');
  execFileSync('go', ['build', '-mod=readonly', '-o', legoDriver, '.'], { cwd: lego, stdio: 'inherit' });
}
