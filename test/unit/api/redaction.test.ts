import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../../src/api/redaction.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';

const secrets = [
  'sh&p+5 #?/=%41',
  'c0ffee&cake=100%',
  'пароль&агентство+1=%',
  '100%&no;limit$~^|"\'<>',
  "a!b(c)*d'e f",
  'back\\slash"quote/',
  '🔑 emoji',
  'sandbox-token.shop.RnVsbEJ5VG9tb3Jyb3c',
];

/** Secrets of characters that encodings escape. */
const special = fc.string({
  minLength: 4,
  unit: fc.constantFrom(
    '"',
    "'",
    '\\',
    '%',
    '&',
    ';',
    '+',
    '/',
    '=',
    '<',
    ' ',
    'u',
    'n',
    'x',
    '4',
    'a',
    'Щ',
    'ы',
    '🔑',
  ),
});

/** Encodes like PHP's rawurlencode. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function asciiJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

const encodings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'as a component of a URL': encodeURIComponent,
  'as a component of a URL in lower case': (secret) =>
    encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  'percent-encoded as PHP does': percentEncoded,
  'as a form field': (secret) => new URLSearchParams({ '': secret }).toString().slice(1),
  'as JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'as ASCII JSON with escaped slashes': asciiJson,
  'as HTML': html,
  'as base64': (secret) => Buffer.from(secret).toString('base64'),
  'as base64url': (secret) => Buffer.from(secret).toString('base64url'),
  'as a URI': encodeURI,
  'as percent signs only': (secret) => hex(secret).replace(/../g, '%$&'),
  'as JavaScript escapes': (secret) =>
    secret.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'as JavaScript escapes in capitals': (secret) =>
    secret.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
  'as decimal entities': (secret) => [...secret].map((character) => `&#${character.codePointAt(0)};`).join(''),
  'as hexadecimal entities': (secret) =>
    [...secret].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
  'as hex': hex,
  'as hex in capitals': (secret) => hex(secret).toUpperCase(),
  'as hex with spaces': (secret) => hex(secret).replace(/..(?!$)/g, '$& '),
  'as hex with colons': (secret) => hex(secret).replace(/..(?!$)/g, '$&:'),
};

const withheld = '[withheld, because it contains the secret]';

/** What is left of a text: everything around a plain secret, and nothing around an encoded one. */
function rest(text: string, secret: string): string {
  return text.includes(secret) ? text.replaceAll(secret, '[secret]') : withheld;
}

