import { expect, it } from 'vitest';
import { inheritedSockets } from '../../../../src/web/door/listeners.ts';

it.each([
  [{ LISTEN_PID: '42', LISTEN_FDS: '1' }, [3]],
  [{ LISTEN_PID: '42', LISTEN_FDS: '3' }, [3, 4, 5]],
  [{ LISTEN_PID: '41', LISTEN_FDS: '1' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '0' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '12' }, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]],
  [{ LISTEN_PID: '42', LISTEN_FDS: 'x' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '0x2' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: ' 2' }, []],
  [{ LISTEN_PID: '42', LISTEN_FDS: '10000' }, []],
  [{ LISTEN_PID: '42' }, []],
  [{ LISTEN_FDS: '1' }, []],
  [{}, []],
])('%j means the descriptors %j', (environment, descriptors) => {
  expect(inheritedSockets(environment, 42)).toEqual(descriptors);
});
