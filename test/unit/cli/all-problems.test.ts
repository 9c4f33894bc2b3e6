import { expect, test } from 'vitest';
import { allOrProblems } from '../../../src/cli/all-problems.ts';
import { ConfigError } from '../../../src/config/config-error.ts';

const wrongConfig = new ConfigError([{ source: 'config.yml', message: 'is empty' }]);
const wrongWeb = new ConfigError([{ source: 'web.yml', message: 'is a directory' }]);

async function outcome(error: ConfigError | undefined): Promise<string> {
  if (error !== undefined) throw error;
  return 'valid';
}

test('returns both results', async () => {
  expect(await allOrProblems(Promise.resolve('config'), Promise.resolve('web'))).toEqual(['config', 'web']);
});

test.each([
  [wrongConfig, undefined, 'config.yml: is empty'],
  [undefined, wrongWeb, 'web.yml: is a directory'],
  [wrongConfig, wrongWeb, 'config.yml: is empty\nweb.yml: is a directory'],
])('reports the problems of both files together', async (one, other, message) => {
  const both = allOrProblems(outcome(one), outcome(other));

  await expect(both).rejects.toThrow(ConfigError);
  await expect(both).rejects.toHaveProperty('message', message);
});

test('rejects with an error that is no problem of a file', async () => {
  const bug = new TypeError('not a function');

  await expect(allOrProblems(outcome(wrongConfig), Promise.reject(bug))).rejects.toBe(bug);
});
