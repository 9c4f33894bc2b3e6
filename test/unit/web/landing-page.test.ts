import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../../src/api/reason-texts.ts';
import type { CollectorStatus } from '../../../src/polling/poller.ts';
import { landingPage } from '../../../src/web/landing-page.ts';

const now = Date.parse('2026-06-03T12:00:00Z');
const minute = 60_000;

const fine: CollectorStatus = {
  collector: 'databases',
  methods: ['mysql/getList'],
  interval: 15 * minute,
  polling: false,
  lastSuccess: now - 90_000,
  nextRun: now + 5 * minute,
  failure: undefined,
  forbiddenMethods: [],
};

function page(name: string, ...collectors: readonly CollectorStatus[]): string {
  return landingPage({ version: '1.2.3', telemetryPath: '/metrics', now, accounts: [{ name, collectors }] });
}

/** The text of each cell, row by row. */
function cells(html: string): readonly (readonly string[])[] {
  return [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '')),
  );
}

describe('the landing page', () => {
  it('shows state, age, interval and next run of each collector', () => {
    expect(cells(page('shop', fine))).toEqual([
      ['Collector', 'State', 'Last success', 'Every', 'Next run'],
      ['databases', 'ok', '90 s ago', '15 min', 'in 5 min'],
    ]);
  });

  it('shows reason, message and advice of the newest failure', () => {
    const failure = { reason: 'auth', message: 'mysql/getList: AUTH_ERROR: wrong', accepted: false } as const;

    const [, row, why] = cells(page('shop', { ...fine, failure }));

    expect(row?.slice(0, 3)).toEqual(['databases', 'failed', '90 s ago']);
    expect(why).toEqual([`auth: mysql/getList: AUTH_ERROR: wrong. ${adviceFor('auth')}`]);
  });

  it('names the methods to permit, or the section if the API grants permissions per section', () => {
    const failure = { reason: 'permission', message: 'backup/getFileList: no', accepted: true } as const;
    const refused = { ...fine, failure, methods: ['backup/getFileList', 'backup/getMysqlList'] } as const;
    const adviceOf = (status: CollectorStatus) => cells(page('shop', status)).at(-1)?.[0];

    expect(adviceOf({ ...refused, forbiddenMethods: refused.methods })).toBe(
      'permission: backup/getFileList: no. Permit “backup/getFileList”, “backup/getMysqlList” for the API password in the control panel.',
    );
    expect(adviceOf(refused)).toBe(
      'permission: backup/getFileList: no. Tick “backups” for the API password in the control panel.',
    );
  });

  it.each([
    [{ lastSuccess: undefined }, 'waiting', 'never'],
    [{ lastSuccess: undefined, polling: true }, 'first poll', 'never'],
    [{ polling: true }, 'ok, polling', '90 s ago'],
    [{ lastSuccess: now + 5000 }, 'ok', '0 s ago'],
    [{ lastSuccess: now - 3 * 86_400_000 }, 'ok', '3 d ago'],
  ])('shows for %j the state "%s" and the age "%s"', (changes, state, age) => {
    expect(cells(page('shop', { ...fine, ...changes }))[1]?.slice(1, 3)).toEqual([state, age]);
  });

  it('escapes everything from outside', () => {
    const evil = `<img src=x onerror="alert('1')">&`;
    const failure = { reason: 'api', message: evil, accepted: true } as const;

    const html = landingPage({
      version: evil,
      telemetryPath: `/${evil}`,
      now,
      accounts: [{ name: evil, collectors: [{ ...fine, collector: evil, failure }] }],
    });

    expect(html).not.toContain('<img');
    expect(html.match(/&lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt;&amp;/g)).toHaveLength(5);
  });

  it('expands all accounts if they are few, otherwise only failing ones', () => {
    const failure = { reason: 'http', message: 'HTTP status 500', accepted: false } as const;
    const accounts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `a${index}`,
        collectors: [index === 3 ? { ...fine, failure } : fine],
      }));
    const opened = (count: number) =>
      landingPage({ version: '1', telemetryPath: '/m', now, accounts: accounts(count) }).match(/<details open>/g)
        ?.length;

    expect(opened(8)).toBe(8);
    expect(opened(300)).toBe(1);
  });

  it('reloads automatically, without a script', () => {
    const html = page('shop', fine);

    expect(html).toContain('<meta http-equiv="refresh" content="10">');
    expect(html).not.toContain('<script');
    expect(html).toContain('1 account, none failing.');
  });
});
