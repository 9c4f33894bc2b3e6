import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Agent, setGlobalDispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { shop } from '../../sandbox/src/accounts/shop.ts';
import type { Json } from '../../sandbox/src/json.ts';
import { methodsOf } from '../../sandbox/src/methods/list.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import { fixedClock } from '../../sandbox/test/api-caller.ts';
import { type ApiCall, apiCalls, ids } from '../../sandbox/test/api-calls.ts';
import { everythingOf, outcomeOf, runStep } from '../../sandbox/test/effects.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { Client } from './client.ts';
import { legoDriver, pythonOf } from './install.ts';
import type { PythonClient } from './versions.ts';

// Each test has a new sandbox on the same port, because clients keep their base URL.
let port = 0;

// Disables keep-alive, so that the connections of a test end before the next test.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({
    dialect: 'provider',
    accounts: [shop],
    clock: fixedClock,
    requestsPerMinute: 0,
    port,
  });
  port = Number(new URL(sandbox.baseUrl).port);
});

afterEach(() => sandbox.close());

const driver = join(import.meta.dirname, 'driver.py');
const { login, password } = shop;

/** Starts a client. `folder` is for its files, if it needs any. */
function startPython(client: PythonClient, folder = ''): Client {
  return new Client(pythonOf(client), [driver, client, `http://127.0.0.1:${port}/api`, login, password, folder]);
}

const calls = apiCalls.provider.map((one) => [one[0], one] as const);

async function prepare([, , before = []]: ApiCall): Promise<void> {
  for (const step of before) await runStep(sandbox, step);
}

const recordsOf = async (fqdn: string) => {
  const answer = (await runStep(sandbox, ['dns/getData', { fqdn }])) as {
    readonly records?: Readonly<Record<string, readonly Readonly<Record<string, Json>>[]>>;
  };
  return answer.records ?? {};
};

describe('begetAPI', () => {
  let client: Client;

  beforeAll(async () => {
    const first = await startSandbox();
    port = Number(new URL(first.baseUrl).port);
    await first.close();
    client = startPython('begetAPI');
  });

  afterAll(() => client.close());

  it('has exactly the methods of the sandbox', async () => {
    const { result } = await client.run({ do: 'methods' });

    expect(result.toSorted()).toEqual([...methodsOf('provider').keys()].sort());
  });

  describe.each([
    ['GET', false],
    ['POST', true],
  ] as const)('with %s', (_, asynchronous) => {
    it.each(calls)('calls %s', async (method, one) => {
      await prepare(one);
      const { excludedPaths, ftplogin, ...others } = one[1] ?? {};
      const parameters = {
        ...others,
        ...(excludedPaths === undefined ? {} : { excluded_paths: excludedPaths }),
        ...(ftplogin === undefined ? {} : { ftp_login: ftplogin }),
      };

      const { result, everything } = await outcomeOf('provider', one);

      const answered = await client.run({ do: 'call', method, parameters, asynchronous });

      expect(answered).toEqual({
        result: { is_success: true, error_code: '', answer: { status: 'success', result } },
      });
      expect(everythingOf(sandbox)).toEqual(everything);
    });
  });

  it('reports success for a failed method, and sends the password of one method without TLS', async () => {
    const parameters = { fqdn: 'not-mine.example' };

    const failed = await client.run({ do: 'call', method: 'dns/getData', parameters, asynchronous: false });
    const { result } = await client.run({ do: 'urls' });

    expect(failed.result).toMatchObject({ is_success: true, error_code: '', answer: { status: 'error' } });
    expect(result.filter((url: string) => !url.startsWith('https:')).map((url: string) => url.slice(-21))).toEqual([
      '/domain/getPhpVersion',
    ]);
  });
});

