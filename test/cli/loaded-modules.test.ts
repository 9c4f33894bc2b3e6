import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const root = pathToFileURL(repository).href;

/** Files below src and sandbox/src, and names of packages, that a command has loaded when it exits. It is stopped when it prints `until`. */
async function loadedBy(args: readonly string[], until?: string): Promise<readonly string[]> {
  const list = join(temporaryFolder(), 'modules.json');
  const hook = join(repository, 'test/fixtures/module-list.ts');
  const child = spawn(process.execPath, ['--import', hook, join(repository, 'src/main.ts'), ...args], {
    env: { ...process.env, MODULE_LIST: list },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (until !== undefined && text.includes(until)) child.kill();
  });
  expect(await once(child, 'exit')).toEqual([0, null]);
  const urls = JSON.parse(readFileSync(list, 'utf8')) as readonly string[];
  const names = urls.map(
    (url) =>
      /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
      /^\/((?:sandbox\/)?src\/.+)$/.exec(url.replace(root, ''))?.[1],
  );
  return [...new Set(names.filter((name) => name !== undefined))];
}

describe('the modules that are loaded', () => {
  it.each([['--help'], ['--version']])('by %s are those that read the command line', async (flag) => {
    const loaded = await loadedBy([flag]);

    expect(loaded.filter((name) => !name.startsWith('src/'))).toEqual(['commander', 'fastest-levenshtein']);
    expect(loaded).toContain('src/cli/run.ts');
    expect(loaded.filter((name) => /^src\/(?!cli|config\/values)[^/]+\//.test(name))).toEqual([]);
  });

  it('by serve contain neither the sandbox nor the generator of rules nor other commands', async () => {
    const file = join(temporaryFolder(), 'config.yml');
    const account = { name: 'shop', login: 'u1', password: 'secret-of-shop' };
    const settings = { api: { base_url: 'http://127.0.0.1:9/api' }, web: { listen_address: '127.0.0.1:0' } };
    writeFileSync(file, JSON.stringify({ ...settings, accounts: [account] }), { mode: 0o600 });

    const loaded = await loadedBy([`--config.file=${file}`], 'msg=started');

    expect(loaded).toContain('src/polling/account.ts');
    expect(loaded.filter((name) => name.startsWith('sandbox/src/') || name.startsWith('src/cli/check/'))).toEqual([]);
    // The configuration needs the names and units of the thresholds that an account overrides. The pages need their languages and the end
    // of PHP branches.
    const used = ['src/rules/languages.ts', 'src/rules/php-support.ts', 'src/rules/thresholds.ts'];
    expect(loaded.filter((name) => name.startsWith('src/rules/')).toSorted()).toEqual(used);
    expect(
      loaded.filter((name) => /^src\/cli\/(?:once|check|report|history|rules|sandbox|demo|hash-password)/.test(name)),
    ).toEqual([]);
  });
});

it('SIGUSR1 does not open the debugger, which could read all secrets', async () => {
  const program = join(repository, 'src/main.ts');
  const child = spawn(process.execPath, [program, 'sandbox', '--port=0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  await once(child.stdout, 'data');

  child.kill('SIGUSR1');
  await new Promise((resolve) => setTimeout(resolve, 500));
  child.kill('SIGTERM');

  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(stderr).not.toContain('Debugger');
});
