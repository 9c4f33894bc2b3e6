import { expect, it } from 'vitest';
import { measureSize } from '../size/numbers.ts';

it('keeps src within its limits', async () => {
  const { numbers, way } = await measureSize();
  const { poll, scrape } = way;

  // The functions were followed: otherwise, their numbers would be small for nothing.
  const files = poll.filter(({ carries }) => carries).map(({ file }) => file);
  expect(files).toContain('src/payloads/scalars.ts');
  expect(files).toContain('src/collectors/site-load.ts');
  expect(poll).toContainEqual(expect.objectContaining({ name: 'requestForm', carries: false }));
  expect(scrape).toContainEqual(expect.objectContaining({ name: 'negotiate', carries: false }));
  expect(scrape).toContainEqual(expect.objectContaining({ carries: true }));
  expect(poll.map(({ name }) => name)).not.toContain('negotiate');
  expect(scrape.map(({ name }) => name)).not.toContain('requestForm');

  const advice =
    'make src smaller, or raise the limit in test/size/numbers.ts and in CONTRIBUTING.md and say why in the commit';
  expect(
    numbers.filter(({ limit, measured }) => measured > limit),
    advice,
  ).toEqual([]);
});
