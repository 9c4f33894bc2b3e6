import { expect, it } from 'vitest';
import { readPayload } from '../../src/api/payload.ts';
import { dnsZone } from '../../src/payloads/dns-zone.ts';

const schema = dnsZone({ sizeUnits: 'decimal', numberFormat: 'auto', timeZone: 'UTC' });

it('counts the records of live responses, which have a field for each type', () => {
  const zone = schema.parse({
    fqdn: 'site.example',
    records: {
      A: [{ value: '198.51.100.7', priority: 0 }],
      AAAA: [{ ttl: 600, address: '2001:db8::7' }],
      MX: [{ ttl: 300, exchange: 'mx1.mail.example.', preference: 10 }],
      TXT: [
        { ttl: 600, txtdata: 'v=spf1 redirect=spf.mail.example' },
        { ttl: 600, txtdata: '' },
      ],
      CAA: [{ ttl: 600, flags: 0, tag: 'issue', value: 'ca.example' }],
      SRV: [{ ttl: 600, priority: 1, weight: 1, port: 443, target: 'sip.example.' }],
      DNS: [{ value: 'ns1.provider.example' }, { value: 'ns2.provider.example' }],
      DNS_IP: [{ value: '' }, { value: null, priority: 10 }],
    },
  });

  const counts = Object.fromEntries(zone.map(({ type, count }) => [type, count]));
  expect(counts).toEqual({ A: 1, AAAA: 1, MX: 1, TXT: 2, CAA: 1, SRV: 1, DNS: 2 });
});

it.each<[unknown]>([
  [{ fqdn: 'site.example' }],
  [{ fqdn: 'site.example', records: [] }],
  [{ fqdn: 'site.example', records: null }],
  [{ fqdn: 'sub.site.example', records: { DNS: [], DNS_IP: [], A: {}, MX: null } }],
  [[]],
  [{}],
])('reads %j as a zone without records', (result) => {
  expect(schema.parse(result)).toEqual([]);
});

it.each<[unknown]>([[{ error: 'x' }], ['text'], [null], [true], [{ records: 'text' }]])('rejects %j', (result) => {
  expect(schema.safeParse(result).success).toBe(false);
});

it('drops and counts an element that is not a record', () => {
  const result = { fqdn: 'site.example', records: { A: [{ address: '198.51.100.7' }, 'text'] } };

  const { payload, droppedElements } = readPayload(schema, result);

  expect(payload).toEqual([{ type: 'A', count: 1 }]);
  expect(droppedElements).toBe(1);
});
