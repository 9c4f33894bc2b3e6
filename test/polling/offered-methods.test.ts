import { describe, expect, it } from 'vitest';
import { siteList } from '../../src/payloads/site-list.ts';
import { clientUnderTest } from '../fixtures/api-client.ts';
import { accountConfig } from '../fixtures/config.ts';
import { polledAccount } from '../fixtures/polled-account.ts';
import { type ScriptedAnswer, scriptedApi } from '../fixtures/scripted-api.ts';

async function polled(answers: Readonly<Record<string, ScriptedAnswer>>, collectors: readonly string[]) {
  const api = await scriptedApi(answers);
  const subject = polledAccount(accountConfig({ api: { baseUrl: api.baseUrl }, collectors }));
  subject.acceptSecret();
  await subject.account.pollOnce();
  const pollAgain = async (collector: string) => {
    api.newCalls();
    await subject.poller(collector).poll();
    return api.newCalls();
  };
  return { ...subject, api, pollAgain };
}

const contents = {
  result: [
    { backup_id: 7, date: '2026-06-02 01:00:00', name: 'teapots.example' },
    { backup_id: 7, date: '2026-06-02 01:00:00', name: 'images.teapots.example' },
    { backup_id: 5, date: '2026-05-30 01:00:00', name: 'teapots.example' },
  ],
};
const currentFiles = { result: [{ name: 'public_html', is_dir: 1, mtime: '2026-06-02 01:00:00', size: 4096 }] };
const files = { kind: 'files' };
const success = { account: 'shop', collector: 'backups' };

describe('a refused list of backups', () => {
  it.each([
    'INCORRECT_REQUEST',
    'NO_SUCH_METHOD',
    'PERMISSION_DENIED',
    'METHOD_ERROR',
    'METHOD_FAILED',
    'INVALID_DATA',
    'UNDOCUMENTED',
  ])('is replaced by the contents of backups after %s, and the refusal is remembered', async (refuse) => {
    const subject = await polled(
      {
        'backup/getFileBackupList': { refuse },
        'backup/getMysqlBackupList': { refuse },
        'backup/getFileList': contents,
        'backup/getMysqlList': contents,
      },
      ['backups'],
    );

    expect(await subject.metricValue('hosting_backups', files)).toBe(2);
    expect(await subject.metricValue('hosting_backup_last_timestamp_seconds', files)).toBe(
      Date.parse('2026-06-02T01:00:00Z') / 1000,
    );
    expect(await subject.metricValue('hosting_exporter_collector_success', success)).toBe(1);
    expect((await subject.pollAgain('backups')).filter((method) => method !== 'backup/getLog').toSorted()).toEqual([
      'backup/getFileList',
      'backup/getMysqlList',
    ]);
  });

  it('is a failure if the contents name no backup, because the method may only have failed', async () => {
    const subject = await polled(
      { 'backup/getFileBackupList': { refuse: 'METHOD_FAILED' }, 'backup/getFileList': currentFiles },
      ['backups'],
    );

    expect(await subject.metricValue('hosting_backups', files)).toBeUndefined();
    expect(await subject.metricValue('hosting_exporter_collector_success', success)).toBe(0);
    expect(await subject.pollAgain('backups')).toContain('backup/getFileBackupList');
  });

  it('is no failure if the API does not know the method, even without a backup in the contents', async () => {
    const subject = await polled(
      { 'backup/getFileBackupList': { refuse: 'NO_SUCH_METHOD' }, 'backup/getFileList': currentFiles },
      ['backups'],
    );

    expect(await subject.metricValue('hosting_backups', files)).toBeUndefined();
    expect(await subject.metricValue('hosting_exporter_collector_success', success)).toBe(1);
    expect(await subject.pollAgain('backups')).not.toContain('backup/getFileBackupList');
  });

  it.each(['AUTH_ERROR', 'LIMIT_ERROR'])('is not replaced if the refusal is %s', async (refuse) => {
    const { api } = await polled(
      {
        'backup/getFileBackupList': { refuse },
        'backup/getMysqlBackupList': { refuse },
        'backup/getFileList': contents,
      },
      ['backups'],
    );

    expect(api.calls.map(({ name }) => name)).not.toContain('backup/getFileList');
  });
});

