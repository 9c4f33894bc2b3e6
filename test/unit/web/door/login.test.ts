import { describe, expect, it, onTestFinished } from 'vitest';
import { BcryptThread } from '../../../../src/web/door/bcrypt-thread.ts';
import type { Comparison } from '../../../../src/web/door/bcrypt-worker.ts';
import { Login } from '../../../../src/web/door/login.ts';

const users = new Map([
  ['alice', 'hash of alice'],
  ['bob', 'hash of bob'],
]);

/** Comparisons that a test ends itself. A password matches a hash that contains it. */
function manualThread() {
  const comparisons: Comparison[] = [];
  const ends: (() => void)[] = [];
  const thread = {
    compare: (comparison: Comparison) => {
      comparisons.push(comparison);
      return new Promise<boolean>((resolve) => {
        ends.push(() => resolve(comparison.hash.includes(comparison.password)));
      });
    },
    stop: async () => {},
  };
  /** Ends all comparisons, including those that start meanwhile. */
  async function endAll(): Promise<void> {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }
  return { thread, comparisons, endAll };
}

function setUp() {
  const manual = manualThread();
  const login = new Login(manual.thread);
  const check = (user: string, password: string, { client = '192.0.2.1', exact = true, signal = neverAborted } = {}) =>
    login.check({ user, password, exact }, users, client, signal);
  return { ...manual, check };
}

const neverAborted = new AbortController().signal;

describe('a login', () => {
  it('is accepted with the password of its user only', async () => {
    const { check, endAll } = setUp();
    const outcomes = Promise.all([check('alice', 'alice'), check('alice', 'bob'), check('carol', 'hash of')]);

    await endAll();

    expect(await outcomes).toEqual(['accepted', 'refused', 'refused']);
  });

  it('is compared once, however often it is repeated', async () => {
    const { check, comparisons, endAll } = setUp();
    const right = Array.from({ length: 150 }, () => check('alice', 'alice'));
    const wrong = Array.from({ length: 150 }, () => check('alice', 'wrong'));

    await endAll();
    const later = await Promise.all([check('alice', 'alice'), check('alice', 'wrong')]);

    expect(new Set(await Promise.all(right))).toEqual(new Set(['accepted']));
    expect(new Set(await Promise.all(wrong))).toEqual(new Set(['refused']));
    expect(later).toEqual(['accepted', 'refused']);
    expect(comparisons).toHaveLength(2);
  });

  it('is refused if the password is not UTF-8, even if a similar one is right', async () => {
    const { check, endAll } = setUp();
    const outcomes = Promise.all([check('alice', 'alice', { exact: false }), check('alice', 'alice')]);

    await endAll();

    expect(await outcomes).toEqual(['refused', 'accepted']);
  });
});

describe('an unknown user', () => {
  const hashOf = (cost: number) => `$2b$${String(cost).padStart(2, '0')}$${'a'.repeat(53)}`;

  it.each([
    [10, 4, 31],
    [4, 10, 31],
    [31, 10, 4],
    [4, 4, 4],
  ])('costs one comparison with the cheapest hash of %i, %i and %i, for any name', async (...costs) => {
    const manual = manualThread();
    const login = new Login(manual.thread);
    const known = new Map(costs.map((cost, index) => [`user ${index}`, hashOf(cost)]));
    const names = Array.from({ length: 20 }, (_, index) => `stranger ${index}`);

    for (const user of names) void login.check({ user, password: 'x', exact: true }, known, '192.0.2.1', neverAborted);
    await manual.endAll();

    expect(manual.comparisons.map(({ hash }) => hash)).toEqual(names.map(() => hashOf(4)));
  });
});

describe('poisoning the cache (CVE-2022-46146)', () => {
  it('does not let anyone in with a name or password that contains a hash', async () => {
    const { check, endAll } = setUp();
    const attack = check('alicehash of alice', 'x');
    await endAll();
    const outcomes = Promise.all([attack, check('alice', 'hash of alicex'), check('alice', 'x')]);

    await endAll();

    expect(await outcomes).toEqual(['refused', 'refused', 'refused']);
  });
});

