import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { clientNetwork, Login, parseBasicAuth } from '../../../src/web/door/login.ts';

const here = '192.0.2.1';
const hash = hashSync('alice', 4);
const fakeHash = '$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi';
const users = new Map([
  ['alice', hash],
  ['bob', hashSync('bob', 4)],
]);

function basic(text: string | Buffer): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function setUp(known: ReadonlyMap<string, string> = users) {
  const login = new Login();
  const check = (text: string | Buffer, address = here) => login.check(basic(text), known, address);
  /** Checks as many different wrong passwords at the same time. */
  const flood = (count: number, address = here) =>
    Array.from({ length: count }, (_, attempt) => check(`alice:wrong ${attempt} ${address}`, address));
  return { login, check, flood };
}

function count(outcome: string, outcomes: readonly string[]): number {
  return outcomes.filter((one) => one === outcome).length;
}

describe('a login', () => {
  it.each([
    ['alice:alice', 'accepted'],
    ['bob:bob', 'accepted'],
    ['alice:bob', 'refused'],
    ['carol:alice', 'refused'],
    ['constructor:alice', 'refused'],
    // Poisons the cache of other exporters (CVE-2022-46146), which compare passwords of unknown users with this hash.
    ['fakeuser:fakepassword', 'refused'],
    [`alice${hash}:fakepassword`, 'refused'],
    [`alice:${fakeHash}fakepassword`, 'refused'],
    [`alice:${hash}fakepassword`, 'refused'],
    [`alice:${hash}`, 'refused'],
  ])('with %s is %s', async (text, outcome) => {
    const { check } = setUp();

    expect([await check(text), await check(text)]).toEqual([outcome, outcome]);
  });

  it('is refused if the password is not UTF-8, even if a similar one is right', async () => {
    const { check } = setUp(new Map([['alice', hashSync('\ufffd', 4)]]));

    expect(await check('alice:\ufffd')).toBe('accepted');
    expect(await check(Buffer.from('alice:\xff', 'latin1'))).toBe('refused');
  });

  it.each(['$2a$', '$2b$', '$2y$'])('is compared with hashes of the version %s', async (version) => {
    const { check } = setUp(new Map([['alice', hash.replace('$2b$', version)]]));

    expect([await check('alice:alice'), await check('alice:alicf')]).toEqual(['accepted', 'refused']);
  });

  it('is refused after its user was renamed or removed, or got another password', async () => {
    const { login } = setUp();
    const check = (known: ReadonlyMap<string, string>) => login.check(basic('alice:alice'), known, here);
    const before = await check(users);

    const renamed = await check(new Map([['ecila', hash]]));
    const changed = await check(new Map([['alice', hashSync('bob', 4)]]));

    expect([before, renamed, changed]).toEqual(['accepted', 'refused', 'refused']);
  });
});

describe('many logins at the same time', () => {
  it('with the same user and password share one comparison', async () => {
    const { check } = setUp();

    const outcomes = Array.from({ length: 300 }, (_, index) => check(index % 2 === 0 ? 'alice:alice' : 'alice:bob'));
    const settled = await Promise.all(outcomes);

    expect([count('accepted', settled), count('refused', settled)]).toEqual([150, 150]);
  });

  it('are busy beyond 8 of a client network, and beyond 40 in all', async () => {
    const { flood } = setUp();
    const networks = Array.from({ length: 6 }, (_, index) => `192.0.2.${index}`);

    const outcomes = await Promise.all(networks.map((address) => Promise.all(flood(20, address))));

    expect(outcomes.map((all) => count('refused', all))).toEqual([8, 8, 8, 8, 8, 0]);
    expect(outcomes.flat().filter((outcome) => !['refused', 'busy'].includes(outcome))).toEqual([]);
  });

  it('make room for others when their comparison ends', async () => {
    const { check, flood } = setUp();
    await Promise.all(flood(20));

    expect(await check('alice:alice')).toBe('accepted');
  });

  it('wait for their turn: the client networks alternate', async () => {
    const { check, flood } = setUp();
    const order: string[] = [];
    const outcomes = flood(8).map((outcome, index) => outcome.then(() => order.push(`flood ${index}`)));
    outcomes.push(check('alice:alice', '192.0.2.2').then((outcome) => order.push(outcome)));

    await Promise.all(outcomes);

    expect(order.slice(0, 2)).toEqual(['flood 0', 'accepted']);
    expect(order.slice(2)).toEqual(Array.from({ length: 7 }, (_, index) => `flood ${index + 1}`));
  });

  it('neither delay nor displace a login that was accepted before', async () => {
    const { check, flood } = setUp();
    await check('alice:alice');
    const flooded = flood(1000);

    const first = await Promise.race([check('alice:alice'), ...flooded.slice(0, 8)]);
    await Promise.all(flooded);

    expect(first).toBe('accepted');
  });

  it('displace the accepted login that was not used for the longest time, beyond 100', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `user${index}`);
    const { check, flood } = setUp(new Map(['alice', ...names].map((name) => [name, hash])));
    for (const name of names.slice(0, 100)) await check(`${name}:alice`);
    await check('user0:alice');
    await check('user100:alice');
    const flooded = flood(8);

    const cached = await Promise.all(['user0', 'user1', 'user2', 'user100'].map((name) => check(`${name}:alice`)));
    await Promise.all(flooded);

    expect(cached).toEqual(['accepted', 'busy', 'accepted', 'accepted']);
  });
});

describe('an Authorization header', () => {
  it.each([
    ['user:password', 'user', 'password'],
    ['user:pass:word', 'user', 'pass:word'],
    ['user:two\nlines', 'user', 'two\nlines'],
    [':', '', ''],
    ['пользователь:пароль', 'пользователь', 'пароль'],
  ])('of %j has a user and a password', (text, user, password) => {
    const header = basic(text);
    const spellings = [header, header.replace('Basic', 'bAsIc'), header.replace(' ', '   ')];

    expect(spellings.map(parseBasicAuth)).toEqual(spellings.map(() => ({ user, password })));
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic ',
    'Bearer YTpi',
    'Basic !!!',
    `${basic('a:b')} x`,
    `Other${basic('a:b')}`,
    basic('no colon'),
    basic(Buffer.from('a:\xff', 'latin1')),
  ])('of %s has none', (header) => {
    expect(parseBasicAuth(header)).toBeUndefined();
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
  ['::1', ':0:0:0'],
  ['', ''],
])('the network of the client %s is %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
