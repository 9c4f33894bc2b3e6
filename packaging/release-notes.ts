// Prints the notes of a release for the forge: node packaging/release-notes.ts v0.1.0. Fails if package.json, CHANGELOG.md or
// docs/src/released-interface.json has another version, or if the Dockerfile does not pin its base image.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReleaseFiles, releaseNotes } from '../docs/src/release-notes.ts';

const root = join(import.meta.dirname, '..');

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const files: ReleaseFiles = {
  changelog: read('CHANGELOG.md'),
  packageVersion: (JSON.parse(read('package.json')) as { readonly version: string }).version,
  publicInterface: read('docs/compatibility.json'),
  releasedInterface: read('docs/src/released-interface.json'),
  dockerfile: read('Dockerfile'),
};

process.stdout.write(releaseNotes(process.argv[2] ?? '', files));
