import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/server.ts';
import { call, fixedClock, payload, send } from './api-caller.ts';

// What clients of the live provider and its documentation show, beyond the specification.
let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ dialect: 'provider', clock: fixedClock, requestsPerMinute: 0 });
});

afterEach(() => sandbox.close());

/** The payload of a successful call of `shop`. */
const shop = (method: string, parameters?: Record<string, string>) => payload(sandbox, 'shop', method, parameters);

const callJson = (method: string, data: object) =>
  call(sandbox, 'shop', method, { input_format: 'json', input_data: JSON.stringify(data) });

const changeRecords = async (fqdn: string, records: unknown) => {
  const { json } = await callJson('dns/changeRecords', { fqdn, records });
  return json.answer.result ?? json.answer.errors[0];
};

const zone = (fqdn: string) => shop('dns/getData', { fqdn });
const recordsOf = async (fqdn: string) => (await zone(fqdn)).records;

const domainId = async (fqdn: string) => {
  const list: { id: number; fqdn: string }[] = await shop('domain/getList');
  return String(list.find((domain) => domain.fqdn === fqdn)?.id);
};

const addSubdomain = async (subdomain: string): Promise<string> =>
  shop('domain/addSubdomainVirtual', { subdomain, domain_id: await domainId('teapots.example') });

describe('dns/changeRecords', () => {
  const fqdn = 'teapots.example';

  it('replaces the whole zone except for the name servers', async () => {
    await changeRecords(fqdn, { TXT: [{ priority: 10, value: 'only' }] });

    expect(await recordsOf(fqdn)).toEqual({
      TXT: [{ ttl: 600, txtdata: 'only' }],
      DNS: [{ value: 'ns1.provider.example' }, { value: 'ns2.provider.example' }],
      DNS_IP: [{ value: '' }, { value: '' }],
    });
    await changeRecords(fqdn, {});
    expect(Object.keys(await recordsOf(fqdn))).toEqual(['DNS', 'DNS_IP']);
    await changeRecords(fqdn, { A: [{ value: '203.0.113.1' }] });
    await changeRecords(fqdn, []);
    expect(Object.keys(await recordsOf(fqdn))).toEqual(['DNS', 'DNS_IP']);
  });

  it('accepts what dns/getData returns, mixed with the documented form', async () => {
    const all = {
      A: [{ ttl: 600, address: '203.0.113.1' }, { value: '203.0.113.2' }],
      AAAA: [{ address: '2001:db8::1', ttl: 300 }],
      MX: [
        { ttl: 600, exchange: 'mx1.example.', preference: 5 },
        { value: 'mx2.example.', priority: 20 },
      ],
      TXT: [{ ttl: 600, txtdata: 'one' }, { value: 'two' }],
      CAA: [{ ttl: 600, flags: 0, tag: 'issue', value: 'ca.example; account=1' }],
      SRV: [{ ttl: 600, priority: 1, weight: 2, port: 5060, target: 'sip.example.' }],
    };

    expect(await changeRecords(fqdn, all)).toBe(true);
    const first = await recordsOf(fqdn);
    expect(await changeRecords(fqdn, first)).toBe(true);

    const ttl = 600;
    expect(first).toMatchObject({
      A: ['203.0.113.1', '203.0.113.2'].map((address) => ({ ttl, address })),
      AAAA: [{ ttl, address: '2001:db8::1' }],
      MX: [
        { ttl, exchange: 'mx1.example.', preference: 5 },
        { ttl, exchange: 'mx2.example.', preference: 20 },
      ],
      TXT: ['one', 'two'].map((txtdata) => ({ ttl, txtdata })),
      CAA: all.CAA,
      SRV: all.SRV,
    });
    expect(await recordsOf(fqdn)).toEqual(first);
  });

  it('lets CNAME and NS of a subdomain stand alone', async () => {
    await addSubdomain('www');
    const www = 'www.teapots.example';

    await changeRecords(www, { ...(await recordsOf(www)), CNAME: [{ cname: fqdn, ttl: 600 }] });
    expect(await zone(www)).toMatchObject({ set_type: 3, is_subdomain: true });
    expect(await recordsOf(www)).toEqual({ CNAME: [{ ttl: 600, cname: fqdn }], DNS: [], DNS_IP: [] });

    await changeRecords(www, { NS: [{ nsdname: 'ns1.example' }, { value: 'ns2.example', priority: 20 }] });
    expect(await zone(www)).toMatchObject({ set_type: 2 });
    expect((await recordsOf(www)).NS).toEqual([
      { ttl: 600, nsdname: 'ns1.example' },
      { ttl: 600, nsdname: 'ns2.example' },
    ]);

    await changeRecords(www, { A: [{ value: '203.0.113.1' }], NS: [], CNAME: null });
    expect(await zone(www)).toMatchObject({ set_type: 1 });
  });

  it('changes only the name servers if only these are sent', async () => {
    const before = await recordsOf(fqdn);
    const own = [{ value: 'ns1.teapots.example' }, { value: 'ns.elsewhere.example' }];

    expect(await changeRecords(fqdn, { DNS: own, DNS_IP: [{ value: '203.0.113.1' }, { value: null }] })).toBe(true);

    expect(await zone(fqdn)).toMatchObject({ is_beget_dns: false });
    expect(await recordsOf(fqdn)).toEqual({ ...before, DNS: own, DNS_IP: [{ value: '203.0.113.1' }, { value: '' }] });
  });

  it('changes the name servers only of a domain that the provider manages', async () => {
    const { DNS, DNS_IP } = await recordsOf('images.teapots.example');
    await addSubdomain('www');

    expect(await changeRecords('images.teapots.example', { DNS, DNS_IP })).toBe(true);
    for (const name of ['images.teapots.example', 'www.teapots.example']) {
      expect(await changeRecords(name, { DNS: [{ value: 'ns.elsewhere.example' }] })).toMatchObject({
        error_code: 'INVALID_DATA',
      });
    }
  });
});