describe('redaction', () => {
  it.each(Object.entries(encodings))('removes a secret that is written %s', (_how, write) => {
    for (const secret of secrets) {
      const text = `METHOD_FAILED: passwd=${write(secret)} is wrong`;

      expect(redactor(secret)(text)).toBe(rest(text, secret));
    }
  });

  it('replaces a plain secret, and keeps the escapes around it', () => {
    expect(redactor('sh&p+5')('{\\"passwd\\":\\"sh&p+5\\",\\"%20\\"}')).toBe('{\\"passwd\\":\\"[secret]\\",\\"%20\\"}');
  });

  it('replaces plain pieces of a secret in any case', () => {
    expect(redactor('open&sesame')('passwd=OPEN&SES... or open&s')).toBe('passwd=[secret]... or [secret]');
    expect(redactor('пароль-агентства')('wrong: пароль-агент')).toBe('wrong: [secret]');
  });

  it('withholds a text with an encoded piece of a secret', () => {
    expect(redactor('open&sesame')('passwd=open%26ses... is wrong')).toBe(withheld);
  });

  it('removes every occurrence of any secret in any encoding', () => {
    const secret = fc.string({ minLength: 4, unit: 'grapheme' });
    const encoding = fc.constantFrom(...Object.values(encodings));

    fc.assert(
      fc.property(secret, encoding, encoding, fc.string(), fc.string(), (text, first, second, before, after) => {
        const redacted = redactor(text)(`${before} ${first(text)} ${second(text)} ${after}`);

        expect(redacted).toMatch(/\[secret\]|^\[withheld, .*\]$/);
        for (const write of Object.values(encodings)) {
          expect(redacted.replaceAll('[secret]', '\0')).not.toContain(write(text));
        }
      }),
    );
  });

  it('removes a secret in any two nested encodings', () => {
    const secret = fc.oneof(fc.string({ minLength: 4, unit: 'grapheme' }), fc.string({ minLength: 4 }), special);
    const encoding = fc.constantFrom(...Object.values(encodings));

    fc.assert(
      fc.property(secret, encoding, encoding, fc.string(), fc.string(), (text, inner, outer, before, after) => {
        const written = outer(inner(text));
        const redacted = redactor(text)(`${before} ${written} ${after}`).replaceAll('[secret]', '\0');

        expect(redacted).not.toContain(text);
        expect(redacted).not.toContain(written);
      }),
      { numRuns: propertyRuns(1000), seed: 14 },
    );
  });

  it.each(secrets)('removes %s in each pair of nested encodings', (secret) => {
    const redact = redactor(secret);
    for (const inner of Object.values(encodings)) {
      for (const outer of Object.values(encodings)) {
        const text = `passwd=${outer(inner(secret))} is wrong`;

        expect(redact(text)).toBe(rest(text, secret));
      }
    }
  });

  it('removes a base64 or hex text that contains the secret at any offset', () => {
    for (const secret of secrets) {
      for (const before of ['', 'a', 'ab', 'abc', 'abcd', '{"passwd":"']) {
        for (const encoding of ['base64', 'base64url', 'hex'] as const) {
          const written = Buffer.from(`${before}${secret}", and more`).toString(encoding);

          expect(redactor(secret)(`in=${written}`)).toBe(withheld);
          expect(redactor(secret)(`in=x${written}`)).toBe(withheld);
        }
      }
    }
  });

  it('removes a secret that a lenient encoder encodes only in part', () => {
    expect(redactor('a&amp;b<c')('wrong: a&amp;b&lt;c')).toBe(withheld);
    expect(redactor('100%25&x')('wrong: 100%25%26x')).toBe(withheld);
  });

  it.each([
    ['plain text', 'the shop is shut. '],
    ['letters', 'a'],
    ['hex', '4a'],
    ['percent signs', '%25'],
    ['backslashes', '\\'],
    ['entities', '&amp;'],
    ['JavaScript escapes', '\\u005c'],
    ['broken escapes', '%&#\\u00+'],
  ])('redacts 16 MB of %s without reading all of it', (_, part) => {
    const text = part.repeat(Math.ceil(16_000_000 / part.length));
    const started = process.cpuUsage();

    redactor('aaaaaaaaaaaaaaaa\\\\\\%25&amp;x')(text);

    // It takes milliseconds; reading everything would take minutes.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10);
  });

  it('removes the secret before a text is cut', () => {
    const secret = secrets.join();
    for (const write of Object.values(encodings)) {
      const written = write(write(secret));
      for (const start of [4095, 4090, 4096 - written.length + 1]) {
        const before = `${'.'.repeat(Math.max(0, start - 1))} `;

        expect(redactor(secret)(`${before}${written}`)).toBe(rest(`${before}${written}`, secret));
      }
    }
  });

  it('keeps a text without the secret', () => {
    expect(redactor('sh&p')('the shop is shut')).toBe('the shop is shut');
    expect(redactor('')('nothing to hide')).toBe('nothing to hide');
    expect(redactor('7')('the shops are closed until 20:00')).toBe('the shops are closed until 20:00');
  });

  it('treats a secret as text, not as a pattern', () => {
    expect(redactor('.*')('a.*b and abc')).toBe('a[secret]b and abc');
    expect(redactor('(a+)+$')('aaaaaaaaaaaaaaaaaaaaaaaaaaaa (a+)+$')).toBe('aaaaaaaaaaaaaaaaaaaaaaaaaaaa [secret]');
  });
});
