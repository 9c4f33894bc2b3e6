import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shop } from '../src/accounts/shop.ts';
import type { Dialect } from '../src/dialect.ts';
import type { Json } from '../src/json.ts';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { call, fixedClock, payload } from './api-caller.ts';
import type { Step } from './api-calls.ts';
import { runStep } from './effects.ts';

const sandboxes: Partial<Record<Dialect, Sandbox>> = {};
let sandbox: Sandbox;

beforeAll(async () => {
  const options = { clock: fixedClock, requestsPerMinute: 0 };
  sandbox = await startSandbox(options);
  sandboxes.specification = sandbox;
  sandboxes.provider = await startSandbox({ ...options, dialect: 'provider', accounts: [shop] });
});

afterAll(() => Promise.all(Object.values(sandboxes).map((one) => one.close())));

const fqdn = 'teapots-wholesale.example';
const mailbox = { domain: 'teapots.example', mailbox: 'orders' };
const task = { minutes: '0', hours: '0', days: '1', months: '1', weekdays: '0', command: 'true' };
const addRecord = (type: string) => (value: string) =>
  ['dns/addRecords', { fqdn, records: [{ type, value }] }] as const;
const addTask = (field: string) => (value: string) => ['cron/add', { ...task, [field]: value }] as const;
const priority = (value: string) =>
  ['dns/addRecords', { fqdn, records: [{ type: 'MX', value: 'mx1.example.', priority: value }] }] as const;
const zone = (name: Json) => ['dns/getData', { fqdn: name }] as const;
const names = [
  ...['u@teapots.example:80', 'teapots.example:80', 'u@teapots.example', 'teapots.example/x', 'teapots.example?x'],
  ...['teapots.example#x', 'http://teapots.example', 'teapots.example\\x', 'teapots%2eexample', ' teapots.example'],
  ...['tea\tpots.example', 'teapots..example', '.teapots.example', '*a.teapots.example', 'a.*.teapots.example'],
  ...['-teapots.example', `${'a'.repeat(64)}.example`],
];
const labels = ['a@b', 'a/b', 'a b', 'a:80', '-a', 'a-', 'a..b', '', '**', 'x'.repeat(64)];

type Row = [what: string, stepOf: (value: string) => Step, accepted: readonly string[], refused: readonly string[]];

const rows: readonly Row[] = [
  [
    'a record of type A',
    addRecord('A'),
    ['203.0.113.7', '0.0.0.0'],
    ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4/24', '1.2.3.4 ', '2001:db8::1', 'host.example'],
  ],
  [
    'a record of type AAAA',
    addRecord('AAAA'),
    ['2001:db8::1', '::ffff:203.0.113.7'],
    ['203.0.113.7', '2001:db8:::1', 'fe80::1%eth0', '[2001:db8::1]'],
  ],
  [
    'a record of type CNAME',
    addRecord('CNAME'),
    ['target.example.', '_acme.key_1.example'],
    ['http://target.example', 'target..example'],
  ],
  ['a record of type MX', addRecord('MX'), ['mx1.почта.испытание'], ['mx1.example:25', 'user@mx1.example']],
  ['a record of type NS', addRecord('NS'), ['ns1.example.'], [`${'a'.repeat(64)}.example`]],
  ['a record of type TXT', addRecord('TXT'), ['v=spf1 a:x/24 -all'], ['']],
  ['a type of record', (type) => addRecord(type)('203.0.113.7'), ['A', 'a'], ['HTTPS', 'A A', '']],
  ['a priority', priority, ['0', '65535'], ['-1', '1.5', '65536', 'high']],
  ['a domain name', zone, ['teapots.example'], names],
  ['a subdomain', (label) => ['domain/addSubdomain', { fqdn: `${label}.${fqdn}` }], ['*', '_a', 'a-b'], labels],
  ...['domain/getPhpVersion', 'domain/deleteSubdomain', 'domain/addSubdomain'].map(
    (method): Row => [`a name for ${method}`, (name) => [method, { fqdn: name }], [], names],
  ),
  [
    'a PHP version',
    (php_version) => ['domain/changePhpVersion', { fqdn, php_version }],
    ['8.3'],
    ['8', '8.3.1', 'v8.3', 'php8.3', '8.03', '08.3', '8,3', '8.3 ', '9.9', '83'],
  ],
  [
    'the minutes of a task',
    addTask('minutes'),
    ['*/5', '0,15,30-45/5', '59'],
    ['60', '-1', '*/0', '1/2/3', '5-1', '1-2-3', '1,,2', '* *', '1.5', 'jan'],
  ],
  ['the hours of a task', addTask('hours'), ['23'], ['24']],
  ['the days of a task', addTask('days'), ['1-31/2'], ['0', 'L', '32']],
  ['the months of a task', addTask('months'), ['JAN-mar,12'], ['13', 'mon']],
  ['the weekdays of a task', addTask('weekdays'), ['mon-fri', '7'], ['8', '5#2']],
  ['the command of a task', addTask('command'), ['true'], ['true\nrm', '']],
  [
    'a forwarding address',
    (forward_mailbox) => ['mail/setForward', { ...mailbox, forward_mailbox }],
    ['a@b.example', 'первый.второй+метка@почта.испытание'],
    [
      'a',
      '@b.example',
      'a@',
      'a@b',
      'a@@b.example',
      'a b@b.example',
      'a@b.example:25',
      '.a@b.example',
      'a..b@b.example',
    ],
  ],
];

