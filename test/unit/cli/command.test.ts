import { expect, test } from 'vitest';
import { untilStopped } from '../../../src/cli/command.ts';
import { recordedContext } from '../../fixtures/command-context.ts';

test('waits until the process receives a signal to stop', async () => {
  const stop = new AbortController();
  const context = recordedContext({ signal: stop.signal });
  let stopped = false;
  const waiting = untilStopped(context).then(() => {
    stopped = true;
  });

  await new Promise(setImmediate);
  expect(stopped).toBe(false);

  stop.abort();
  await waiting;
  // Already stopped.
  await untilStopped(context);
});
