import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { localAddress, serviceDiscovery } from '../../../src/web/service-discovery.ts';

it('service discovery has one target per account at the address of the request', () => {
  expect(serviceDiscovery('exporter:10380', '/probe', ['shop', 'кофейня'])).toEqual([
    {
      targets: ['exporter:10380'],
      labels: { __metrics_path__: '/probe', __param_account: 'shop', instance: 'exporter:10380/shop' },
    },
    {
      targets: ['exporter:10380'],
      labels: { __metrics_path__: '/probe', __param_account: 'кофейня', instance: 'exporter:10380/кофейня' },
    },
  ]);
});

it.each([
  ['192.0.2.1', 10380, '192.0.2.1:10380'],
  ['::ffff:192.0.2.1', 80, '192.0.2.1:80'],
  ['2001:db8::1', 443, '[2001:db8::1]:443'],
  ['::ffff:c000:201', 443, '[::ffff:c000:201]:443'],
])('a connection to %s at port %i has the address %s', (address, port, expected) => {
  expect(localAddress({ localAddress: address, localPort: port } as Socket)).toBe(expected);
});
