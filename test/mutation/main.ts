import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readYaml, repository } from '../fixtures/repository.ts';
import { randomSample } from './random-sample.ts';

// Mutates folders of src, and sandbox/src (`npm run mutation -- api sandbox`), and runs the tests in the folders of test with the same
// names. Lists the survivors, and writes the counts to the table in docs/project/testing.md. With names of files
// (`api/budget,envelope`), mutates only these files and does not change the table. `.` stands for the files directly in
// src. With `--lines=300`, mutates only 300 lines, which `--seed` chooses at random.

const packages = join(import.meta.dirname, 'node_modules');
const table = join(repository, 'docs/project/testing.md');

/**
 * Folders of src that are mutated without their inner folders, because the inner folders have separate rows. `.` is src
 * itself.
 */
const outerFolders: readonly string[] = ['.', 'pages', 'web'];

/** A mutation that changes no behaviour. */
interface Equivalent {
  readonly file: string;
  /** The trimmed line before the mutation. */
  readonly line: string;
  readonly replacement: string;
  readonly reason: string;
}

const equivalents = readYaml<readonly Equivalent[]>('test/mutation/equivalent.yml');
for (const { file, line } of equivalents) {
  const lines = readFileSync(join(repository, file), 'utf8').split('\n');
  if (!lines.some((text) => text.trim() === line)) throw new Error(`equivalent.yml: ${file} has no line ${line}`);
}

interface Mutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number } };
}

/**
 * A random sample of the lines of a folder. A mutation belongs to the sample if it begins and ends on one of these
 * lines.
 */
interface Sample {
  readonly lines: number;
  readonly seed: string;
}

interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status } = spawnSync(command, args, { cwd: repository, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

function currentCommit(): string {
  return spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repository, encoding: 'utf8' }).stdout.trim();
}

/** A random sample of the lines of these files, as ranges for Stryker. */
function sampledLines(paths: readonly string[], { lines, seed }: Sample): readonly string[] {
  const all = paths.flatMap((path) =>
    readFileSync(join(repository, path), 'utf8')
      .split('\n')
      .map((_, index) => `${path}:${index + 1}`),
  );
  return randomSample(all, lines, seed).map((line) => `${line}-${line.slice(line.lastIndexOf(':') + 1)}`);
}

function sourceOf(folder: string): string {
  return folder.split('/')[0] === 'sandbox' ? join('sandbox/src', folder.slice('sandbox'.length)) : join('src', folder);
}

function mutate(folder: string, files: string, sample: Sample | undefined): Report {
  const results = join(repository, '.mutation', folder);
  mkdirSync(results, { recursive: true });
  const report = join(results, 'report.json');
  const paths = files.split(',').map((file) => join(sourceOf(folder), `${file}.ts`));
  const options = {
    ...JSON.parse(readFileSync(join(import.meta.dirname, 'stryker.json'), 'utf8')),
    mutate: sample === undefined ? paths : sampledLines(globSync(paths, { cwd: repository }).sort(), sample),
    incrementalFile: join(
      results,
      sample === undefined ? 'incremental.json' : `lines-${sample.lines}-${sample.seed}.json`,
    ),
    tempDirName: join(results, 'sandbox'),
    jsonReporter: { fileName: report },
  };
  const optionsFile = join(results, 'stryker.json');
  writeFileSync(optionsFile, JSON.stringify(options));
  const stryker = join(packages, '@stryker-mutator/core/bin/stryker.js');
  run(process.execPath, [stryker, 'run', optionsFile], { ...process.env, MUTATION_FOLDER: folder });
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

function summarize(folder: string, commit: string, { files }: Report, sample: Sample | undefined): string {
  let killed = 0;
  let equivalent = 0;
  const survivors: string[] = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const { status, replacement, location, mutatorName } of mutants) {
      const line = (lines[location.start.line - 1] ?? '').trim();
      const isKnown = (known: Equivalent) =>
        known.file === file && known.line === line && known.replacement === replacement;
      if (status === 'Killed' || status === 'Timeout') killed += 1;
      else if (status !== 'Survived' && status !== 'NoCoverage') continue;
      else if (equivalents.some(isKnown)) equivalent += 1;
      else survivors.push(`${file}:${location.start.line} ${status} ${mutatorName}\n  - ${line}\n  + ${replacement}`);
    }
  }
  writeFileSync(join(repository, '.mutation', folder, 'survivors.txt'), `${survivors.join('\n')}\n`);
  const share = Math.floor((100 * killed) / Math.max(1, killed + survivors.length));
  const part = sample === undefined ? '' : `; only ${sample.lines} lines, chosen at random with seed ${sample.seed}`;
  const measured = `${new Date().toISOString().slice(0, 10)}, ${commit}${part}`;
  return `| \`${folder}\` | ${killed} | ${survivors.length} | ${equivalent} | ${share} % | ${measured} |`;
}

/** The lines of docs/project/testing.md, and the index of the folder's row. Throws if there is no such row. */
function findRow(folder: string): { readonly lines: readonly string[]; readonly index: number } {
  const lines = readFileSync(table, 'utf8').split('\n');
  const index = lines.findIndex((line) => line.startsWith(`| \`${folder}\` |`));
  if (index < 0) throw new Error(`docs/project/testing.md has no row for ${folder}; add one, or name files`);
  return { lines, index };
}

function writeRow(folder: string, row: string): void {
  const { lines, index } = findRow(folder);
  writeFileSync(table, lines.with(index, row).join('\n'));
}

const isFolder = (target: string) => existsSync(join(repository, sourceOf(target)));
const { positionals: targets, values } = parseArgs({
  allowPositionals: true,
  options: { lines: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const sample = values.lines === undefined ? undefined : { lines: Number(values.lines), seed: values.seed };
// Fails before the first run if a row is missing, because a run takes up to an hour.
for (const folder of targets.filter(isFolder)) findRow(folder);

if (!existsSync(packages)) run('npm', ['install', '--no-package-lock', '--prefix', import.meta.dirname]);
for (const target of targets) {
  const folder = isFolder(target) ? target : dirname(target);
  const allFiles = outerFolders.includes(folder) ? '*' : '**/*';
  const commit = currentCommit();
  const report = mutate(folder, isFolder(target) ? allFiles : basename(target), sample);
  const row = summarize(folder, commit, report, sample);
  if (isFolder(target)) writeRow(folder, row);
  process.stdout.write(`${row}\nSurvivors: ${join('.mutation', folder, 'survivors.txt')}\n`);
}
