import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { mainFile, sandboxSettings, writeSettings } from '../fixtures/program.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const attack = 'a\u001b]0;owned\u0007\u202eb';

async function writeAttackedSettings(): Promise<string> {
  const { baseUrl } = await scriptedApi({
    'mysql/getList': { result: [{ name: attack, size: 1 }] },
    'site/getList': { refuse: 'METHOD_FAILED', text: attack },
  });
  return writeSettingsOf(baseUrl);
}

/** Settings with one account, of which only databases and sites are polled. */
function writeSettingsOf(baseUrl: string): string {
  const others = ['account', 'site_load', 'database_load', 'site_load_detail', 'database_load_detail', 'domains'];
  const disabled = [...others, 'mailboxes', 'ftp_accounts', 'cron_tasks', 'backups', 'php_versions'];
  return writeSettings(cleanups, {
    api: { base_url: baseUrl, requests_per_minute: 600 },
    collectors: Object.fromEntries(disabled.map((name) => [name, { enabled: false }])),
    accounts: [{ name: 'shop', login: 'shop', password: 'secret' }],
  });
}

it('a terminal receives no raw characters of the API', async () => {
  const file = await writeAttackedSettings();
  const command = `${process.execPath} ${mainFile} once --config.file=${file} --log.level=debug`;
  const program = new Process(cleanups, 'script', ['--quiet', '--return', `--command=${command}`, '/dev/null']);

  await program.exit;

  // In error messages, a space replaces control characters.
  for (const text of ['a\\u001b]0;owned\\u0007\\u202eb', 'a ]0;owned \\u202eb']) {
    expect(program.stdout).toContain(text);
  }
  expect(['\u001b', '\u0007', '\u202e'].filter((raw) => program.stdout.includes(raw))).toEqual([]);
});

it('a terminal receives no raw characters of the message of a bug', async () => {
  const bug = join(temporaryFolder(cleanups), 'bug.mjs');
  writeFileSync(bug, `process.on('SIGUSR2', () => { throw new Error(${JSON.stringify(attack)}); });`);
  const argv = `--config.file=${await writeAttackedSettings()} --web.listen-address=127.0.0.1:0`;
  // The child process of the test is the terminal.
  const command = `echo "pid=$$"; exec ${process.execPath} --import=${bug} ${mainFile} ${argv}`;
  const terminal = new Process(cleanups, 'script', ['--quiet', '--return', `--command=${command}`, '/dev/null']);
  const [, id] = await terminal.printed(/pid=(\d+)/);
  await terminal.printed(/msg=started/);

  process.kill(Number(id), 'SIGUSR2');

  expect((await terminal.exit).code).toBe(1);
  expect(terminal.stdout).toContain('Error: a\\u001b]0;owned\\u0007\\u202eb');
  expect(['\u001b]', '\u0007', '\u202e'].filter((raw) => terminal.stdout.includes(raw))).toEqual([]);
});

describe('a program that is stopped', () => {
  it('exits even if a bug keeps the process alive', async () => {
    const settings = writeSettingsOf((await scriptedApi()).baseUrl);
    const bug = `--import=data:text/javascript,${encodeURIComponent('setInterval(() => {}, 1000)')}`;
    const argv = [bug, mainFile, `--config.file=${settings}`, '--web.listen-address=127.0.0.1:0'];
    const program = new Process(cleanups, process.execPath, argv);
    await program.printed(/msg=started/);

    expect(await program.stop()).toEqual({ code: 0, signal: null });
    expect(program.stderr).toContain('msg=stopped');
  });

  it('exits with 1 if the reader of its page stops reading', async () => {
    const sandbox = await openSandbox({ speed: 0 }, cleanups);
    const file = writeSettings(cleanups, sandboxSettings(sandbox, ['shop', 'agency']));
    const fifo = join(temporaryFolder(cleanups), 'page');
    execFileSync('mkfifo', [fifo]);
    const reader = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    cleanups.add(() => closeSync(reader));
    const argv = [process.execPath, mainFile, 'once', `--config.file=${file}`];
    const program = new Process(cleanups, 'sh', ['-c', `exec "$0" "$@" >${fifo}`, ...argv]);
    // The page is larger than the buffer of a FIFO.
    await until('the program writes its page', () => readSync(reader, Buffer.alloc(1)) === 1);

    expect(await program.stop()).toEqual({ code: 1, signal: null });
  });
});
