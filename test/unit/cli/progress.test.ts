import { expect, test } from 'vitest';
import { ProgressBar } from '../../../src/cli/progress.ts';
import { fakeDate } from '../../fixtures/polled-account.ts';

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

const waiting = 'shop: waiting 15 s, until 13:00:04 UTC, because the API reports too many calls\n';

test('says in place of the bar how long and until when a command waits', () => {
  fakeDate('2026-06-03T12:59:50Z');
  const { progress, written } = bar(true);

  progress.pause('shop', 14_001);

  expect(written).toEqual([`\r${empty}\r`, waiting]);
});

test('writes only lines if the output is not a terminal', () => {
  fakeDate('2026-06-03T12:59:50Z');
  const { progress, written } = bar(false);

  progress.advance('shop account');
  progress.pause('shop', 14_001);
  progress.clear();

  expect(written).toEqual([waiting]);
});
