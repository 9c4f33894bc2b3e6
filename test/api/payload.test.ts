import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssues, readPayload } from '../../src/api/payload.ts';

const scalar = z.union([z.string(), z.number()]);
const element = z.object({ name: z.string().min(1), size: z.number().nullish(), user: z.string().nullish() });
const list = z.array(element);

it('a payload without an issue is read completely', () => {
  const read = readPayload(list, [{ name: 'a', size: 1, extra: true }]);

  expect(read).toEqual({ payload: [{ name: 'a', size: 1 }], issues: [], droppedElements: 0 });
});

describe('a payload with issues', () => {
  it('loses only the invalid field', () => {
    const read = readPayload(list, [
      { name: 'a', size: 1, user: 'x' },
      { name: 'b', size: 'much', user: 'y' },
    ]);

    expect(read.payload).toEqual([
      { name: 'a', size: 1, user: 'x' },
      { name: 'b', user: 'y' },
    ]);
    expect(read.issues).toEqual([expect.stringMatching(/^\[1\]\.size: /)]);
    expect(read.droppedElements).toBe(0);
  });

  it.each([
    [undefined, 'is missing'],
    [null, 'is null instead of text'],
    [{}, 'is an object instead of text'],
    [5, 'is a number instead of text'],
    [true, 'is boolean instead of text'],
  ])('describes the type of %j, and not its value', (name, problem) => {
    expect(readPayload(list, [{ name }]).issues).toEqual([`[0].name: ${problem}`]);
  });

  it.each([
    [z.string(), [], 'is a list instead of text'],
    [z.number(), 'x', 'is text instead of a number'],
    [z.array(z.string()), 'x', 'is text instead of a list'],
    [z.object({}), 'x', 'is text instead of an object'],
    [z.boolean(), 'x', 'is text instead of boolean'],
    [z.literal('a'), 'secret', 'has an unexpected value'],
    [z.union([z.literal('a'), z.literal('b')]), 'secret', 'has an unexpected value'],
    [z.string().max(2), 'secret', 'Too big: expected string to have <=2 characters'],
  ])('says what was expected instead', (schema, value, problem) => {
    expect(readPayload(z.object({ field: schema }), { field: value }).issues).toEqual([`field: ${problem}`]);
  });

  it('reports an issue that a list has found in one of its elements', () => {
    const odd = z.array(element).superRefine((_elements, context) => {
      context.addIssue({ code: 'custom', path: [0], message: 'odd' });
    });

    expect(readPayload(odd, [{ name: 'a' }])).toMatchObject({ issues: ['[0]: odd'] });
  });

  it('loses and counts an element whose required field is invalid', () => {
    const read = readPayload(list, [{ name: 'a' }, { name: 5, size: 2 }, null, 'c', { size: 3 }, { name: 'd' }]);

    expect(read.payload).toEqual([{ name: 'a' }, { name: 'd' }]);
    expect(read.droppedElements).toBe(4);
    expect(read.issues.map((issue) => issue.split(':')[0])).toEqual(['[1].name', '[2]', '[3]', '[4].name']);
  });

  it('is undefined if each element of a list is invalid, because an empty list would mean that the account has no such items', () => {
    expect(readPayload(list, [{ nam: 'a' }, { nam: 'b' }]).payload).toBeUndefined();
    expect(readPayload(list, [null]).payload).toBeUndefined();
  });

  it('is undefined if the result has a different shape', () => {
    expect(readPayload(list, { name: 'a' }).payload).toBeUndefined();
    expect(readPayload(element, [])).toEqual({
      payload: undefined,
      issues: [expect.stringMatching(/^the result /)],
      droppedElements: 0,
    });
    expect(readPayload(element, 'text').payload).toBeUndefined();
    expect(readPayload(list, undefined).payload).toBeUndefined();
  });

  it('keeps the other lists if a nested list loses all its elements', () => {
    const nested = z.object({ hours: z.array(element).optional(), days: z.array(element).optional() });

    const read = readPayload(nested, { hours: [{}], days: [{ name: 'a' }] });

    expect(read.payload).toEqual({ hours: [], days: [{ name: 'a' }] });
    expect(read.droppedElements).toBe(1);
  });

  it('keeps every valid element and drops every invalid one', () => {
    const valid = fc.record({ name: fc.string({ minLength: 1 }), size: fc.integer(), user: fc.string() });
    const invalid = fc.oneof(
      fc.constant(null),
      fc.integer(),
      fc.string(),
      fc.record({ name: fc.oneof(fc.integer(), fc.constant('')), size: fc.anything() }),
      fc.record({ size: fc.integer() }),
    );
    const mixed = fc.array(
      fc.oneof(
        valid.map((value) => ({ value, valid: true })),
        invalid.map((value) => ({ value, valid: false })),
      ),
    );

    fc.assert(
      fc.property(mixed, (elements) => {
        const result: unknown = JSON.parse(JSON.stringify(elements.map(({ value }) => value)));
        const expected = elements.filter((one) => one.valid).map(({ value }) => value);

        const { payload, droppedElements } = readPayload(list, result);

        expect(payload ?? []).toEqual(expected);
        expect(droppedElements).toBe(elements.length - expected.length);
      }),
    );
  });

  it('keeps every valid field of every element', () => {
    const maybeSize = fc.oneof(fc.integer(), fc.constant('nonsense'));
    const maybeUser = fc.oneof(fc.string(), fc.constant(7));

    fc.assert(
      fc.property(fc.array(fc.tuple(maybeSize, maybeUser), { minLength: 1 }), (fields) => {
        const result = fields.map(([size, user], index) => ({ name: `n${index}`, size, user }));
        const bad = fields.flatMap(([size, user]) => [typeof size === 'string', typeof user === 'number']);

        const { payload, issues } = readPayload(list, result);

        expect(payload?.map(({ name, size, user }) => [name, size, user])).toEqual(
          fields.map(([size, user], index) => [
            `n${index}`,
            typeof size === 'number' ? size : undefined,
            typeof user === 'string' ? user : undefined,
          ]),
        );
        expect(issues).toHaveLength(bad.filter(Boolean).length);
      }),
    );
  });

  it('is read from any JSON without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (result) => {
        expect(() => readPayload(list, result)).not.toThrow();
        expect(() => readPayload(z.object({ a: list.optional(), b: scalar.nullish() }), result)).not.toThrow();
      }),
    );
  });
});

it('a payload with many issues counts all issues and keeps every valid field', () => {
  const result = Array.from({ length: 300 }, (_, index) => ({ name: `n${index}`, size: 'much' }));

  const { payload, issues } = readPayload(list, [...result, { name: 'last', size: 1 }]);

  expect(payload).toHaveLength(301);
  expect(payload?.at(-1)).toEqual({ name: 'last', size: 1 });
  expect(issues).toHaveLength(300);
  expect(describeIssues(issues)).toMatch(/; and 297 more$/);
});

it('the description of issues names three and counts the rest', () => {
  expect(describeIssues(['a', 'b', 'c'])).toBe('a; b; c');
  expect(describeIssues(['a', 'b', 'c', 'd', 'e'])).toBe('a; b; c; and 2 more');
});
