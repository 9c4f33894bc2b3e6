import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { testOnlyExports } from '../../size/exports.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

it('finds exports that only tests import', async () => {
  const folder = temporaryFolder(cleanups);
  const files = {
    'package.json': '{ "name": "fixture", "type": "module" }',
    'knip.json': JSON.stringify({
      entry: ['src/worker.ts', 'test/*.test.ts'],
      project: ['src/**/*.ts', 'test/**/*.ts', 'bench/*.ts'],
      ignoreExportsUsedInFile: true,
    }),
    'src/main.ts': "import { used } from './code.ts';\nused();\n",
    'src/worker.ts': "import { ofWorker } from './code.ts';\nofWorker();\n",
    'src/code.ts': `export function used() { return [alsoInFile, unimported]; }
export const ofWorker = () => {};
export const ofBench = 1;
export const tested = 1;
export const alsoInFile = 1;
export const unimported = 1;
export type Tested = 1;
`,
    'src/tested-only.ts': 'export const a = 1;\nexport const b = 2;\n',
    'bench/main.ts': "import { ofBench } from '../src/code.ts';\nofBench;\n",
    'test/fixture.ts': 'export const unused = 1;\n',
    'test/code.test.ts': `import { alsoInFile, ofBench, ofWorker, type Tested, tested, used } from '../src/code.ts';
import { a } from '../src/tested-only.ts';
export const all: unknown[] = [alsoInFile, ofBench, ofWorker, tested as Tested, used, a];
`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  const found = await testOnlyExports(cleanups, folder);

  expect(found.toSorted()).toEqual([
    'src/code.ts:4 tested',
    'src/code.ts:5 alsoInFile',
    'src/code.ts:7 Tested',
    'src/tested-only.ts',
  ]);
});
