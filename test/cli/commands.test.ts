import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { sandboxSettings, writeSettings } from '../fixtures/program.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Runs a command in this process, with an empty environment. */
async function runCommand(argv: readonly string[]) {
  const context = recordedContext();
  const code = await run(argv, context);
  return { code, ...context.printed };
}

describe('rules', () => {
  it('writes files that Prometheus can read, regardless of the umask', async () => {
    const output = join(temporaryFolder(cleanups), 'alerts');
    const umask = process.umask(0o077);
    onTestFinished(() => void process.umask(umask));

    await runCommand(['rules', `--output=${output}`]);

    expect(statSync(output).mode & 0o777).toBe(0o755);
    expect(statSync(join(output, 'hosting.rules.yml')).mode & 0o777).toBe(0o644);
    expect(process.umask()).toBe(0o077);
  });

  it('reports a directory that it cannot create', async () => {
    const file = join(temporaryFolder(cleanups), 'file');
    writeFileSync(file, '');

    const { code, stderr } = await runCommand(['rules', `--output=${file}/alerts`]);

    expect(code).toBe(2);
    expect(stderr).toMatch(/\/file\/alerts\/\S+: cannot be written: ENOTDIR.*\n$/);
  });
});

describe('once', () => {
  it('writes a page for the textfile collector of node_exporter, without process metrics and timestamps', async () => {
    const sandbox = await openSandbox({ speed: 0 }, cleanups);
    const file = writeSettings(cleanups, sandboxSettings(sandbox, ['shop']));
    const output = join(temporaryFolder(cleanups), 'hosting.prom');

    const { code, stdout } = await runCommand(['once', `--config.file=${file}`, `--output=${output}`]);

    const page = readFileSync(output, 'utf8');
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(page).toContain('hosting_account_disk_usage_bytes{account="shop"} ');
    const names = page
      .split('\n')
      .flatMap((line) => (line === '' || line.startsWith('#') ? [] : [line.replace(/[ {].*/, '')]));
    expect(names.filter((name) => !name.startsWith('hosting_'))).toEqual([]);
    expect(page.split('\n').filter((line) => /^[^#].* \S+ \d+$/.test(line.replace(/\{.*\}/, '')))).toEqual([]);
  });

  it('exits with 1 if a collector of one account fails, and writes the other metrics', async () => {
    const sandbox = await openSandbox({ speed: 0 }, cleanups);
    sandbox.setFault({ kind: 'http_500', login: 'shop', method: 'mysql/getList' });
    const file = writeSettings(cleanups, sandboxSettings(sandbox, ['blog', 'shop']));
    const output = join(temporaryFolder(cleanups), 'hosting.prom');

    const { code, stderr } = await runCommand(['once', `--config.file=${file}`, `--output=${output}`]);

    const page = readFileSync(output, 'utf8');
    expect(code).toBe(1);
    expect(stderr).toContain('collector=databases');
    expect(page).toContain('hosting_exporter_collector_success{account="shop",collector="databases"} 0\n');
    expect(page).toContain('hosting_up{account="shop"} 1\n');
    expect(page).toContain('hosting_database_size_bytes{account="blog"');
    expect(page).not.toContain('hosting_database_size_bytes{account="shop"');
  });
});
