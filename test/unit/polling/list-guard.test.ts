import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/api/error.ts';
import { ListGuard } from '../../../src/polling/list-guard.ts';

function list(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}

/** The message of each refused payload; undefined for an accepted one. */
function check(...payloads: readonly unknown[]): readonly (string | undefined)[] {
  const guard = new ListGuard();
  return payloads.map((payload) => {
    try {
      guard.check(payload);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      expect([error.reason, error.accepted]).toEqual(['payload', true]);
      return error.message;
    }
  });
}

describe('a list', () => {
  it.each([
    [10, 5, false],
    [10, 4, true],
    [9, 4, true],
    [1, 0, true],
    [0, 0, false],
    [3, 30, false],
  ])('of %i elements that has %i in the next answer is withheld: %s', (before, after, isWithheld) => {
    const [, second] = check(list(before), list(after));

    expect(second !== undefined).toBe(isWithheld);
  });

  it('is shown when a second answer confirms it, and is the measure of the next one', () => {
    const message =
      'the list shrank from 10 to 4 elements; the previous result stays until a second answer confirms it';

    expect(check(list(10), list(4), list(4), list(2), list(1), list(0))).toEqual([
      undefined,
      message,
      undefined,
      undefined,
      undefined,
      message.replace('10 to 4', '1 to 0'),
    ]);
  });

  it('needs another confirmation after it was complete in between', () => {
    const refused = check(list(10), list(0), list(10), list(0), list(0)).map((message) => message !== undefined);

    expect(refused).toEqual([false, true, false, true, false]);
  });

  it('is any list in an object, which the message names', () => {
    const [, second, third] = check(
      { files: list(4), databases: list(4), kind: 'x' },
      { files: list(4), databases: list(1), kind: 'y' },
      { files: list(4), databases: list(4) },
    );

    expect(second).toMatch(/^the list of databases shrank from 4 to 1 elements/);
    expect(third).toBeUndefined();
  });

  it.each([[undefined], [null], ['text'], [{ kind: 'x' }]])('may be missing in %j', (payload) => {
    expect(check(payload, payload)).toEqual([undefined, undefined]);
  });
});
