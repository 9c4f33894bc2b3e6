import { expect, test } from 'vitest';
import { printWarnings, untilStopped } from '../../../src/cli/host.ts';
import { pauseNotice } from '../../../src/cli/pause-notice.ts';
import { recordedHost } from '../../fixtures/host.ts';
import { fakeDate } from '../../fixtures/polled-account.ts';

test('waits until the process receives a signal to stop', async () => {
  const stop = new AbortController();
  const host = recordedHost({ signal: stop.signal });
  let stopped = false;
  const waiting = untilStopped(host).then(() => {
    stopped = true;
  });

  await new Promise(setImmediate);
  expect(stopped).toBe(false);

  stop.abort();
  await waiting;
  // Already stopped.
  await untilStopped(host);
});

test('prints each warning on a line', () => {
  const host = recordedHost();

  printWarnings(host, ['one', 'two']);

  expect(host.printed).toEqual({ stdout: '', stderr: 'warning: one\nwarning: two\n' });
});

test('says how long and until when a command waits', () => {
  fakeDate('2026-06-03T12:59:50Z');

  expect(pauseNotice('shop', 14_001)).toBe(
    'shop: waiting 15 s, until 13:00:04 UTC, because the API reports too many calls',
  );
});