describe('names', () => {
  it.each(['_acme-challenge', '_acme-challenge.www', '_dmarc', 'mail._domainkey', '*', '*.www'])(
    'of subdomains may be %s, with DNS records and a PHP version but no mailboxes',
    async (label) => {
      const fqdn = `${label}.teapots.example`;

      const id = await addSubdomain(label);

      expect(await shop('domain/getSubdomainList')).toContainEqual(expect.objectContaining({ id, fqdn }));
      expect((await recordsOf(fqdn)).A).toEqual([{ ttl: 600, address: '198.51.100.84' }]);
      expect((await shop('domain/getPhpVersion', { full_fqdn: fqdn })).php_version).toBe('5.6');
      const { json } = await call(sandbox, 'shop', 'mail/getMailboxList', { domain: fqdn });
      expect(json.answer.errors[0].error_code).toBe('INVALID_DATA');
      await shop('domain/deleteSubdomain', { id });
      expect(sandbox.account('shop').subdomains).not.toContain(fqdn);
    },
  );

  const withoutSubdomain = ['_acme-challenge', '_acme-challenge.press', 'www', 'www.press', '_dmarc', '*', 'new'];

  it.each(withoutSubdomain)('below a domain need no subdomain: zone %s lasts as long as its records', async (label) => {
    const fqdn = `${label}.teapots-wholesale.example`;
    const getData = async () => (await callJson('dns/getData', { fqdn })).json.answer;
    const missing = { errors: [{ error_code: 'METHOD_FAILED', error_text: 'Failed to get DNS records' }] };

    expect(await getData()).toMatchObject(missing);
    expect(await changeRecords(fqdn, { TXT: [{ value: 'token' }] })).toBe(true);
    expect(await getData()).toEqual({
      status: 'success',
      result: {
        is_beget_dns: false,
        is_under_control: false,
        is_subdomain: false,
        fqdn,
        set_type: 1,
        records: { TXT: [{ ttl: 600, txtdata: 'token' }], DNS: [], DNS_IP: [] },
      },
    });
    expect(await changeRecords(fqdn, { TXT: [] })).toBe(true);
    expect(await getData()).toMatchObject(missing);
    expect(sandbox.account('shop').subdomains).toHaveLength(2);
  });

  it.each(['_acme-challenge.not-mine.example', 'not-mine.example', 'www.teapots', '_acme-challenge'])(
    'such as %s, outside the domains of the account, have no zone',
    async (fqdn) => {
      expect(await changeRecords(fqdn, { TXT: [{ value: 'token' }] })).toMatchObject({ error_code: 'METHOD_FAILED' });
    },
  );

  it('of a subdomain that was deleted can have records again', async () => {
    const id = await addSubdomain('press');
    await changeRecords('press.teapots.example', { A: [{ value: '203.0.113.1' }] });
    await shop('domain/deleteSubdomain', { id });

    expect(await changeRecords('press.teapots.example', { TXT: [{ value: 'token' }] })).toBe(true);
    expect(await recordsOf('press.teapots.example')).toMatchObject({ TXT: [{ txtdata: 'token' }] });
  });

  it('of subdomains are neither under control nor with name servers', async () => {
    await addSubdomain('press');

    const answer = await zone('press.teapots.example');

    const flags = { is_beget_dns: false, is_under_control: false, is_subdomain: true };
    expect(answer).toMatchObject({ ...flags, records: { DNS: [], DNS_IP: [] } });
  });

  it('of a challenge belong to its subdomain if there is one', async () => {
    const fqdn = '_acme-challenge.teapots.example';
    await changeRecords(fqdn, { TXT: [{ value: 'token' }] });

    await addSubdomain('_acme-challenge');
    await changeRecords(fqdn, { TXT: [] });

    expect(await recordsOf(fqdn)).toEqual({ DNS: [], DNS_IP: [] });
  });
});

