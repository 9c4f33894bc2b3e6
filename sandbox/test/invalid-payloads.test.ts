import { expect, it } from 'vitest';
import { withWrongType } from '../src/faults/invalid-payloads.ts';

const unexpected = { unexpected: true };

it.each([
  ['a known field', [{ name: 'a', size: '1' }, { size: '2' }], [{ name: 'a', size: '12 parsecs' }, { size: '2' }]],
  ['a known field inside', { days: [], hours: [{ value: '1' }] }, { days: [], hours: [{ value: 'abc' }] }],
  ['the first known field by its order', { cp: '1', disk_usage: '1 B' }, { cp: '1', disk_usage: '12 parsecs' }],
  ['a date of expiry', [{ date_expire: null }], [{ date_expire: 'the day after tomorrow' }]],
  ['a flag', { is_hidden: 1 }, { is_hidden: 'perhaps' }],
  ['an average', [{ name: 'a', cp: '1' }], [{ name: 'a', cp: 'abc' }]],
  ['the first field of an object', { fqdn: 'a', other: 1 }, { fqdn: unexpected, other: 1 }],
  ['the first field of the first element', [{ fqdn: 'a' }, { fqdn: 'b' }], [{ fqdn: unexpected }, { fqdn: 'b' }]],
  ['the first element that is a text', ['a', 'b'], [unexpected, 'b']],
  ['an empty list', [], [unexpected]],
  ['an empty object', {}, unexpected],
  ['the first element that is an empty object', [{}, 'b'], [unexpected, 'b']],
  ['a single value', 'a', unexpected],
  ['null', null, unexpected],
])('replaces %s', (_, payload, wrong) => {
  expect(withWrongType(payload)).toEqual(wrong);
});

it.each([
  ['fqdn', [{ name: 'a' }, { fqdn: 'b' }], [{ name: 'a' }, { fqdn: unexpected }]],
  ['date', { date: 'a', size: '1' }, { date: 'the day before yesterday', size: '1' }],
  ['missing', { fqdn: 'a' }, { fqdn: unexpected }],
])('replaces the field %s if it is named', (field, payload, wrong) => {
  expect(withWrongType(payload, field)).toEqual(wrong);
});
