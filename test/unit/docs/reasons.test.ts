import { expect, test } from 'vitest';
import { reasonAdvice, reasons } from '../../../src/api/error.ts';
import { readText } from '../../fixtures/repository.ts';

test('the table of reasons in docs/reading-metrics.md has the advice that check and the pages show', () => {
  const known: ReadonlySet<string> = new Set(reasons);
  const rows = [...readText('docs/reading-metrics.md').matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)]
    .map(([, reason = '', advice = '']) => [reason, advice.replaceAll('`', '')] as const)
    .filter(([reason]) => known.has(reason));

  expect(rows).toEqual(reasons.map((reason) => [reason, reasonAdvice[reason]]));
});
