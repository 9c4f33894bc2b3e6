import { expect, it } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { recordedContext } from '../../fixtures/command-context.ts';

it.each([
  [['--help'], 0],
  [['--version'], 0],
  [['help', 'check'], 0],
  [['srve'], 2],
  [['--config.file'], 2],
  [['--config.file=/does/not/exist.yml'], 2],
  [['--config.check', '--config.file=/does/not/exist.yml'], 2],
])('exits with the documented code: %j', async (argv, code) => {
  const context = recordedContext();

  expect(await run(argv, context)).toBe(code);
  expect(context.printed[code === 0 ? 'stderr' : 'stdout']).toBe('');
  expect(context.printed[code === 0 ? 'stdout' : 'stderr']).not.toBe('');
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
