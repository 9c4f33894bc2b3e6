import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dialects, printSize } from '../src/dialect.ts';

it.each([
  [0, '0 B', 0],
  [999, '999 B', 999],
  [1_000, '1 KB', 1_000],
  [44_500_000, '44.5 MB', 44_500_000],
  [1_254_999_999, '1.25 GB', 1_250_000_000],
  [999_999_999, '1 GB', 1_000_000_000],
  [2_500_000_000_000, '2.5 TB', 2_500_000_000_000],
  [1_130_000_000, '1.13 GB', 1_130_000_000],
])('prints %i bytes as %s for the specification', (bytes, text, read) => {
  expect(printSize(bytes, 'specification')).toEqual({ text, bytes: read });
});

it('is accurate to half a percent for the specification, and rounds up to a megabyte for the provider', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 1e15 }), (bytes) => {
      for (const dialect of dialects) {
        const printed = printSize(bytes, dialect);
        expect(printSize(printed.bytes, dialect)).toEqual(printed);
      }
      expect(Math.abs(printSize(bytes, 'specification').bytes / bytes - 1)).toBeLessThanOrEqual(0.0051);
      expect(printSize(bytes, 'provider').bytes - bytes).toBeGreaterThanOrEqual(0);
      expect(printSize(bytes, 'provider').bytes - bytes).toBeLessThan(1_000_000);
    }),
  );
});
