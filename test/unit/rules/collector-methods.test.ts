import { expect, test } from 'vitest';
import { collectors } from '../../../src/collectors/list.ts';
import { collectorMethods } from '../../../src/rules/collector-methods.ts';

test('the rules know each collector with its methods and its interval', () => {
  const known = Object.fromEntries(
    collectors.map(({ name, methods, schedule }) => [name, { methods: [...methods], interval: schedule }]),
  );

  expect(collectorMethods).toEqual(known);
});
