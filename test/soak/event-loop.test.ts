import { it } from 'vitest';
import { expectNoBlock, repeat, success } from '../fixtures/event-loop-block.ts';

it.each<[string, () => Buffer]>([
  ['100 000 databases', () => success(repeat(100_000, (i) => ({ name: `d${i}`, size: `${i} MB`, user: `u${i}` })))],
  ['millions of zeros', () => Buffer.from(`{"status":"success","result":[${'0,'.repeat(8_000_000)}0]}`)],
  ['100 000 zeros', () => success(Array(100_000).fill(0))],
  ['100 000 invalid sizes', () => success(repeat(100_000, (i) => ({ name: `d${i}`, size: 'much' })))],
  ['100 000 duplicates', () => success(repeat(100_000, (i) => ({ name: `d${i % 10}` })))],
  ['a million nested lists', () => success(repeat(90_000, () => [[[[[[[[[[[]]]]]]]]]]]))],
  ['16 MB that are not JSON', () => Buffer.from(`{${' '.repeat(16_000_000)}`)],
])('an answer with %s does not block the event loop', async (_what, makeBody) => {
  await expectNoBlock(makeBody());
});