describe('many different logins', () => {
  it('are refused as busy beyond 50 that wait', async () => {
    const { check, comparisons, endAll } = setUp();
    const outcomes = Array.from({ length: 300 }, (_, attempt) => check('alice', `wrong ${attempt}`));

    await endAll();

    const count = (outcome: string, list: readonly string[]) => list.filter((one) => one === outcome).length;
    const settled = await Promise.all(outcomes);
    expect([count('refused', settled), count('busy', settled)]).toEqual([51, 249]);
    expect(comparisons).toHaveLength(51);
  });

  it('do not keep a client with another address waiting', async () => {
    const { check, comparisons, endAll } = setUp();
    for (let attempt = 0; attempt < 300; attempt += 1) void check('alice', `wrong ${attempt}`);
    const honest = check('alice', 'alice', { client: '192.0.2.2' });

    await endAll();

    expect(await honest).toBe('accepted');
    expect(comparisons.findIndex(({ password }) => password === 'alice')).toBeLessThanOrEqual(2);
  });

  it('are not compared for clients that left', async () => {
    const { check, comparisons, endAll } = setUp();
    const gone = new AbortController();
    const outcomes = ['x1', 'x2', 'x3'].map((password) => check('alice', password, { signal: gone.signal }));
    const shared = check('alice', 'x3');

    gone.abort();
    await endAll();

    expect(await Promise.all([...outcomes, shared])).toEqual(['refused', 'busy', 'refused', 'refused']);
    expect(comparisons.map(({ password }) => password)).toEqual(['x1', 'x3']);
  });
});

describe('a stop', () => {
  it('refuses the logins that wait as busy, and stops the thread', async () => {
    const { thread, comparisons, endAll } = manualThread();
    let stops = 0;
    const stop = async () => {
      stops += 1;
    };
    const login = new Login({ ...thread, stop });
    const check = (password: string) =>
      login.check({ user: 'alice', password, exact: true }, users, '192.0.2.1', neverAborted);
    const outcomes = ['alice', 'x1', 'x2'].map(check);

    await login.stop();
    await endAll();

    expect(await Promise.all(outcomes)).toEqual(['accepted', 'busy', 'busy']);
    expect([comparisons.length, stops]).toEqual([1, 1]);
  });
});

describe('a login whose comparison fails', () => {
  it('is busy, and is compared again the next time', async () => {
    let attempts = 0;
    const compare = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('the thread exited');
      return true;
    };
    const login = new Login({ compare, stop: async () => {} });
    const check = () =>
      login.check({ user: 'alice', password: 'alice', exact: true }, users, '192.0.2.1', neverAborted);

    expect([await check(), await check(), await check()]).toEqual(['busy', 'accepted', 'accepted']);
    expect(attempts).toBe(2);
  });
});

describe('the bcrypt thread', () => {
  const hash = '$2b$04$7FSFa/vT.STeMUvCicrEv.B31mIlC4S6ez9pW27NONGstmInofpkC';

  it.each(['$2a$', '$2b$', '$2y$'])('compares hashes of the version %s', async (version) => {
    const thread = new BcryptThread();
    onTestFinished(() => thread.stop());
    const compare = (password: string) => thread.compare({ password, hash: hash.replace('$2b$', version) });

    expect([await compare('dave123'), await compare('dave1234')]).toEqual([true, false]);
  });

  it('recovers after it died', async () => {
    const thread = new BcryptThread();
    onTestFinished(() => thread.stop());
    const slow = thread.compare({ password: 'x', hash: hash.replace('$04$', '$31$') });

    await thread.stop();

    await expect(slow).rejects.toThrow('the thread exited');
    expect(await thread.compare({ password: 'dave123', hash })).toBe(true);
  });
});