const hosts: Row = [
  'a host with access to a database',
  (access) => ['mysql/addAccess', { suffix: 'main', access, password: 'p' }],
  ['192.0.2.5', '2001:db8::5', '*', 'localhost', 'db.client.example'],
  ['%', '*.client.example', '192.0.2.5:3306', 'a b', 'fe80::1%eth0'],
];

it.each<[Dialect, ...Row]>([
  ...rows.map((row): [Dialect, ...Row] => ['specification', ...row]),
  ['provider', ...hosts],
])('the value of a parameter in the %s dialect is checked: %s', async (dialect, _, stepOf, accepted, refused) => {
  const one = sandboxes[dialect] ?? sandbox;
  const code = dialect === 'provider' ? 'INVALID_DATA' : 'INCORRECT_REQUEST';

  for (const value of accepted) expect(await runStep(one, stepOf(value)), value).not.toHaveProperty('error_code');
  for (const value of refused) expect(await runStep(one, stepOf(value)), value).toMatchObject({ error_code: code });
});

const codeOf = async (method: string, parameters: Record<string, string>, login = 'shop') => {
  const { json } = await call(sandbox, login, method, parameters);
  return json.status === 'success' ? 'success' : json.error_code;
};
const record = (type: string, value: string, index = 'records[0]') => ({
  [`${index}[type]`]: type,
  [`${index}[value]`]: value,
});

describe('a list', () => {
  it.each(['records[-1]', 'records[1]', 'records[01]', 'records[0.5]', 'records[a]', 'records[ 0]', 'records'])(
    'has no index %s, because indices count from 0',
    async (index) => {
      expect(await codeOf('dns/addRecords', { fqdn, ...record('A', '203.0.113.7', index) })).toBe('INCORRECT_REQUEST');
    },
  );

  it('has indices without a gap, in any order', async () => {
    const records = (...indices: number[]) =>
      Object.assign({}, ...indices.map((index) => record('A', `203.0.113.${10 + index}`, `records[${index}]`)));

    expect(await codeOf('dns/changeRecords', { fqdn, ...records(0, 2) })).toBe('INCORRECT_REQUEST');
    expect(await codeOf('dns/changeRecords', { fqdn, ...records(1, 0) })).toBe('success');
    const { records: saved } = await payload(sandbox, 'shop', 'dns/getData', { fqdn });
    expect(saved.A.map(({ value }: { value: string }) => value)).toEqual(['203.0.113.10', '203.0.113.11']);
  });
});

describe('equal values', () => {
  it('of records are IPv6 addresses in any notation and names in any case, but texts only in the same case', async () => {
    await payload(sandbox, 'shop', 'dns/changeRecords', { fqdn, ...record('AAAA', '2001:0DB8:0:0::42') });
    await payload(sandbox, 'shop', 'dns/deleteRecords', { fqdn, ...record('AAAA', '2001:db8::42') });
    await payload(sandbox, 'shop', 'dns/changeRecords', { fqdn, ...record('MX', 'MX9.example.') });
    await payload(sandbox, 'shop', 'dns/changeRecords', { fqdn, ...record('TXT', 'Token') });

    expect(await codeOf('dns/deleteRecords', { fqdn, ...record('MX', 'mx9.EXAMPLE.') })).toBe('success');
    expect(await codeOf('dns/deleteRecords', { fqdn, ...record('TXT', 'token') })).toBe('METHOD_ERROR');
  });

  it.each([
    ['shop', 'TEAPOTS.example', 'teapots.example'],
    ['agency', 'xn--80ajpngj0i.xn--80akhbyknj4f', 'пекарня.испытание'],
    ['agency', 'ПЕКАРНЯ.Испытание', 'пекарня.испытание'],
  ])('of %s are names in upper case, lower case and punycode: %s', async (login, name, found) => {
    expect((await payload(sandbox, login, 'dns/getData', { fqdn: name })).fqdn).toBe(found);
  });

  it('of subdomains are in any case and in punycode, and are spelled like their parent', async () => {
    await payload(sandbox, 'agency', 'domain/addSubdomain', { fqdn: 'XN--80ADJ7A4B.Пекарня.испытание' });

    const added = sandbox.account('agency').subdomains.at(-1);
    expect(added).toMatch(/^\p{Script=Cyrillic}+\.пекарня\.испытание$/u);
    expect(await codeOf('domain/addSubdomain', { fqdn: added ?? '' }, 'agency')).toBe('METHOD_ERROR');
    expect(await codeOf('domain/addSubdomain', { fqdn: 'Images.teapots.example' })).toBe('METHOD_ERROR');
    expect(await codeOf('site/add', { name: 'TEAPOTS.example' })).toBe('METHOD_ERROR');
  });

  it('of mailboxes are in any case', async () => {
    const parameters = { domain: 'TEAPOTS.example', mailbox: 'Orders', mailbox_password: 'longenough' };

    expect(await codeOf('mail/createMailbox', parameters)).toBe('METHOD_ERROR');
    expect(await codeOf('mail/createMailbox', { ...parameters, mailbox: '.x' })).toBe('INCORRECT_REQUEST');
    expect(await codeOf('mail/changePassword', parameters)).toBe('success');
  });
});

it('a task stays unchanged if one field of an edit is invalid', async () => {
  const [before] = await payload(sandbox, 'blog', 'cron/getList');
  const edit = { row_number: String(before.row_number), hours: '3', weekdays: '9' };

  expect(await codeOf('cron/edit', edit, 'blog')).toBe('INCORRECT_REQUEST');
  expect(await payload(sandbox, 'blog', 'cron/getList')).toEqual([before]);
});
