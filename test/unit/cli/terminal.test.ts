import { describe, expect, it } from 'vitest';
import { ProgressBar } from '../../../src/cli/progress.ts';
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
    ['all is well\rnot well', 'all is well\\u000dnot well'],
    ['\b\u007f\u0000\u2028', '\\u0008\\u007f\\u0000\\u2028'],
    ['Кириллица\t✓ 👩‍💻 שלום\n', 'Кириллица\t✓ 👩‍💻 שלום\n'],
  ])('receives %j as %j', (text, expected) => {
    expect(writtenBy(text)).toEqual([expected]);
  });

  it('shows a progress bar on one line, but escapes its label', () => {
    const written: string[] = [];
    const bar = new ProgressBar(escapedOutput({ write: (text) => written.push(text) }), 2);

    bar.advance('shop\rall is well \u001b[2K');
    bar.clear();

    expect(written[0]).toMatch(/^\r\[#+\.+\] 1\/2 shop\\u000dall is well \\u001b\[2K *$/);
    expect(written[1]).toMatch(/^\r *\r$/);
  });

  it('still tells how many bytes wait', () => {
    const output = escapedOutput({ write: () => {}, writableLength: 7 });

    expect([output.isTTY, output.writableLength]).toEqual([true, 7]);
  });
});