/** The tool for each method, with the tool's names of the parameters. */
const tools: Readonly<Record<string, readonly [tool: string, renamed?: Readonly<Record<string, string>>]>> = {
  'user/getAccountInfo': ['account_info'],
  'user/toggleSsh': ['toggle_ssh'],
  'stat/getSitesListLoad': ['stat_site_list_load'],
  'stat/getDbListLoad': ['stat_db_list_load'],
  'stat/getSiteLoad': ['stat_site_load'],
  'stat/getDbLoad': ['stat_db_load'],
  'backup/getFileBackupList': ['backup_files_list'],
  'backup/getMysqlBackupList': ['backup_mysql_list'],
  'backup/getFileList': ['backup_file_list'],
  'backup/getMysqlList': ['backup_mysql_db_list'],
  'backup/restoreFile': ['backup_restore_file'],
  'backup/restoreMysql': ['backup_restore_mysql', { bases: 'databases' }],
  'backup/downloadFile': ['backup_download_file'],
  'backup/downloadMysql': ['backup_download_mysql'],
  'backup/getLog': ['backup_log'],
  'cron/getList': ['cron_list'],
  'cron/add': ['cron_add'],
  'cron/delete': ['cron_delete', { row_number: 'task_id' }],
  'cron/edit': ['cron_edit', { id: 'task_id' }],
  'cron/changeHiddenState': ['cron_toggle', { row_number: 'task_id' }],
  'cron/getEmail': ['cron_get_email'],
  'cron/setEmail': ['cron_set_email'],
  'domain/getList': ['domain_list'],
  'domain/getZoneList': ['domain_zones'],
  'domain/addVirtual': ['domain_add'],
  'domain/delete': ['domain_delete', { id: 'domain_id' }],
  'domain/checkDomainToRegister': ['domain_check_to_register'],
  'domain/getSubdomainList': ['domain_subdomains'],
  'domain/deleteSubdomain': ['domain_delete_subdomain', { id: 'subdomain_id' }],
  'domain/getPhpVersion': ['domain_php_version'],
  'domain/getDirectives': ['domain_get_directives'],
  'domain/addDirectives': ['domain_add_directives', { directives_list: 'directives' }],
  'domain/removeDirectives': ['domain_remove_directives', { directives_list: 'directives' }],
  'ftp/getList': ['ftp_list'],
  'ftp/add': ['ftp_add'],
  'ftp/delete': ['ftp_delete'],
  'ftp/changePassword': ['ftp_change_password'],
  'mail/getMailboxList': ['mail_list'],
  'mail/createMailbox': ['mail_create', { mailbox_password: 'password' }],
  'mail/dropMailbox': ['mail_delete'],
  'mail/changeMailboxPassword': ['mail_change_password', { mailbox_password: 'password' }],
  'mail/changeMailboxSettings': ['mail_change_settings'],
  'mail/forwardListAddMailbox': ['mail_forward_add'],
  'mail/forwardListDeleteMailbox': ['mail_forward_delete'],
  'mail/forwardListShow': ['mail_forward_list'],
  'mail/setDomainMail': ['mail_set_domain_mail'],
  'mail/clearDomainMail': ['mail_clear_domain_mail'],
  'mysql/getList': ['mysql_list'],
  'mysql/addDb': ['mysql_add'],
  'mysql/dropDb': ['mysql_delete'],
  'mysql/addAccess': ['mysql_add_access'],
  'mysql/dropAccess': ['mysql_drop_access'],
  'mysql/changeAccessPassword': ['mysql_change_password'],
  'site/getList': ['site_list'],
  'site/add': ['site_add'],
  'site/delete': ['site_delete', { id: 'site_id' }],
  'site/linkDomain': ['site_link_domain'],
  'site/unlinkDomain': ['site_unlink_domain'],
  'site/freeze': ['site_freeze', { id: 'site_id', excludedPaths: 'excluded_paths' }],
  'site/unfreeze': ['site_unfreeze', { id: 'site_id' }],
  'site/isSiteFrozen': ['site_is_frozen'],
};

/** Tools with separate tests. */
const testedAlone = [
  'dns_get',
  'dns_set_a',
  'dns_set_cname',
  'dns_set_txt',
  'dns_set_mx',
  'dns_set_records',
  'dns_patch_record',
  'mail_setup_yandex',
  'mail_setup_mailru',
  'domain_add_subdomain',
  'domain_change_php',
];

/** This tool is not run, because it sends queries to the name servers of the domain, which do not exist. */
const notRun = ['dns_verify'];

