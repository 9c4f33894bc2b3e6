import { expect, test } from 'vitest';
import { ExitError } from '../../src/cli/command.ts';
import { listenPlan } from '../../src/cli/serve.ts';
import { recordedContext } from '../fixtures/command-context.ts';
import { config } from '../fixtures/config.ts';

const settings = { ...config(), web: { listenAddresses: ['127.0.0.1:8080', ':10380'], telemetryPath: '/metrics' } };

test('listens on the sockets of systemd instead of the addresses, but still on the address for probes', () => {
  const context = recordedContext({ environment: { LISTEN_PID: '4711', LISTEN_FDS: '2' } });

  const plan = listenPlan({ 'web.systemdSocket': true, 'web.healthAddress': ':10382' }, settings, context);

  expect(plan).toEqual({ pages: [3, 4], health: ':10382' });
});

test('refuses to start without sockets of systemd', () => {
  const plan = () => listenPlan({ 'web.systemdSocket': true }, settings, recordedContext());

  expect(plan).toThrow(ExitError);
  expect(plan).toThrow(
    expect.objectContaining({
      code: 2,
      message:
        'error: --web.systemd-socket: systemd passed no sockets; start the exporter through its socket unit, or remove the flag',
    }),
  );
});
