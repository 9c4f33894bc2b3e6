import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { call, fixedClock, payload } from './api-caller.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ clock: fixedClock, requestsPerMinute: 0 });
});

afterAll(() => sandbox.close());

const codeOf = async (method: string, parameters: Record<string, string>, login = 'shop') => {
  const { json } = await call(sandbox, login, method, parameters);
  return json.status === 'success' ? 'success' : json.error_code;
};

const record = (type: string, value: string) => ({ 'records[0][type]': type, 'records[0][value]': value });

describe('DNS records', () => {
  const fqdn = 'teapots-wholesale.example';

  it.each([
    ['A', '203.0.113.7'],
    ['a', '0.0.0.0'],
    ['AAAA', '2001:db8::1'],
    ['AAAA', '::ffff:203.0.113.7'],
    ['CNAME', 'target.example.'],
    ['CNAME', '_acme.key_1.example'],
    ['MX', 'mx1.почта.испытание'],
    ['NS', 'ns1.example.'],
    ['TXT', 'v=spf1 a:x/24 -all'],
  ])('accept %s %s', async (type, value) => {
    expect(await codeOf('dns/addRecords', { fqdn, ...record(type, value) })).toBe('success');
  });

  it.each([
    ['A', '256.0.0.1'],
    ['A', '1.2.3'],
    ['A', '01.2.3.4'],
    ['A', '1.2.3.4/24'],
    ['A', '1.2.3.4 '],
    ['A', '2001:db8::1'],
    ['A', 'host.example'],
    ['AAAA', '203.0.113.7'],
    ['AAAA', '2001:db8:::1'],
    ['AAAA', 'fe80::1%eth0'],
    ['AAAA', '[2001:db8::1]'],
    ['CNAME', 'http://target.example'],
    ['CNAME', 'target..example'],
    ['MX', 'mx1.example:25'],
    ['MX', 'user@mx1.example'],
    ['NS', `${'a'.repeat(64)}.example`],
    ['TXT', ''],
    ['HTTPS', '1 .'],
    ['A A', '203.0.113.7'],
    ['', '203.0.113.7'],
  ])('refuse %s %s', async (type, value) => {
    expect(await codeOf('dns/addRecords', { fqdn, ...record(type, value) })).toBe('INCORRECT_REQUEST');
  });

  it.each(['-1', '1.5', '65536', 'high'])('refuse the priority %s', async (priority) => {
    const parameters = { fqdn, ...record('MX', 'mx1.example.'), 'records[0][priority]': priority };

    expect(await codeOf('dns/addRecords', parameters)).toBe('INCORRECT_REQUEST');
  });

  it.each(['records[-1]', 'records[1]', 'records[01]', 'records[0.5]', 'records[a]', 'records[ 0]', 'records'])(
    'refuse the index in %s, which is not a zero-based integer',
    async (name) => {
      const parameters = { fqdn, [`${name}[type]`]: 'A', [`${name}[value]`]: '203.0.113.7' };

      expect(await codeOf('dns/addRecords', parameters)).toBe('INCORRECT_REQUEST');
    },
  );

  it('refuse indices with a gap, and accept them in any order', async () => {
    const records = (...indices: number[]) =>
      Object.fromEntries(
        indices.flatMap((index) => [
          [`records[${index}][type]`, 'A'],
          [`records[${index}][value]`, `203.0.113.${10 + index}`],
        ]),
      );

    expect(await codeOf('dns/changeRecords', { fqdn, ...records(0, 2) })).toBe('INCORRECT_REQUEST');
    expect(await codeOf('dns/changeRecords', { fqdn, ...records(1, 0) })).toBe('success');
    const { records: saved } = await payload(sandbox, 'shop', 'dns/getData', { fqdn });
    expect(saved.A.map(({ value }: { value: string }) => value)).toEqual(['203.0.113.10', '203.0.113.11']);
  });

  it('match an IPv6 address in any notation, and a name in any case', async () => {
    await payload(sandbox, 'shop', 'dns/changeRecords', { fqdn, ...record('AAAA', '2001:0DB8:0:0::42') });
    await payload(sandbox, 'shop', 'dns/deleteRecords', { fqdn, ...record('AAAA', '2001:db8::42') });
    await payload(sandbox, 'shop', 'dns/changeRecords', { fqdn, ...record('MX', 'MX9.example.') });

    expect(await codeOf('dns/deleteRecords', { fqdn, ...record('MX', 'mx9.EXAMPLE.') })).toBe('success');
  });
});

