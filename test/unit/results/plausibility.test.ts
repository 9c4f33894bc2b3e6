import { describe, expect, it } from 'vitest';
import { databases } from '../../../src/collectors/databases.ts';
import type { Family } from '../../../src/collectors/family.ts';
import { readPlausible } from '../../../src/results/publishable.ts';
import { publishable } from '../../fixtures/publishable.ts';

function family(name: string, ...values: readonly number[]): Family {
  return { name, labelNames: [], samples: values.map((value) => ({ labels: {}, value })) };
}

describe('a value', () => {
  const isPlausible = (name: string, value: number) =>
    readPlausible({ metrics: [] }, family(name, value), []).length === 1;

  it.each([
    ['hosting_x_timestamp_seconds', [0, 253_402_300_799], [-1, 253_402_300_800]],
    ['hosting_x_seconds', [0, 1e9, 253_402_300_799], [-1, 253_402_300_800]],
    ['hosting_x_bytes', [0, 2 ** 53, 2 ** 62], [-1, 2 ** 63]],
    ['hosting_x', [-(2 ** 53), -1e9, 0, 2 ** 52], [-(2 ** 54), 2 ** 53]],
    ['hosting_bytes_x', [-1], [2 ** 53]],
  ])('of %s is possible from %j and impossible at %j', (name, possible, impossible) => {
    expect(possible.filter((value) => !isPlausible(name, value))).toEqual([]);
    const never = [...impossible, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308];
    expect(never.filter((value) => isPlausible(name, value))).toEqual([]);
  });

  it.each([
    ['hosting_x_timestamp_seconds', 'a time from 1970 to 9999'],
    ['hosting_x_seconds', 'a time in seconds'],
    ['hosting_x_bytes', 'a size in bytes'],
    ['hosting_x', 'an amount'],
  ])('that is impossible is reported with what %s should be: %s', async (name, expected) => {
    const metrics = [{ name, help: '', field: 'x|y' } as never];

    const { issues } = await publishable({ metrics }, [family(name, 1e300)], 9);

    expect(issues).toEqual([`${name} (x or y) is 1e+300, not ${expected}`]);
  });
});

it('a label that is no text is refused', () => {
  const samples = [{ labels: { database: 5 as never }, value: 1 }];

  expect(() => readPlausible({ metrics: [] }, { name: 'x', labelNames: ['database'], samples }, [])).toThrow(
    'the label database is no text',
  );
});

describe('impossible values', () => {
  it('are removed one by one, each with a sentence that names its field', async () => {
    const given = [family('hosting_database_size_bytes', 0, -5, 7, Number.NaN), family('hosting_databases', -3)];

    const { families, issues } = await publishable(databases, given, 9);

    expect(families.map(({ samples }) => samples.map(({ value }) => value))).toEqual([[0, 7], [-3]]);
    expect(issues).toEqual([
      'hosting_database_size_bytes (size) is -5, not a size in bytes',
      'hosting_database_size_bytes (size) is NaN, not a size in bytes',
    ]);
  });
});
