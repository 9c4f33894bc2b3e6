// Writes dist/sbom.cdx.json: the packages that users install, in the format of CycloneDX. The packages come from the lock file. Two
// runs on the same commit write the same file.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly devDependencies?: unknown;
}

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devDependencies?: unknown }>>;
}

interface Sbom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string };
}

const root = join(import.meta.dirname, '..');

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

/** Runs npm in a project without development dependencies. npm's --omit=dev also omits packages that such dependencies share. */
function sbomOfProduction(): Sbom {
  const temporary = mkdtempSync(join(tmpdir(), 'exporter-sbom-'));
  try {
    const { devDependencies: _, ...manifest } = readJson<Manifest>('package.json');
    // The name of the folder becomes the name of the project in the output of npm.
    const folder = join(temporary, manifest.name);
    mkdirSync(folder);
    const lock = readJson<LockFile>('package-lock.json');
    const packages = Object.entries(lock.packages)
      .filter(([, { dev }]) => dev !== true)
      .map(([path, { devDependencies: _dev, ...entry }]) => [path, entry]);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }),
    );
    const options = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
    const output = execFileSync('npm', ['sbom', ...options], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return JSON.parse(output) as Sbom;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

const { serialNumber: _number, metadata, ...sbom } = sbomOfProduction();
const { timestamp: _timestamp, ...constantMetadata } = metadata;
const text = JSON.stringify({ ...sbom, metadata: constantMetadata }, null, 2);
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${text}\n`);
