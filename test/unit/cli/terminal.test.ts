import { describe, expect, it } from 'vitest';
import { escapedOutput } from '../../../src/cli/terminal.ts';

function writtenBy(text: string): readonly string[] {
  const written: string[] = [];
  escapedOutput({ write: (piece) => written.push(piece) }).write(text);
  return written;
}

describe('a terminal', () => {
  it.each([
    ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['\u009b31m red', '\\u009b31m red'],
    ['exe.\u202egnp\u2066\u200f', 'exe.\\u202egnp\\u2066\\u200f'],
    ['\rall is well\rnot well\r', '\\u000dall is well\\u000dnot well\\u000d'],
    ['\b\u007f\u0000\u2028', '\\u0008\\u007f\\u0000\\u2028'],
    ['Кириллица\t✓ 👩‍💻 שלום\n', 'Кириллица\t✓ 👩‍💻 שלום\n'],
  ])('receives %j as %j', (text, expected) => {
    expect(writtenBy(text)).toEqual([expected]);
  });

  it('still tells how many bytes wait', () => {
    const output = escapedOutput({ write: () => {}, writableLength: 7 });

    expect(output.writableLength).toBe(7);
  });
});
