// Writes docs/src/released-interface.json before a release. After the release, each difference requires an entry in the next section
// of CHANGELOG.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

function readJson(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Readonly<Record<string, unknown>>;
}

const { version } = readJson('package.json');
const text = JSON.stringify({ version, ...readJson('docs/compatibility.json') }, null, 2);
writeFileSync(join(root, 'docs/src/released-interface.json'), `${text}\n`);
