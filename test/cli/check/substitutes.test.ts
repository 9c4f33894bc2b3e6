import { domainToASCII } from 'node:url';
import { expect, it } from 'vitest';
import { Anonymizer } from '../../../src/cli/check/anonymize.ts';

function substitutesFor(...texts: readonly string[]): readonly unknown[] {
  const anonymizer = new Anonymizer(0);
  return texts.map((text) => anonymizer.anonymize(text));
}

it('keeps the relation of a domain, its subdomain, a path, a mail address and a database', () => {
  expect(
    substitutesFor(
      'example.com',
      'www.example.com',
      '/home/e/example/example.com/public_html',
      'info@example.com',
      'example_wp',
    ),
  ).toEqual([
    'name1.name2',
    'name3.name1.name2',
    '/name4/name5/name1/name1.name2/public_html',
    'name6@name1.name2',
    'name1_name7',
  ]);
});

it('keeps the form of technical names, wildcards and relative domains', () => {
  expect(substitutesFor('_dmarc.example.com', '*.example.com', 'mx.example.com.', '~/example.com/')).toEqual([
    '_name1.name2.name3',
    '*.name2.name3',
    'name4.name2.name3.',
    '~/name2.name3/',
  ]);
});

it('replaces a name in punycode like the Unicode name, in punycode', () => {
  const texts = ['мой-магазин.испытание', domainToASCII('мой-магазин.испытание')];
  const [unicode = '', punycode] = substitutesFor(...texts).map(String);

  expect(unicode).toBe('имя1-имя2.имя3');
  expect(punycode).toBe(domainToASCII(unicode));
  expect(domainToASCII(unicode)).toMatch(/^xn--/);
});

it('keeps the case, and does not make different names equal', () => {
  expect(substitutesFor('Shop', 'shop', 'SHOP', 'sHop', 'shOp')).toEqual([
    'Name1',
    'name1',
    'NAME1',
    'name1x3',
    'name1x4',
  ]);
});

it('replaces an address by an address for documentation, equal for equal addresses', () => {
  expect(substitutesFor('203.0.113.7', '203.0.113.8', '203.0.113.7', '2a00:1450::1')).toEqual([
    '198.18.0.1',
    '198.18.0.2',
    '198.18.0.1',
    '2001:db8::3',
  ]);
});

it('replaces each of hundreds of addresses by another address', () => {
  const addresses = Array.from({ length: 600 }, (_, index) => `203.0.${Math.floor(index / 250)}.${index % 250}`);

  const substitutes = substitutesFor(...addresses);

  expect(new Set(substitutes).size).toBe(600);
  expect(substitutes.slice(254, 257)).toEqual(['198.18.0.255', '198.18.1.0', '198.18.1.1']);
});

it('replaces a name with Cyrillic and Latin letters by a Cyrillic name', () => {
  expect(substitutesFor('shopмаг', 'магshop')).toEqual(['имя1', 'имя2']);
});

it.each(['', 'localhost', '127.0.0.1', '::1', '*', '%', '/'])('keeps the text %j', (text) => {
  expect(substitutesFor(text)).toEqual([text]);
});

it.each([
  'wget -q https://example.com/?key=s3cret',
  'https://example.com/?key=s3cret',
  'v=spf1 ip4:203.0.113.7 ~all',
  `100%&no;limit$~^|"'<>`,
  'c0ffee&cake=100%',
  ' ',
  'two words',
])('shows neither words nor signs of the text %j', (text) => {
  expect(substitutesFor(text, 'other text', text)).toEqual(['text 1', 'text 2', 'text 1']);
});

it('needs no more time for a long text than its length', () => {
  const key = `v=DKIM1; k=rsa; p=${'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ'.repeat(2000)}`;

  expect(substitutesFor(key, `${'a'.repeat(100_000)} `, 'a'.repeat(100_000))).toEqual(['text 1', 'text 2', 'name3']);
});

it('counts different values', () => {
  const anonymizer = new Anonymizer(0);
  const texts = ['shop', 'shop', 'example.com', '/example.com', 'a@example.com', '203.0.113.7', 'b c', ''];

  anonymizer.anonymize([...texts, 79_161_234_567]);

  // The words shop, example, com and a; an address, a text and a number.
  expect(anonymizer.replaced).toBe(7);
});
