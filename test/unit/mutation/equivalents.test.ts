import { expect, it } from 'vitest';
import { readText } from '../../fixtures/repository.ts';
import { equivalents } from '../../mutation/equivalents.ts';

it('each mutation in equivalent.yml has its line in its file', () => {
  const stale = equivalents.filter(({ file, line }) => {
    const lines = readText(file).split('\n');
    return !lines.some((text) => text.trim() === line);
  });

  expect(equivalents.length).toBeGreaterThan(0);
  expect(stale).toEqual([]);
});
