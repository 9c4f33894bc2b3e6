import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cleanups } from '../fixtures/cleanups.ts';
import { repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** The fields of knip.json that this tool reads. */
interface KnipConfig {
  readonly entry: readonly string[];
  readonly project: readonly string[];
}

const kinds = ['exports', 'types', 'nsExports', 'nsTypes', 'enumMembers'] as const;

type Kind = (typeof kinds)[number];

interface KnipReport {
  readonly issues: readonly (Readonly<Record<Kind, readonly { readonly name: string; readonly line: number }[]>> & {
    readonly file: string;
    /** Contains the file itself if nothing imports it. */
    readonly files: readonly unknown[];
  })[];
}

/**
 * The exports of `src` that only files in `test` import, as `file:line name`. A file that only tests import is listed
 * once, with its path. An export counts even if its own file uses it. `folder` contains knip.json.
 */
export async function testOnlyExports(cleanups: Cleanups, folder: string): Promise<readonly string[]> {
  const knip = JSON.parse(readFileSync(join(folder, 'knip.json'), 'utf8')) as KnipConfig;
  const entry = knip.entry.filter((path) => !path.startsWith('test/'));
  const project = knip.project.filter((path) => !path.startsWith('test/'));
  // An import by generators, benchmarks or dashboards counts as a use.
  const importing = project.filter((path) => !path.startsWith('src/'));
  const production = {
    entry: ['src/main.ts', ...entry, ...importing].map((path) => `${path}!`),
    project: project.map((path) => `${path}!`),
  };
  const [unusedByProgram, unused] = await Promise.all([
    unusedExports(cleanups, folder, production, ['--production']),
    unusedExports(cleanups, folder, knip, []),
  ]);
  return unusedByProgram.filter((name) => name.startsWith('src/') && !unused.includes(name));
}

/** The exports that no file of the project imports. */
async function unusedExports(
  cleanups: Cleanups,
  folder: string,
  config: object,
  flags: readonly string[],
): Promise<readonly string[]> {
  const file = join(temporaryFolder(cleanups), 'knip.json');
  writeFileSync(file, JSON.stringify({ ...config, ignoreExportsUsedInFile: false }));
  const knip = join(repository, 'node_modules/knip/bin/knip.js');
  const args = [knip, '--config', file, '--directory', folder, '--include', ['files', ...kinds].join(), ...flags];
  const { issues } = JSON.parse(await run([...args, '--reporter', 'json', '--no-exit-code'])) as KnipReport;
  return issues.flatMap(({ file: path, files, ...issue }) => [
    ...files.map(() => path),
    ...kinds.flatMap((kind) => issue[kind].map(({ name, line }) => `${path}:${line} ${name}`)),
  ]);
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}
