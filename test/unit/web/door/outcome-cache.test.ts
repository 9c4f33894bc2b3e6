import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutcomeCache } from '../../../../src/web/door/outcome-cache.ts';

describe('the key of an outcome', () => {
  it('differs for all different inputs, wherever one field ends and the next begins', () => {
    const cache = new OutcomeCache();
    const fields = fc.tuple(fc.string(), fc.string(), fc.string());

    fc.assert(
      fc.property(fields, fields, (one, other) => {
        expect(cache.keyOf(one) === cache.keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(cache.keyOf(['ab', 'c'])).not.toBe(cache.keyOf(['a', 'bc']));
    expect(cache.keyOf(['a\0\0\0\0b'])).not.toBe(cache.keyOf(['a', 'b']));
    expect(cache.keyOf(['a', ''])).not.toBe(cache.keyOf(['a']));
  });

  it('cannot be computed outside the process', () => {
    expect(new OutcomeCache().keyOf(['a'])).not.toBe(new OutcomeCache().keyOf(['a']));
  });
});

describe('the cache', () => {
  it('keeps an accepted login however many are refused', () => {
    const cache = new OutcomeCache();
    cache.set('right', 'accepted');

    for (let attempt = 0; attempt < 2000; attempt += 1) cache.set(`wrong ${attempt}`, 'refused');

    expect(cache.get('right')).toBe('accepted');
    expect(cache.get('wrong 1999')).toBe('refused');
    expect(cache.get('wrong 0')).toBeUndefined();
  });

  it('forgets the login that was not used for the longest time', () => {
    const cache = new OutcomeCache();
    cache.set('a', 'accepted');
    cache.set('b', 'accepted');
    for (let login = 0; login < 998; login += 1) cache.set(`other ${login}`, 'accepted');
    cache.get('a');

    cache.set('c', 'accepted');

    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['accepted', undefined, 'accepted']);
    expect(cache.get('other 0')).toBe('accepted');
  });
});
