import { expect, test } from 'vitest';
import { reasons } from '../../../src/api/error.ts';
import { reasonTexts } from '../../../src/api/reason-texts.ts';
import { readText } from '../../fixtures/repository.ts';

test('the table of reasons in docs/reading-metrics.md has the texts that check and the pages show', () => {
  const rows = [...readText('docs/reading-metrics.md').matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)]
    .map(([, reason = '', happened, advice]) => ({ reason, happened, advice }))
    .filter(({ reason }) => Object.hasOwn(reasonTexts, reason));

  expect(rows).toEqual(reasons.map((reason) => ({ reason, ...reasonTexts[reason] })));
});