describe('beget-mcp', () => {
  const fqdn = 'teapots.example';
  let client: Client;

  beforeAll(() => {
    client = startPython('beget-mcp');
  });

  afterAll(() => client.close());

  const run = (tool: string, parameters: object) => client.run({ do: 'call', tool, parameters });

  it('has exactly the tools of these tests', async () => {
    const { result } = await client.run({ do: 'tools' });

    expect(result.toSorted()).toEqual(
      [...Object.values(tools).map(([tool]) => tool), ...testedAlone, ...notRun].sort(),
    );
  });

  it.each(calls.filter(([method]) => method in tools))('calls %s', async (method, one) => {
    await prepare(one);
    const [tool = '', renamed = {}] = tools[method] ?? [];
    const parameters = Object.entries(one[1] ?? {}).map(([name, value]) => [
      renamed[name] ?? name,
      renamed[name] === 'directives' ? JSON.stringify(value) : value,
    ]);

    const { result, everything } = await outcomeOf('provider', one);

    const answered = await run(tool, Object.fromEntries(parameters));

    expect(answered).toEqual({ result: { status: 'success', result } });
    expect(everythingOf(sandbox)).toEqual(everything);
  });

  it('changes one type of records and keeps the others', async () => {
    const before = await recordsOf(fqdn);

    await run('dns_set_a', { fqdn, address: '203.0.113.5' });
    await run('dns_set_mx', { fqdn, exchange: 'mx.elsewhere.example.', preference: 5 });
    await run('dns_patch_record', { fqdn, type: 'TXT', add: '[{"txtdata":"added"}]' });
    await run('dns_set_records', { fqdn, records: '{"AAAA":[{"address":"2001:db8::1"}]}' });

    expect(await recordsOf(fqdn)).toEqual({
      ...before,
      A: [{ ttl: 600, address: '203.0.113.5' }],
      AAAA: [{ ttl: 600, address: '2001:db8::1' }],
      MX: [{ ttl: 600, exchange: 'mx.elsewhere.example', preference: 5 }],
      TXT: [...(before['TXT'] ?? []), { ttl: 600, txtdata: 'added' }],
    });
    await run('dns_set_txt', { fqdn, txtdata: 'only' });
    expect((await recordsOf(fqdn))['TXT']).toEqual([{ ttl: 600, txtdata: 'only' }]);
    await run('dns_set_records', { fqdn, records: '{"TXT":[{"txtdata":"all"}]}', replace_all: true });
    expect(Object.keys(await recordsOf(fqdn))).toEqual(['TXT', 'DNS', 'DNS_IP']);
  });

  it('reads the records of a zone; for a name without a zone, the records of the parent', async () => {
    const zone = await run('dns_get', { fqdn, check_effective: false });
    const missing = await run('dns_get', { fqdn: `www.${fqdn}`, check_effective: false });

    expect(zone.result.result).toMatchObject({ fqdn, records: await recordsOf(fqdn) });
    expect(missing.result).toMatchObject({ queried_fqdn: `www.${fqdn}`, parent_zone: fqdn });
  });

  it('gives a subdomain a CNAME, which stands alone', async () => {
    const answered = await run('dns_set_cname', { fqdn: `club.${fqdn}`, cname: `${fqdn}.` });

    expect(answered.result.status).toBe('success');
    expect(await recordsOf(`club.${fqdn}`)).toEqual({ CNAME: [{ ttl: 600, cname: fqdn }], DNS: [], DNS_IP: [] });
  });

  it.each([
    ['mail_setup_yandex', 'mx.yandex.net', 'v=spf1 redirect=_spf.yandex.net'],
    ['mail_setup_mailru', 'emx.mail.ru', 'v=spf1 redirect=_spf.mail.ru'],
  ])('sets records of mail with %s', async (tool, exchange, spf) => {
    await run(tool, { fqdn });

    expect(await recordsOf(fqdn)).toMatchObject({
      A: [{ address: '198.51.100.84' }],
      MX: [{ exchange, preference: 10 }],
      TXT: [{ txtdata: spf }],
    });
  });

  it('adds a subdomain and shows its records', async () => {
    const answered = await run('domain_add_subdomain', { subdomain: 'forum', domain_id: ids.domain });

    expect(answered.result).toMatchObject({
      subdomain_id: ids.next,
      fqdn: `forum.${fqdn}`,
      records: await recordsOf(`forum.${fqdn}`),
    });
  });

  it('changes the PHP version, without CGI', async () => {
    const answered = await run('domain_change_php', { full_fqdn: fqdn, php_version: '8.4' });

    expect(answered.result.result).toMatchObject({ php_version: '8.4', cgi: 'disabled' });
  });

  it('describes the mailbox of a domain as a name, which the API refuses', async () => {
    const { error } = await run('mail_set_domain_mail', { domain: fqdn, domain_mailbox: 'orders' });

    expect(error).toContain('[INVALID_DATA]');
  });
});

