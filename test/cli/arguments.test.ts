import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/run.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { parseCommandLine, printedFor } from '../fixtures/command-line.ts';
import { fakeDate } from '../fixtures/polled-account.ts';

const file = join(import.meta.dirname, 'arguments.txt');

/** What a command line means: the command and its flags as JSON, or the text that refuses it. */
async function meaningOf(argv: readonly string[]): Promise<string> {
  const context = recordedContext();
  try {
    const { command, flags } = await parseArguments(argv, context);
    return JSON.stringify({ command, ...flags });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    expect([error.exitCode, context.printed.stdout]).toEqual([1, '']);
    return context.printed.stderr.trimEnd().replaceAll('\n', '\n    ');
  }
}

// Each command line begins with "$", and its words are separated by spaces. Add one, then run with `--update`.
test('each command line of arguments.txt means what the file says', async () => {
  const lines = readFileSync(file, 'utf8').match(/^\$.*$/gm) ?? [];

  const texts = lines.map(async (line) => `${line}\n    ${await meaningOf(line.split(' ').slice(1))}\n`);

  await expect((await Promise.all(texts)).join('')).toMatchFileSnapshot(file);
});

test('a value may contain an equals sign and a newline', async () => {
  expect(await parseCommandLine(['--config.file=a=b\nc.yml'])).toMatchObject({ 'config.file': 'a=b\nc.yml' });
});

test('the help has 80 columns', async () => {
  const commands = ['', 'serve', 'once', 'check', 'history', 'rules', 'sandbox', 'demo'];
  const help = await Promise.all(commands.map((command) => printedFor(`${command} --help`.trim().split(' '))));

  expect(help.flatMap(({ stdout }) => stdout.split('\n')).filter((line) => line.length > 80)).toEqual([]);
});

test('reads the time now', async () => {
  fakeDate('2026-06-03T12:00:00Z');

  expect(await parseCommandLine(['history', '--output=h.om', '--until=now'])).toMatchObject({
    until: 1_780_488_000_000,
  });
});

test.each(['--version', 'once --version', '--config.file=c.yml --version'])('%s prints the version', async (line) => {
  expect(await printedFor(line.split(' '))).toEqual({
    exitCode: 0,
    stdout: 'hosting-account-exporter 1.2.3 (abc1234)\n',
    stderr: '',
  });
});

test('throws only CommanderError, for any command line', async () => {
  const words = [
    'serve',
    'once',
    'help',
    '--config.file',
    '--config.check',
    '--output=x',
    '--port',
    '0',
    '--',
    '-',
    '--help=1',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...words), fc.string())), async (argv) => {
      try {
        expect(await parseArguments(argv, recordedContext())).toHaveProperty('command');
      } catch (error) {
        expect(error).toBeInstanceOf(CommanderError);
      }
    }),
  );
});