it('the method of the load of sites has the name of the documentation, too', async () => {
  expect(await shop('stat/getSiteListLoad')).toEqual(await shop('stat/getSitesListLoad'));
});

it('a domain can use PHP 8.5', async () => {
  expect((await shop('domain/getPhpVersion', { full_fqdn: 'teapots.example' })).allowed_versions).toContain('8.5');
});

describe('domains', () => {
  it('can be added in a zone and deleted with everything below them', async () => {
    const zones = await shop('domain/getZoneList');
    const id = await shop('domain/addVirtual', { hostname: 'Чайник', zone_id: zones['испытание'].id });
    const added = (await shop('domain/getList')).at(-1);
    const fqdn = 'чайник.испытание';
    await shop('domain/addSubdomainVirtual', { subdomain: 'www', domain_id: id });
    await shop('mail/createMailbox', { domain: fqdn, mailbox: 'a', mailbox_password: 'longenough' });
    await shop('mail/setDomainMail', { domain: fqdn, domain_mailbox: `a@${fqdn}` });
    await shop('site/add', { name: fqdn });
    await changeRecords(`_acme-challenge.${fqdn}`, { TXT: [{ value: 'token' }] });

    await shop('domain/delete', { id });

    const unmanaged = { date_expire: null, registrar: null, is_under_control: 0 };
    expect(added).toMatchObject({ id, fqdn, date_add: '2026-03-16 14:20:00', ...unmanaged });
    const account = sandbox.account('shop');
    expect([...account.domains.map((domain) => domain.fqdn), ...account.subdomains]).not.toContain(fqdn);
    expect(account.subdomains).toHaveLength(2);
    expect(account.mailboxes.map(({ domain }) => domain)).not.toContain(fqdn);
    expect(account.sites.at(-1)).toMatchObject({ name: fqdn, domains: [] });
    expect(account.hidden.domainMailboxes).toEqual({});
    await shop('domain/addVirtual', { hostname: 'чайник', zone_id: '2' });
    const { json } = await callJson('dns/getData', { fqdn: `_acme-challenge.${fqdn}` });
    expect(json.answer.errors[0].error_code).toBe('METHOD_FAILED');
  });

  it('are refused beyond the plan', async () => {
    const outcomes = [];
    for (let index = 3; index <= 25; index += 1) {
      const { json } = await call(sandbox, 'shop', 'domain/addVirtual', { hostname: `new-${index}`, zone_id: '1' });
      outcomes.push(json.answer.errors?.[0].error_code ?? 'success');
    }

    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(22);
    expect(outcomes.at(-1)).toBe('LIMIT_ERROR');
  });

  it.each([
    ['free', 'new', '1', { may_be_registered: true, pay_type: 'money', price: 189 }],
    ['too expensive', 'new', '10', { may_be_registered: true, pay_type: null }],
    ['taken', 'teapots', '1', { may_be_registered: false, in_system: true }],
  ])('that are %s have an offer', async (_, hostname, period, offer) => {
    const parameters = { hostname, zone_id: '1', period };

    const answered = await shop('domain/checkDomainToRegister', parameters);

    expect(answered).toMatchObject({ bonus_domains: 0, balance: 633.27, ...offer });
  });

  it('have zones with prices, as texts on a legacy server', async () => {
    const legacy = await payload(sandbox, 'blog', 'domain/getZoneList');

    expect(legacy.example).toMatchObject({ id: '1', price_renew: '239', price_idn: null, is_idn: 'false' });
  });

  it('change their PHP version after a delay, and disable CGI without is_cgi', async () => {
    const change = (is_cgi: Record<string, string>) =>
      shop('domain/changePhpVersion', { full_fqdn: 'teapots.example', php_version: '8.4', ...is_cgi });
    const cgi = async () => (await shop('domain/getPhpVersion', { full_fqdn: 'teapots.example' })).cgi;

    await change({ is_cgi: 'true' });
    expect(await cgi()).toBe('enabled');
    await change({ is_cgi: 'false' });
    expect(await cgi()).toBe('disabled');
    await change({ is_cgi: '1' });
    await change({});
    expect(await cgi()).toBe('disabled');
  });
});

