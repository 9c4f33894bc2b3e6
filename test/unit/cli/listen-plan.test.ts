import { expect, test } from 'vitest';
import { ListenError } from '../../../src/cli/listen-error.ts';
import { listenPlan } from '../../../src/cli/listen-plan.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { config } from '../../fixtures/config.ts';
import { recordedHost } from '../../fixtures/host.ts';

const settings = { ...config(), web: { listenAddresses: ['127.0.0.1:8080', ':10380'], telemetryPath: '/metrics' } };
const local = { name: '127.0.0.1:8080', target: { host: '127.0.0.1', port: 8080 } };
const everywhere = { name: ':10380', target: { host: undefined, port: 10_380 } };

test('listens on all addresses of the configuration', () => {
  const plan = listenPlan({ systemdSocket: false, healthAddress: undefined }, settings, recordedHost());

  expect(plan).toEqual({ pages: [local, everywhere], health: [] });
});

test('listens for probes on a separate address', () => {
  const plan = listenPlan({ systemdSocket: false, healthAddress: '[::1]:10382' }, settings, recordedHost());

  expect(plan.pages).toEqual([local, everywhere]);
  expect(plan.health).toEqual([{ name: '[::1]:10382', target: { host: '::1', port: 10_382 } }]);
});

test('listens on the sockets of systemd instead of the addresses, but still on the address for probes', () => {
  const host = recordedHost({ environment: { LISTEN_PID: '4711', LISTEN_FDS: '2' } });

  const plan = listenPlan({ systemdSocket: true, healthAddress: ':10382' }, settings, host);

  expect(plan).toEqual({
    pages: [
      { name: 'socket 3 of systemd', target: { fd: 3 } },
      { name: 'socket 4 of systemd', target: { fd: 4 } },
    ],
    health: [{ name: ':10382', target: { host: undefined, port: 10_382 } }],
  });
});

test('refuses to start without sockets of systemd', () => {
  const plan = () => listenPlan({ systemdSocket: true, healthAddress: undefined }, settings, recordedHost());

  expect(plan).toThrow(UsageError);
  expect(plan).toThrow('error: --web.systemd-socket: systemd passed no sockets; start the exporter through');
});

test('says which address cannot be opened, why, and what to do', () => {
  const error = new ListenError(':80', new Error('listen EACCES'), 'choose another address');

  expect(error.message).toBe(':80: cannot listen: listen EACCES; choose another address');
});
