import { describe, expect, it } from 'vitest';
import { reasonAdvice } from '../../../src/api/error.ts';
import { advise, adviseCollector } from '../../../src/cli/check/advice.ts';
import { type AccountResult, type CollectorResult, isHealthy } from '../../../src/cli/check/check.ts';
import { collectorResult } from '../../fixtures/collector-result.ts';

const healthy: Parameters<typeof advise>[0] = {
  account: 'shop',
  baseUrl: 'https://api.example.com/api',
  connection: 'ok',
  clockSkewSeconds: 0,
  timeZoneDoubt: undefined,
  credentials: 'accepted',
  sites: 2,
  databases: 3,
  domains: 4,
  diskUsedBytes: 5,
  diskLimitBytes: 6,
  paidUntil: undefined,
  callsPerMinute: 5,
  budget: 30,
  collectors: [],
};

function denied(
  collector: string,
  methods: CollectorResult['methods'],
  forbiddenMethod?: CollectorResult['methods'][0],
) {
  return collectorResult({ collector, methods, state: 'not permitted', reason: 'permission', forbiddenMethod });
}

describe('advice about an account', () => {
  it('is empty if everything works', () => {
    expect(advise({ ...healthy, collectors: [collectorResult()] })).toEqual([]);
  });

  it.each([
    [undefined, []],
    [60, []],
    [-60, []],
    [61, ["The API's clock is 61 s ahead of the clock of this machine: synchronize it with NTP."]],
    [-61, ["The API's clock is 61 s behind the clock of this machine: synchronize it with NTP."]],
  ])('mentions a clock skew of more than a minute: %s s', (clockSkewSeconds, advice) => {
    expect(advise({ ...healthy, clockSkewSeconds })).toEqual(advice);
  });

  it('mentions schedules that require more calls than the budget', () => {
    const [advice, ...others] = advise({ ...healthy, callsPerMinute: 30.01, budget: 30 });

    expect(advice).toMatch(/^The schedules require 30\.01 calls per minute, but the budget is 30, so /);
    expect(others).toEqual([]);
    expect(advise({ ...healthy, callsPerMinute: 30, budget: 30 })).toEqual([]);
  });

  it('mentions an untrusted certificate, only if there is no connection', () => {
    const untrusted = collectorResult({ detail: 'unable to verify the first Certificate' });
    const sentence =
      'The certificate of https://api.example.com/api is not trusted. Check base_url. For a private certificate authority, set ca_file.';

    expect(advise({ ...healthy, connection: 'failed', collectors: [collectorResult(), untrusted] })).toEqual([
      sentence,
    ]);
    expect(advise({ ...healthy, connection: 'failed', collectors: [collectorResult()] })).toEqual([]);
    expect(advise({ ...healthy, collectors: [untrusted] })).toEqual([]);
  });

  it('lists each missing method once, with its collectors; without methods, each missing section', () => {
    const collectors = [
      denied('databases', ['mysql/getList'], 'mysql/getList'),
      denied('domains', ['domain/getList']),
      denied('mailboxes', ['domain/getList', 'mail/getList']),
    ];

    expect(advise({ ...healthy, collectors })).toEqual([
      'Permit mysql/getList for the API password in the control panel, or disable databases in the configuration.',
      'Tick "domains" for the API password in the control panel, or disable domains, mailboxes in the configuration.',
      'Tick "mail" for the API password in the control panel, or disable mailboxes in the configuration.',
    ]);
  });

  it('has one line for all collectors with the same advice, except collectors that lack a permission', () => {
    const collectors = [
      collectorResult({ collector: 'a', state: 'failed', reason: 'timeout', advice: 'wait' }),
      collectorResult({ collector: 'b', state: 'failed', reason: 'http', advice: 'look' }),
      collectorResult({ collector: 'c', state: 'failed', reason: 'timeout', advice: 'wait' }),
      { ...denied('d', ['dns/getList'], 'dns/getList'), advice: 'permit' },
      collectorResult({ collector: 'e' }),
    ];

    expect(advise({ ...healthy, collectors }).slice(1)).toEqual(['a, c: wait', 'b: look']);
  });
});

describe('advice about a collector', () => {
  it('for a skipped collector says to correct the failed collectors first', () => {
    expect(adviseCollector(collectorResult({ state: 'skipped' }))).toMatch(
      /^Correct the failures of the other collectors first/,
    );
  });

  it('names the method to permit, or else the sections', () => {
    const methods = ['domain/getList', 'mail/getList', 'domain/isPaid'] as const;

    expect(adviseCollector(denied('mailboxes', methods, 'mail/getList'))).toBe(
      `${reasonAdvice.permission} The method is mail/getList.`,
    );
    expect(adviseCollector(denied('mailboxes', methods))).toBe(
      `${reasonAdvice.permission} The section is "domains" or "mail".`,
    );
  });
});

describe('an account', () => {
  it.each([
    ['everything works', {}, true],
    ['the server is not the API', { connection: 'foreign' }, false],
    ['a collector fails', { collectors: [collectorResult(), collectorResult({ state: 'failed' })] }, false],
  ] satisfies [string, Partial<AccountResult>, boolean][])('if %s is healthy: %s %s', (_what, settings, expected) => {
    expect(isHealthy({ ...healthy, advice: [], collectors: [collectorResult()], ...settings })).toBe(expected);
  });
});