describe('domain names', () => {
  it.each([
    ['shop', 'TEAPOTS.example', 'teapots.example'],
    ['agency', 'xn--80ajpngj0i.xn--80akhbyknj4f', 'пекарня.испытание'],
    ['agency', 'ПЕКАРНЯ.Испытание', 'пекарня.испытание'],
  ])('of %s match in upper case, lower case and punycode: %s', async (login, fqdn, found) => {
    expect((await payload(sandbox, login, 'dns/getData', { fqdn })).fqdn).toBe(found);
  });

  it.each([
    'u@teapots.example:80',
    'teapots.example:80',
    'u@teapots.example',
    'teapots.example/x',
    'teapots.example?x',
    'teapots.example#x',
    'http://teapots.example',
    'teapots.example\\x',
    'teapots%2eexample',
    ' teapots.example',
    'tea\tpots.example',
    'teapots..example',
    '.teapots.example',
    '*a.teapots.example',
    'a.*.teapots.example',
    '-teapots.example',
    `${'a'.repeat(64)}.example`,
  ])('cannot be %j', async (fqdn) => {
    for (const method of ['dns/getData', 'domain/getPhpVersion', 'domain/deleteSubdomain', 'domain/addSubdomain']) {
      expect([method, await codeOf(method, { fqdn })]).toEqual([method, 'INCORRECT_REQUEST']);
    }
  });

  it.each(['a@b', 'a/b', 'a b', 'a:80', '-a', 'a-', 'a..b', '', '**', 'x'.repeat(64)])(
    'of subdomains do not begin with %j',
    async (label) => {
      expect(await codeOf('domain/addSubdomain', { fqdn: `${label}.teapots.example` })).toBe('INCORRECT_REQUEST');
    },
  );

  it('of subdomains are unique in any case and in punycode, and spelled like their parent', async () => {
    await payload(sandbox, 'agency', 'domain/addSubdomain', { fqdn: 'XN--80ADJ7A4B.Пекарня.испытание' });

    const added = sandbox.account('agency').subdomains.at(-1);
    expect(added).toMatch(/^\p{Script=Cyrillic}+\.пекарня\.испытание$/u);
    expect(await codeOf('domain/addSubdomain', { fqdn: added ?? '' }, 'agency')).toBe('METHOD_ERROR');
    expect(await codeOf('domain/addSubdomain', { fqdn: 'Images.teapots.example' })).toBe('METHOD_ERROR');
    expect(await codeOf('site/add', { name: 'TEAPOTS.example' })).toBe('METHOD_ERROR');
  });
});

describe('PHP versions', () => {
  const fqdn = 'teapots.example';
  const version = async () => (await payload(sandbox, 'shop', 'domain/getPhpVersion', { fqdn })).php_version;

  it.each(['8', '8.3.1', 'v8.3', 'php8.3', '8.03', '08.3', '8,3', '8.3 ', '9.9', '83'])(
    'have the form major, dot, minor, unlike %j',
    async (php_version) => {
      await payload(sandbox, 'shop', 'domain/changePhpVersion', { fqdn, php_version: '8.3' });

      expect(await codeOf('domain/changePhpVersion', { fqdn, php_version })).toBe('INCORRECT_REQUEST');
      expect(await version()).toBe('8.3');
    },
  );
});

