import { expect, it } from 'vitest';
import { clientNetwork } from '../../../../src/web/door/client.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['2001::1:2:3:4:5', '2001:0:0:1'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
  ['', ''],
])('counts %s as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

it('counts all addresses of loopback as one client', () => {
  expect(clientNetwork('::1')).toBe(clientNetwork('0:0:0:0:0:0:0:1'));
});
