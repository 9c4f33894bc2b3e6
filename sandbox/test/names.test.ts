import fc from 'fast-check';
import { toASCII, toUnicode } from 'tr46';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../test/fixtures/properties.ts';
import { readHostName, unicodeName } from '../src/state/names.ts';

const options = { checkHyphens: true, checkBidi: true, checkJoiners: true, verifyDNSLength: true };

/** Host names, and texts that are nearly host names. */
const label = fc.string({ unit: fc.constantFrom('a', '0', '-', 'Z', 'я', '_'), minLength: 0, maxLength: 6 });
const name = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join('.')),
  fc.constantFrom(62, 63, 64).map((length) => `${'a'.repeat(length)}.example`),
  fc.constantFrom(252, 253, 254).map((length) => 'ab.'.repeat(84).padEnd(length, 'a')),
);

it('a name is the same with and without conversion', () => {
  fc.assert(
    fc.property(name, (text) => {
      const ascii = toASCII(text, options);

      const read = () => readHostName(text);
      if (ascii === null || !/^[a-z0-9.-]+$/.test(ascii)) expect(read).toThrow('A domain name has labels');
      else expect(read()).toBe(ascii);
      if (ascii !== null) expect(unicodeName(text)).toBe(toUnicode(text, options).domain);
    }),
    {
      numRuns: propertyRuns(2000),
      examples: [['a.example'], ['ab--c.example'], ['xn--80ak6aa92e.example'], ['-a.example'], ['a-.example'], ['']],
    },
  );
});