it('a task keeps the fields that an edit does not name', async () => {
  const [task] = await shop('cron/getList');

  await shop('cron/edit', { id: task.row_number, hours: '5' });

  expect((await shop('cron/getList'))[0]).toEqual({ ...task, hours: '5' });
});

it('the mailbox of a domain is found in any case', async () => {
  const { hidden } = sandbox.account('shop');

  await shop('mail/setDomainMail', {
    domain: 'teapots.example',
    domain_mailbox: 'Office@Teapots-Wholesale.example',
  });
  const set = sandbox.account('shop').hidden.domainMailboxes;
  await shop('mail/clearDomainMail', { domain: 'TEAPOTS.example' });

  expect([hidden.domainMailboxes, set]).toEqual([{}, { 'teapots.example': 'office@teapots-wholesale.example' }]);
  expect(sandbox.account('shop').hidden.domainMailboxes).toEqual({});
});

it('SSH is permitted for the account and for FTP accounts', async () => {
  const toggle = (parameters: Record<string, string>) => shop('user/toggleSsh', parameters);
  const { hidden } = sandbox.account('shop');

  expect(await toggle({ status: '1' })).toEqual([]);
  await toggle({ status: '1', ftplogin: 'shop_price' });
  await toggle({ status: '1', ftplogin: 'shop_images' });
  await toggle({ status: '0' });
  await shop('ftp/delete', { suffix: 'price' });

  expect(hidden.sshLogins).toEqual([]);
  expect(sandbox.account('shop').hidden.sshLogins).toEqual(['shop_images']);
  const { json } = await call(sandbox, 'shop', 'user/toggleSsh', { status: '1', ftplogin: 'shop_nobody' });
  expect(json.answer.errors[0].error_code).toBe('METHOD_FAILED');
});

it('an empty list of paths, and the end of freezing, remove the paths that stay writable', async () => {
  const id = sandbox.account('shop').sites[0]?.id;
  const excluded = () => sandbox.account('shop').hidden.excludedPaths;

  for (const excludedPaths of [['tmp', 'cache'], []]) {
    await callJson('site/freeze', { id, excludedPaths });
    expect(excluded()).toEqual({ 'teapots.example': excludedPaths });
  }
  await callJson('site/freeze', { id, excludedPaths: ['tmp'] });
  await callJson('site/unfreeze', { id });
  sandbox.account('shop').setFrozen('teapots.example', true);
  expect(excluded()).toEqual({ 'teapots.example': [] });
});

describe('a multipart body', () => {
  const multipart = async (form: FormData, change = (text: string) => text) => {
    const response = new Response(form);
    const headers = { 'content-type': change(response.headers.get('content-type') ?? '') };
    return send(`${sandbox.baseUrl}/mail/getMailboxList`, { method: 'POST', headers, body: await response.text() });
  };

  const form = (domain: string) => {
    const data = new FormData();
    data.set('login', 'shop');
    data.set('passwd', sandbox.account('shop').password);
    data.set('input_format', 'json');
    data.set('input_data', JSON.stringify({ domain }));
    data.set('upload', new File(['a'], 'a.txt'));
    return data;
  };

  it('is read, without its files', async () => {
    const { json } = await multipart(form('teapots.example'));

    expect(json.answer.result).toHaveLength(2);
  });

  it('is ignored without a boundary, and refused in the dialect of the specification', async () => {
    const { json } = await multipart(form('teapots.example'), () => 'multipart/form-data');
    await sandbox.close();
    sandbox = await startSandbox({ clock: fixedClock });

    expect(json.error_code).toBe('AUTH_ERROR');
    expect((await multipart(form('teapots.example'))).json.error_code).toBe('INCORRECT_REQUEST');
  });
});
