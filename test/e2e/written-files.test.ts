import { cpSync, globSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { mainFile, sandboxSettings, writeSettings } from '../fixtures/program.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const cleanups = new Cleanups();
afterAll(cleanups.end);

let installed: Awaited<ReturnType<typeof install>>;
beforeAll(async () => {
  installed = await install();
});

/** A copy of the built program, with separate folders for all places to which programs usually write. */
async function install() {
  const folder = temporaryFolder(cleanups);
  const isProgram = (source: string) => !source.endsWith('compile-cache');
  cpSync(dirname(mainFile), join(folder, 'program/dist'), { recursive: true, filter: isProgram });
  cpSync(join(repository, 'package.json'), join(folder, 'program/package.json'));
  for (const name of ['alerts', 'node_modules']) symlinkSync(join(repository, name), join(folder, 'program', name));
  for (const name of ['home', 'tmp', 'work', 'state', 'output']) mkdirSync(join(folder, name));
  const sandbox = await openSandbox({}, cleanups);
  const settings = writeSettings(cleanups, sandboxSettings(sandbox, ['shop']));
  const environment = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), NODE_COMPILE_CACHE: '' };
  return {
    output: join(folder, 'output'),
    settings: `--config.file=${settings}`,
    run: (argv: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
      new Process(cleanups, process.execPath, [join(folder, 'program/dist/main.js'), ...argv], {
        folder: join(folder, 'work'),
        environment: { ...environment, ...variables },
      }),
    state: { STATE_DIRECTORY: join(folder, 'state') },
    removeState: () => rmSync(join(folder, 'state'), { recursive: true }),
    /** All files except the copy of the program. */
    files: () =>
      globSync('**', { cwd: folder, withFileTypes: true, exclude: ['program/node_modules/**'] })
        .filter((entry) => !entry.isDirectory() && !entry.isSymbolicLink())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
        .filter((name) => !name.startsWith('program/') || name.includes('compile-cache')),
  };
}

/** The patterns of file names that docs/security.md lists for `serve`. */
function documentedFiles(): readonly string[] {
  const [, files = ''] = /^\| `serve` with [^|]*\|(.*)\|$/m.exec(readText('docs/security.md')) ?? [];
  return [...files.matchAll(/`([^`-][^`]*)`/g)].map(([, pattern = '']) => pattern);
}

const isCache = (name: string) => name.startsWith('program/dist/compile-cache/');

function matches(name: string, pattern: string): boolean {
  return new RegExp(`^state/${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(?:\\.[^/]+)?$`).test(name);
}

it('a server writes exactly the files that docs/security.md lists', async () => {
  const { settings, state, run, files } = installed;
  const seen = new Set<string>();

  for (const shard of [[], ['--shard=1/1']]) {
    const server = run([settings, '--web.listen-address=127.0.0.1:0', ...shard], state);
    const [, url = ''] = await server.printed(/metrics=(http:\/\/[^/]+)/);
    await until('ready', async () => (await fetch(`${url}/-/ready`)).ok);
    for (const name of files()) seen.add(name);
    await server.stop();
    for (const name of files()) seen.add(name);
  }

  const documented = documentedFiles();
  const names = [...seen].filter((name) => !isCache(name));
  expect(documented).toHaveLength(3);
  expect(names.filter((name) => !documented.some((pattern) => matches(name, pattern)))).toEqual([]);
  expect(documented.filter((pattern) => !names.some((name) => matches(name, pattern)))).toEqual([]);
  expect([...seen].some(isCache)).toBe(true);
});

it('other commands write only to the paths of their flags', async () => {
  const { settings, output, run, files, removeState } = installed;
  removeState();
  const commands = [
    ['once', settings, `--output=${output}/once`],
    ['history', settings, `--output=${output}/history`],
    ['rules', `--output=${output}/rules`],
    ['check', settings, `--record=${output}/recording`],
  ];

  for (const argv of commands) await run(argv).exit;
  const demo = run(['demo', '--port=0', '--accounts=3', `--history.output=${output}/demo`]);
  await demo.printed(/The demo is running/);
  await demo.stop();

  const names = files().filter((name) => !isCache(name));
  expect(new Set(names.map((name) => name.split('/', 2).join('/')))).toEqual(
    new Set(['output/once', 'output/history', 'output/rules', 'output/recording', 'output/demo']),
  );
});
