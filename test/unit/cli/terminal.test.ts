import { describe, expect, it } from 'vitest';
import { ProgressBar } from '../../../src/cli/progress.ts';
import { safeOutput } from '../../../src/cli/terminal.ts';

function writeTo(isTTY: boolean, ...texts: readonly string[]): readonly string[] {
  const written: string[] = [];
  const output = safeOutput({ isTTY, write: (text) => written.push(text) });
  for (const text of texts) output.write(text);
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
    expect(writeTo(true, text)).toEqual([expected]);
  });

  it('shows a progress bar on one line, but escapes its label', () => {
    const written: string[] = [];
    const bar = new ProgressBar(safeOutput({ isTTY: true, write: (text) => written.push(text) }), 2);

    bar.advance('shop\rall is well \u001b[2K');
    bar.clear();

    expect(written[0]).toMatch(/^\r\[#+\.+\] 1\/2 shop\\u000dall is well \\u001b\[2K *$/);
    expect(written[1]).toMatch(/^\r *\r$/);
  });

  it('still tells how many bytes wait, and when they are written', () => {
    const events: string[] = [];
    const output = safeOutput({
      isTTY: true,
      write: () => {},
      writableLength: 7,
      once: (event) => events.push(event),
    });

    output.once?.('drain', () => {});

    expect([output.isTTY, output.writableLength, events]).toEqual([true, 7, ['drain']]);
  });
});

it('a file or pipe receives every character', () => {
  const text = '\u001b[31m\r\u202e\n';

  expect(writeTo(false, text)).toEqual([text]);
});
