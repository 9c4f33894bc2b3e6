import { expect, test } from 'vitest';
import { ProgressBar } from '../../../src/cli/progress-bar.ts';

/** A bar of four steps, and what it writes. */
function bar(isTTY: boolean) {
  const written: string[] = [];
  return { progress: new ProgressBar({ isTTY, write: (text) => written.push(text) }, 4), written };
}

const empty = ' '.repeat(78);

test('redraws one line of a terminal with each step, and clears it', () => {
  const { progress, written } = bar(true);

  progress.advance('shop account');
  progress.advance('shop sites');
  progress.moveTo(4, '');
  progress.clear();

  expect(written).toEqual([
    `\r${'[######..................] 1/4 shop account'.padEnd(78)}`,
    `\r${'[############............] 2/4 shop sites'.padEnd(78)}`,
    `\r${'[########################] 4/4'.padEnd(78)}`,
    `\r${empty}\r`,
  ]);
});

test('does not wrap the line of a narrow terminal', () => {
  const { progress, written } = bar(true);

  progress.advance('x'.repeat(200));

  expect(written).toEqual([`\r[######..................] 1/4 ${'x'.repeat(47)}`]);
});

test('prints a line in place of the bar', () => {
  const { progress, written } = bar(true);

  progress.say('shop: waiting 5 s');

  expect(written).toEqual([`\r${empty}\r`, 'shop: waiting 5 s\n']);
});

test('writes only lines if the output is not a terminal', () => {
  const { progress, written } = bar(false);

  progress.advance('shop account');
  progress.say('shop: waiting 5 s');
  progress.clear();

  expect(written).toEqual(['shop: waiting 5 s\n']);
});
