import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/error.ts';
import { ListGuard } from '../../src/polling/item-list.ts';

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
    [100, 50, false],
    [100, 49, true],
    [1, 0, true],
    [0, 0, false],
    [3, 30, false],
  ])('of %i elements that has %i in the next answer is withheld: %s', (before, after, isWithheld) => {
    const [, second] = check(list(before), list(after));

    expect(second !== undefined).toBe(isWithheld);
  });

  it('is shown when a second answer confirms its length, and later lists are compared with it', () => {
    const message =
      'the list shrank from 10 to 4 elements; the previous result stays until a second answer confirms the new list';

    expect(check(list(10), list(4), list(4), list(2), list(1), list(0))).toEqual([
      undefined,
      message,
      undefined,
      undefined,
      undefined,
      message.replace('10 to 4', '1 to 0'),
    ]);
  });

  it('needs another confirmation if a complete list came in between', () => {
    const refused = check(list(10), list(0), list(10), list(0), list(0)).map((message) => message !== undefined);

    expect(refused).toEqual([false, true, false, true, false]);
  });

  it('is confirmed by the next short answer, also if its length differs', () => {
    expect(check(list(100), list(40), list(3))).toEqual([
      undefined,
      expect.stringContaining('from 100 to 40'),
      undefined,
    ]);
  });

  it('of an object is withheld with the other lists of the object', () => {
    const [, first, second] = check(
      { domains: list(10), subdomains: list(10) },
      { domains: list(10), subdomains: list(0) },
      { domains: list(10), subdomains: list(0) },
    );

    expect(first).toMatch(/^the list of subdomains shrank from 10 to 0/);
    expect(second).toBeUndefined();
  });

  it('that an answer does not contain counts as empty', () => {
    const [, without, again] = check({ domains: list(10), kind: 'x' }, {}, {});

    expect(without).toMatch(/^the list of domains shrank from 10 to 0/);
    expect(again).toBeUndefined();
  });

  it('of elements is withheld with the list, if all of them together lost over half of their elements', () => {
    const sites = (...lengths: readonly number[]) => lengths.map((length) => ({ domains: list(length) }));

    const refused = check(sites(5, 4), sites(0, 5), sites(2, 0), sites(2, 0), [{}, {}]).map((one) => one?.slice(0, 35));
    const shrank = 'the list of domains shrank from';
    expect(refused).toEqual([undefined, undefined, `${shrank} 5 t`, undefined, `${shrank} 2 t`]);
  });

  it.each([[undefined], [null], ['text'], [{ kind: 'x' }]])('may be missing in %j', (payload) => {
    expect(check(payload, payload)).toEqual([undefined, undefined]);
  });
});