describe('the list of subdomains', () => {
  const teapots = { fqdn: 'teapots.example' };
  const oneMailbox = { result: [{ mailbox: 'info', forward_mail_status: 'forward', spam_filter_status: 0 }] };
  const both = ['domains', 'mailboxes'];
  const forum = { domain: 'forum.teapots.example' };

  it('comes from its own method, and its mailboxes are counted', async () => {
    const subject = await polled(
      {
        'domain/getList': { result: [teapots] },
        'domain/getSubdomainList': { result: [{ id: 7, fqdn: forum.domain, domain_id: 3 }] },
        'mail/getMailboxList forum.teapots.example': oneMailbox,
      },
      both,
    );

    expect(await subject.metricValue('hosting_domains')).toBe(1);
    expect(await subject.metricValue('hosting_subdomains')).toBe(1);
    expect(await subject.metricValue('hosting_mailboxes', forum)).toBe(1);
    expect(await subject.metricValue('hosting_mailboxes_forwarding', forum)).toBe(1);
    expect(await subject.metricValue('hosting_mailboxes_spam_filter_disabled', forum)).toBe(1);
    expect(await subject.metricValue('hosting_mailboxes_forwarding', { domain: 'teapots.example' })).toBe(0);
  });

  it('may be part of the list of domains, without a further call', async () => {
    const subject = await polled(
      {
        'domain/getList': {
          result: [
            { ...teapots, is_subdomain: 0 },
            { fqdn: forum.domain, is_subdomain: 1 },
          ],
        },
      },
      both,
    );

    expect(await subject.metricValue('hosting_domains')).toBe(1);
    expect(await subject.metricValue('hosting_subdomains')).toBe(1);
    expect(await subject.metricValue('hosting_mailboxes', forum)).toBe(0);
    expect((await subject.series('hosting_domain_info')).map(({ labels }) => labels['domain'])).toEqual([
      'teapots.example',
    ]);
    expect(subject.api.calls.map(({ name }) => name)).not.toContain('domain/getSubdomainList');
  });

  it('is empty for an account without domains', async () => {
    const { metricValue, api } = await polled({}, ['domains']);

    expect(await metricValue('hosting_subdomains')).toBe(0);
    expect(api.calls.map(({ name }) => name)).toEqual(['domain/getList', 'domain/getSubdomainList']);
  });

  it.each(['NO_SUCH_METHOD', 'PERMISSION_DENIED', 'METHOD_ERROR'])(
    'is missing if the API refuses it with %s, and the poll succeeds',
    async (refuse) => {
      const { metricValue, series, pollAgain } = await polled(
        { 'domain/getList': { result: [teapots] }, 'domain/getSubdomainList': { refuse } },
        ['domains'],
      );

      expect(await metricValue('hosting_domains')).toBe(1);
      expect(await series('hosting_subdomains')).toEqual([]);
      expect(await metricValue('hosting_exporter_collector_success')).toBe(1);
      expect((await pollAgain('domains')).includes('domain/getSubdomainList')).toBe(refuse !== 'NO_SUCH_METHOD');
    },
  );

  it('fails the poll if the API answered it before, and a sudden loss of it must be confirmed', async () => {
    const subject = await polled(
      {
        'domain/getList': { result: [teapots] },
        'domain/getSubdomainList': { result: [{ fqdn: forum.domain }] },
      },
      ['domains'],
    );

    subject.api.answer('domain/getSubdomainList', { refuse: 'METHOD_FAILED' });
    await subject.pollAgain('domains');
    expect(await subject.metricValue('hosting_exporter_collector_success')).toBe(0);
    expect(await subject.metricValue('hosting_subdomains')).toBe(1);

    subject.api.answer('domain/getSubdomainList', { result: [] });
    await subject.pollAgain('domains');
    expect(await subject.metricValue('hosting_subdomains')).toBe(1);
    expect(subject.logLines.join('\n')).toContain('the list of subdomains shrank from 1 to 0 elements');
    await subject.pollAgain('domains');
    expect(await subject.metricValue('hosting_subdomains')).toBe(0);
  });
});

describe('a method that only one dialect has, called for one item', () => {
  const call = (refuse: string) => async (items: readonly string[]) => {
    const api = await scriptedApi({ 'site/getList 1': { refuse }, 'site/getList 2': { result: [] } });
    const client = clientUnderTest(accountConfig({ api: { baseUrl: api.baseUrl } }));
    const results: unknown[] = [];
    for (const item of items) {
      const result = client.api.callIfOffered('site/getList', siteList, { site_id: item });
      results.push(await result.catch((error: Error) => error.message));
    }
    return { results, calls: api.newCalls() };
  };

  it('is called for the next item if the API refuses an item', async () => {
    const { results, calls } = await call('INCORRECT_REQUEST')(['1', '2']);

    expect(results).toEqual([undefined, []]);
    expect(calls).toEqual(['site/getList 1', 'site/getList 2']);
  });

  it('fails for a refused item after the API has answered for another item', async () => {
    const { results } = await call('INCORRECT_REQUEST')(['2', '1']);

    expect(results).toEqual([[], expect.stringContaining('site/getList')]);
  });

  it('is not called again if the API does not know it', async () => {
    const { results, calls } = await call('NO_SUCH_METHOD')(['1', '2']);

    expect(results).toEqual([undefined, undefined]);
    expect(calls).toEqual(['site/getList 1']);
  });
});
