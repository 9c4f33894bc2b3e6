import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { engine } from './world.ts';

/** Compiles the engine. The first time takes some minutes. */
export function setup(): void {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error('npm run test:lives needs Go 1.26 or newer as go');
  }
  const folder = join(import.meta.dirname, 'engine');
  execFileSync('go', ['build', '-mod=readonly', '-o', engine, '.'], { cwd: folder, stdio: 'inherit' });
}
