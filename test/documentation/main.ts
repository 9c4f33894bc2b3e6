// Runs the command blocks of the README and of pages of docs as a reader would. Each block starts in the folder in
// which the previous block ended. `git clone` clones this checkout, at its last commit. The provider of the examples is
// the sandbox.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { readText, repository } from '../fixtures/repository.ts';
import { readSteps, type Step } from './page-commands.ts';
import { firstPages, laterPages, otherPages } from './pages.ts';
import { startProvider } from './provider.ts';

const given = process.argv.slice(2);
const pages = given.length > 0 ? given : [...firstPages, ...laterPages];

const folder = mkdtempSync(join(tmpdir(), 'exporter-documentation-'));
const provider = await startProvider(folder);
const remote = packageJson.repository.url.replace(/^git\+|\.git$/g, '');
const environment = {
  PATH: `${folder}/bin:${process.env['PATH']}`,
  // Settings and cache of npm are those of the user. Everything else stays in the temporary folder.
  HOME: folder,
  NPM_CONFIG_USERCONFIG: join(homedir(), '.npmrc'),
  NPM_CONFIG_CACHE: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
  ...provider.environment,
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: `url.${repository}.insteadOf`,
  GIT_CONFIG_VALUE_0: `${remote}.git`,
};

mkdirSync(join(folder, 'bin'));
writeFileSync(
  join(folder, 'bin/hosting-account-exporter'),
  `#!/bin/sh\nexec "${process.execPath}" ${repository}/src/main.ts "$@"\n`,
  { mode: 0o755 },
);

const skipped = Object.entries(otherPages).map(([page, reason]) => `  ${page}: ${reason}\n`);
let failed = false;
for (const page of pages) {
  if (!(await runPage(page))) failed = true;
}
process.stdout.write(`\nBlocks that were not run:\n${skipped.join('')}`);
await provider.close();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;

/** Stops at the first failure, because the following blocks depend on it. Returns whether all blocks succeeded. */
async function runPage(page: string): Promise<boolean> {
  const state = join(folder, `${page.replaceAll('/', '-')}.directory`);
  const empty = join(folder, page.replaceAll('/', '-'));
  mkdirSync(empty);
  if (laterPages.includes(page)) prepareClone(empty);
  writeFileSync(state, empty);
  for (const step of readSteps(readText(page))) {
    const directory = readFileSync(state, 'utf8').trim();
    const title = `${page}:${step.line}`;
    if (step.kind === 'skip') {
      skipped.push(`  ${title}: ${step.reason}\n`);
    } else if (step.kind === 'file') {
      writeFileSync(join(directory, step.name), step.content);
      process.stdout.write(`ok ${title}: wrote ${step.name}\n`);
    } else {
      const problem = await runCommands(step, directory, state);
      process.stdout.write(`${problem === undefined ? 'ok' : 'FAILED'} ${title}: ${step.commands}\n${problem ?? ''}`);
      if (problem !== undefined) return false;
    }
  }
  return true;
}

/** A clone with installed packages and the configuration of docs/getting-started.md. */
function prepareClone(directory: string): void {
  execFileSync('git', ['clone', '--quiet', repository, directory]);
  symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'shop.password'), 'secret\n', { mode: 0o600 });
  const account = { name: 'shop', login: 'u12345', password_file: 'shop.password' };
  const settings = { api: { base_url: 'https://api.example.com/api' }, accounts: [account] };
  writeFileSync(join(directory, 'config.yml'), JSON.stringify(settings));
}

/** Runs a block. Returns the reason and the output if it failed; undefined if it succeeded. */
function runCommands(
  step: Extract<Step, { readonly kind: 'run' | 'until' }>,
  directory: string,
  state: string,
): Promise<string | undefined> {
  const script = `set -e\ntrap 'pwd > "$STATE"' EXIT\n${step.commands}\n`;
  return new Promise((resolve) => {
    // As in a terminal, a separate process group receives Ctrl-C.
    const child = spawn('bash', ['-c', script], {
      cwd: directory,
      env: { ...environment, STATE: state },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let found = step.kind === 'run';
    const read = (chunk: string) => {
      output += chunk;
      if (found || step.kind === 'run' || !output.includes(step.text)) return;
      found = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.on('close', (code, signal) => {
      const expected = found && (step.kind === 'until' || code === 0);
      resolve(expected ? undefined : `ended with ${code ?? signal}:\n${output}\n`);
    });
  });
}
