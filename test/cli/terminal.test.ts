import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { safeOutput } from '../../src/cli/terminal.ts';

function writtenBy(text: string): readonly string[] {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  safeOutput(stream as unknown as NodeJS.WriteStream, []).write(text);
  return [String(stream.read())];
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
    const stream = { on: () => {}, writableLength: 7 } as unknown as NodeJS.WriteStream;

    expect(safeOutput(stream, []).writableLength).toBe(7);
  });
});

describe('an output that cannot be written', () => {
  const failing = (code: string) => {
    const stream = new PassThrough();
    const output = safeOutput(stream as unknown as NodeJS.WriteStream, ['EPIPE']);
    return { output, fail: () => stream.emit('error', Object.assign(new Error('write'), { code })) };
  };

  it('of stdout is an error with a remedy, unless the reader of a pipe has gone', () => {
    expect(failing('ENOSPC').fail).toThrow('stdout: cannot be written: ENOSPC: the disk is full; free space');
    expect(failing('EPIPE').fail).not.toThrow();
  });

  it('is reported only to a caller that waits', () => {
    const { output, fail } = failing('ENOSPC');
    output.write('text', () => {});

    expect(fail).not.toThrow();
  });
});
