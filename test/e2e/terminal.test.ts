import { afterEach, describe, expect, it } from 'vitest';
import { Cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { mainFile, runProgram, writeSettings } from '../fixtures/program.ts';
import { scriptedApi } from '../fixtures/scripted-api.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

const attack = 'a\u001b]0;owned\u0007\u202eb';

async function writeAttackedSettings(): Promise<string> {
  const { baseUrl } = await scriptedApi({
    'mysql/getList': { result: [{ name: attack, size: 1 }] },
    'site/getList': { refuse: 'METHOD_FAILED', text: attack },
  });
  const others = ['account', 'site_load', 'database_load', 'site_load_detail', 'database_load_detail', 'domains'];
  const disabled = [...others, 'mailboxes', 'ftp_accounts', 'cron_tasks', 'backups', 'php_versions'];
  return writeSettings(cleanups, {
    api: { base_url: baseUrl, requests_per_minute: 600 },
    collectors: Object.fromEntries(disabled.map((name) => [name, { enabled: false }])),
    accounts: [{ name: 'shop', login: 'shop', password: 'secret' }],
  });
}

/** Runs the program in a pseudo-terminal. Returns everything that the terminal received. */
async function runInTerminal(argv: string): Promise<string> {
  const command = `${process.execPath} ${mainFile} ${argv}`;
  const program = new Process(cleanups, 'script', ['--quiet', '--return', `--command=${command}`, '/dev/null']);
  await program.exit;
  return program.stdout;
}

describe('a terminal', () => {
  it.each([
    ['once', '', 'a\\u001b]0;owned\\u0007\\u202eb'],
    ['once', '--output=/dev/tty', 'a\\u001b]0;owned\\u0007\\u202eb'],
    // In error messages, a space replaces control characters.
    ['once', '--log.level=debug --output=/dev/null', 'a ]0;owned \\u202eb'],
    ['check', '', 'a ]0;owned \\u202eb'],
  ])('receives no raw characters of the API from %s %s', async (command, flags, expected) => {
    const file = await writeAttackedSettings();

    const received = await runInTerminal(`${command} --config.file=${file} ${flags}`);

    expect(received).toContain(expected);
    expect(['\u001b', '\u0007', '\u202e'].filter((raw) => received.includes(raw))).toEqual([]);
  });
});

it('a pipe receives the characters of the API as the exposition format demands', async () => {
  const file = await writeAttackedSettings();

  const { stdout } = await runProgram(cleanups, ['once', `--config.file=${file}`]);

  expect(stdout).toContain(`database="${attack}"`);
});