interface Challenge {
  readonly name: string;
  readonly value: string;
}

const fqdn = 'teapots.example';
const challengeName = `_acme-challenge.${fqdn}`;

const challengeValues = async () => ((await recordsOf(challengeName))['TXT'] ?? []).map(({ txtdata }) => txtdata);
const spf = 'v=spf1 redirect=spf.mail.example';

describe.each(['certbot-dns-beget', 'certbot-dns-beget-api', 'certbot-beget-plugin'] as const)('%s', (name) => {
  it('solves two challenges of a name and cleans up', async () => {
    const client = startPython(name, temporaryFolder());
    const zone = await recordsOf(fqdn);
    const step = async (what: string, token: string): Promise<Challenge> => {
      const { result, error } = await client.run({ do: what, domain: fqdn, token });
      expect(error).toBeUndefined();
      return result;
    };

    const first = await step('present', 'first');
    expect(first.name).toBe(challengeName);
    expect(await challengeValues()).toEqual([spf, first.value]);
    const second = await step('present', 'second');
    expect(await challengeValues()).toEqual([spf, first.value, second.value]);
    await step('cleanup', 'first');
    // certbot-dns-beget deletes the whole subdomain, including the value of the pending second challenge.
    expect(await challengeValues()).toEqual(name === 'certbot-dns-beget' ? [] : [spf, second.value]);
    await step('cleanup', 'second');
    client.close();

    expect(await recordsOf(fqdn)).toEqual(zone);
    // If there was more than one value, the other two clients delete only the values, and leave the subdomain that they
    // added.
    expect(sandbox.account('shop').subdomains.includes(challengeName)).toBe(name !== 'certbot-dns-beget');
    expect(await challengeValues()).toEqual(name === 'certbot-dns-beget' ? [] : [spf]);
  });

  it('solves one challenge and removes the subdomain', async () => {
    const client = startPython(name, temporaryFolder());

    const { result } = await client.run({ do: 'present', domain: fqdn, token: 'first' });
    expect(await challengeValues()).toEqual([spf, result.value]);
    await client.run({ do: 'cleanup', domain: fqdn, token: 'first' });
    client.close();

    expect(sandbox.account('shop').subdomains).not.toContain(challengeName);
  });

  it('fails with a TypeError if the API cannot be reached', async () => {
    const client = startPython(name, temporaryFolder());
    await sandbox.close();

    const { error } = await client.run({ do: 'present', domain: fqdn, token: 'first' });
    client.close();

    expect(error).toMatch(/^TypeError: /);
  });
});

describe('lego', () => {
  const start = () =>
    new Client(legoDriver, [sandbox.baseUrl, login, password], {
      // Without this variable, lego queries the name servers of the domain for a CNAME.
      LEGO_DISABLE_CNAME_SUPPORT: 'true',
    });

  it('solves two challenges of a name whose subdomain exists, and cleans up', async () => {
    const client = start();
    const zone = await recordsOf(fqdn);
    await runStep(sandbox, ['domain/addSubdomainVirtual', { subdomain: '_acme-challenge', domain_id: ids.domain }]);
    const step = async (what: string, keyAuth: string): Promise<Challenge> => {
      const answered = await client.run({ do: what, domain: fqdn, keyAuth });
      // Of RFC 8555: the digest of the key authorization.
      const value = createHash('sha256').update(keyAuth).digest('base64url');
      expect(answered).toEqual({ name: challengeName, value });
      return answered;
    };

    const first = await step('present', 'first');
    expect(await challengeValues()).toEqual([spf, first.value]);
    const second = await step('present', 'second');
    expect(await challengeValues()).toEqual([spf, first.value, second.value]);
    // lego sends only TXT records, so the API erases the other records of the name.
    expect(Object.keys(await recordsOf(challengeName))).toEqual(['TXT', 'DNS', 'DNS_IP']);
    await step('cleanup', 'first');
    expect(await challengeValues()).toEqual([spf, second.value]);
    await step('cleanup', 'second');
    expect(await challengeValues()).toEqual([spf]);
    client.close();

    expect(await recordsOf(fqdn)).toEqual(zone);
  });

  it('fails without the subdomain, because it reads the records first', async () => {
    const client = start();

    const answered = await client.run({ do: 'present', domain: fqdn, keyAuth: 'first' });
    client.close();

    expect(answered.error).toContain('METHOD_FAILED: Failed to get DNS records');
  });
});
