import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { recordedContext } from '../fixtures/command-context.ts';

it.each([
  [['--help'], 0, /^Usage: hosting-account-exporter \[command\] \[flags\]\n/],
  [['help', 'check'], 0, /^Usage: hosting-account-exporter check \[flags\]\n/],
  [['version'], 0, /^hosting-account-exporter 1\.2\.3 \(abc1234\)\n$/],
  [['help', 'chek'], 2, /^error: unknown command 'chek'\n\(Did you mean check\?\)\nRun .*\n$/],
  [['--web.external-url=https://u:hunter2@a.example'], 2, /^error: .*'https:\/\/\[login\]@a\.example' is invalid/],
  [['once', '--config.file=x', '--output=/none/x'], 2, /^x: does not exist; /],
  [['--config.file=/does/not/exist.yml'], 2, /^\/does\/not\/exist\.yml: does not exist; /],
  [['--config.check', '--config.file=/does/not/exist.yml'], 2, /^\/does\/not\/exist\.yml: does not exist; /],
])('exits with the documented code, and prints one text: %j', async (argv, code, text) => {
  const context = recordedContext();

  expect(await run(argv, context)).toBe(code);
  expect(context.printed[code === 0 ? 'stderr' : 'stdout']).toBe('');
  expect(context.printed[code === 0 ? 'stdout' : 'stderr']).toMatch(text);
});

it.each([
  ['an error of the configuration', ['--config.file=x'], { HOSTING_LANGUAGE: 'ru' }, /^x: не существует; создайте его/],
  ['check', ['check', '--language', 'ru', '--config.file=x'], {}, /^x: не существует; создайте его/],
  ['check in English', ['check', '--language=en', '--config.file=x'], { HOSTING_LANGUAGE: 'ru' }, /^x: does not exist/],
  ['init', ['init', '--language=ru'], {}, /^ошибка: без терминала нужны --base-url и --login\n$/],
])('prints in the language of the user: %s', async (_, argv, environment, text) => {
  const context = recordedContext({ environment });

  expect(await run(argv, context)).toBe(2);
  expect(context.printed.stderr).toMatch(text);
});

it('does not hide a bug', async () => {
  const bug = new TypeError('not a function');
  const stdout = {
    write: () => {
      throw bug;
    },
  };

  await expect(run(['healthy'], recordedContext({ stdout }))).rejects.toBe(bug);
});