describe('cron tasks', () => {
  const task = { minutes: '0', hours: '0', days: '1', months: '1', weekdays: '0', command: 'true' };

  it.each([
    ['minutes', '*/5'],
    ['minutes', '0,15,30-45/5'],
    ['hours', '23'],
    ['days', '1-31/2'],
    ['months', 'JAN-mar,12'],
    ['weekdays', 'mon-fri'],
    ['weekdays', '7'],
  ])('accept %s %s', async (field, value) => {
    expect(await codeOf('cron/add', { ...task, [field]: value })).toBe('success');
  });

  it.each([
    ['minutes', '60'],
    ['minutes', '-1'],
    ['minutes', '*/0'],
    ['minutes', '1/2/3'],
    ['minutes', '5-1'],
    ['minutes', '1-2-3'],
    ['minutes', '1,,2'],
    ['minutes', '* *'],
    ['minutes', '1.5'],
    ['minutes', 'jan'],
    ['hours', '24'],
    ['days', '0'],
    ['days', 'L'],
    ['months', '13'],
    ['months', 'mon'],
    ['weekdays', '8'],
    ['weekdays', '5#2'],
    ['command', 'true\nrm'],
    ['command', ''],
  ])('refuse %s %j', async (field, value) => {
    expect(await codeOf('cron/add', { ...task, [field]: value })).toBe('INCORRECT_REQUEST');
  });

  it('stay unchanged if one field of an edit is invalid', async () => {
    const [before] = await payload(sandbox, 'blog', 'cron/getList');
    const edit = { row_number: String(before.row_number), hours: '3', weekdays: '9' };

    expect(await codeOf('cron/edit', edit, 'blog')).toBe('INCORRECT_REQUEST');
    expect(await payload(sandbox, 'blog', 'cron/getList')).toEqual([before]);
  });
});

describe('mail', () => {
  const mailbox = { domain: 'teapots.example', mailbox: 'orders' };

  it.each(['a@b.example', 'первый.второй+метка@почта.испытание'])('can be forwarded to %s', async (target) => {
    expect(await codeOf('mail/setForward', { ...mailbox, forward_mailbox: target })).toBe('success');
  });

  it.each([
    'a',
    '@b.example',
    'a@',
    'a@b',
    'a@@b.example',
    'a b@b.example',
    'a@b.example:25',
    '.a@b.example',
    'a..b@b.example',
  ])('cannot be forwarded to %j', async (target) => {
    expect(await codeOf('mail/setForward', { ...mailbox, forward_mailbox: target })).toBe('INCORRECT_REQUEST');
  });

  it('ignores upper and lower case in the names of mailboxes', async () => {
    const parameters = { domain: 'TEAPOTS.example', mailbox: 'Orders', mailbox_password: 'longenough' };

    expect(await codeOf('mail/createMailbox', parameters)).toBe('METHOD_ERROR');
    expect(await codeOf('mail/createMailbox', { ...parameters, mailbox: '.x' })).toBe('INCORRECT_REQUEST');
    expect(await codeOf('mail/changePassword', parameters)).toBe('success');
  });
});

describe('hosts with access to a database', () => {
  it.each([
    ['192.0.2.5', 'success'],
    ['2001:db8::5', 'success'],
    ['*', 'success'],
    ['localhost', 'success'],
    ['%', 'INVALID_DATA'],
    ['*.client.example', 'INVALID_DATA'],
    ['db.client.example', 'success'],
    ['192.0.2.5:3306', 'INVALID_DATA'],
    ['a b', 'INVALID_DATA'],
  ])('may be %s: %s', async (access, outcome) => {
    const provider = await startSandbox({ dialect: 'provider', clock: fixedClock, requestsPerMinute: 0 });

    const { json } = await call(provider, 'shop', 'mysql/addAccess', { suffix: 'main', access, password: 'p' });
    await provider.close();

    expect(json.answer.errors?.[0].error_code ?? json.status).toBe(outcome);
  });
});
