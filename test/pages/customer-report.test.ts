import { expect, it } from 'vitest';
import { customerHtml, customerMail, customerText } from '../../src/pages/customer-report.ts';
import { formatOf } from '../../src/pages/format.ts';
import { textsOf } from '../../src/pages/language.ts';
import { changesOf, fleetOf, reportAccounts } from '../../src/pages/report.ts';
import { dailyMemory, growing } from '../fixtures/daily-memory.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { type Figure, viewedAccount } from '../fixtures/viewed-account.ts';

const now = Date.parse('2026-11-27T10:00:00Z');
const context = pageContext({ now });
const inRussian = pageContext({ now, language: 'ru', texts: textsOf.ru, format: formatOf('ru', 'UTC') });

const disk = (used: number): readonly Figure[] => [
  ['hosting_account_disk_usage_bytes', used * 1e9],
  ['hosting_account_disk_limit_bytes', 100e9],
];
const accounts = [
  viewedAccount({
    name: 'shop <1>',
    labels: { customer: 'A & B' },
    collectors: ['account', 'domains', 'backups', 'site_load', 'sites'],
    figures: {
      account: [
        ...disk(97),
        ['hosting_account_block_timestamp_seconds', now / 1000 + 20 * 86_400],
        ['hosting_account_load_limit', 40],
      ],
      site_load: [['hosting_site_load_average', 10, { site: 'x', site_id: '1' }]],
      domains: [['hosting_domain_expiry_timestamp_seconds', now / 1000 + 90 * 86_400, { domain: 'x.example' }]],
      sites: [
        [
          'hosting_site_domain_info',
          1,
          { site_id: '1', domain: 'x.example', php_version: '7.4', ssl_status: 'wle_set' },
        ],
      ],
      backups: [['hosting_backup_last_timestamp_seconds', now / 1000 - 7200 * 2, { kind: 'files' }]],
    },
    memory: dailyMemory({
      date: '2026-11-27',
      disk: growing(20, 97e9, 1.2e9),
      lists: { 7: { disk: { 'shop <1>': 90e9 } } },
    }),
  }),
  viewedAccount({ name: 'rival', labels: { customer: 'Rival Inc' }, figures: { account: disk(99) } }),
];

const pageOf = (name: string) => `https://example.com/accounts/${encodeURIComponent(name)}`;
const read = (language = context) => reportAccounts(language, accounts, true, pageOf);
const withoutSpaces = (text: string) => text.replaceAll('\u00a0', ' ');

it('has the figures, problems, first steps and changes of each account, grouped by customer, as text', async () => {
  expect(withoutSpaces(customerText(context, await read()))).toBe(`Both accounts need attention
27 Nov 2026, 10:00 UTC
! Disk almost full — 2 accounts: A & B: shop <1>; Rival Inc: rival
  Free space: delete or download old plugin backups, logs and caches. Do not delete database files or mail folders manually.
  https://example.com/?cause=disk+critical
! shop <1>: At this rate, the disk will be full in 2 days
  Find out what grows, and whether the growth is intended. Mail and product images usually grow as intended; logs and old backups do not.

== A & B ==

shop <1>: critical
https://example.com/accounts/shop%20%3C1%3E
Disk used: 97 GB of 100 GB (97%)
Disk change: +23 GB since 8 Nov 2026
Plan load: 10 of 40 (25%)
Payment due: 17 Dec 2026
Next domain expiry: x.example, 25 Feb 2027
PHP without security fixes: x.example (7.4)
Latest backup: 4 h ago
Since last week:
- Sites: not compared, because a list is incomplete
- Domains: not compared, because a list is incomplete

== Rival Inc ==

rival: critical
https://example.com/accounts/rival
Disk used: 99 GB of 100 GB (99%)
`);
});

it('says the same in HTML, without scripts, style sheets and other files', async () => {
  const text = withoutSpaces(customerText(inRussian, await read(inRussian)));
  const page = withoutSpaces(customerHtml(inRussian, await read(inRussian)));

  const words = page
    .slice(page.indexOf('<body'))
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replace(/\s+/g, ' ');
  const lines = text.split('\n').map((line) => line.replace(/^(?:! |- |== | {2})| ==$/g, ''));
  for (const line of lines.flatMap((one) => (one.startsWith('https:') ? [] : one.split(/: (?=[^:]*$)/)))) {
    expect(words).toContain(line.replace(/:$/, ''));
  }
  expect(page).toContain('<html lang="ru">');
  expect(page).toContain('href="https://example.com/accounts/shop%20%3C1%3E"');
  expect(page).not.toMatch(/<(?:script|link|img|style)|src=|url\(/);
});

it('for one customer names no other customer or account', async () => {
  const report = fleetOf(await read(), ({ labels }) => labels['customer'] === 'A & B');

  for (const text of [customerHtml(context, report), customerText(context, report)]) {
    expect(text).toMatch(/A (?:&|&amp;) B, shop (?:<1>|&lt;1&gt;): critical/);
    expect(text).not.toMatch(/rival/i);
  }
});

it('names the accounts without a customer as such', async () => {
  const own = viewedAccount({ name: 'own', figures: { account: disk(10) } });

  const text = customerText(context, await reportAccounts(context, [...accounts, own], true));

  expect(text).toContain('\n== no customer ==\n\nown: OK\n');
});

it('about changes has only the accounts with a problem that began or ended', async () => {
  const all = await reportAccounts(context, accounts, false);
  const { open } = changesOf(
    fleetOf(all, ({ account }) => account === 'rival'),
    [],
  );

  const text = customerText(context, changesOf(all, open).changes);

  expect(text).toContain('! new: shop <1>: Disk 97% full');
  expect(text).not.toContain('rival');
});

it('shows why a report failed, which is a problem of no account', async () => {
  const failed = { account: 'report', state: 'failing' as const, kind: 'no report', text: 'no answer', collectors: [] };
  const { changes } = changesOf(await read(), []);
  const problems = [{ ...failed, change: 'ended' as const }];

  expect(customerText(context, { ...changes, problems })).toContain('\n! ended: no answer\n');
});

it('as mail has both forms and a subject that any mail program can read', async () => {
  const mail = customerMail(inRussian, await read(inRussian));

  const [head = '', , ...rest] = mail.split('\n\n');
  const bodies = rest.map((part) => Buffer.from(part.split('\n--')[0] ?? '', 'base64').toString());
  const subject = [...head.matchAll(/=\?utf-8\?B\?([^?]*)\?=/g)].map(([, word = '']) => Buffer.from(word, 'base64'));

  expect(String(Buffer.concat(subject))).toBe('Оба аккаунта требуют внимания');
  expect(subject.map(String).join()).not.toContain('\ufffd');
  expect(head).toMatch(
    /^Subject: .*\n(?: .*\n)*MIME-Version: 1\.0\nContent-Type: multipart\/alternative;\n boundary="\w+"$/,
  );
  expect(bodies[0]).toBe(customerText(inRussian, await read(inRussian)));
  expect(bodies[1]).toBe(customerHtml(inRussian, await read(inRussian)));
  expect(mail.split('\n').every((line) => line.length <= 78)).toBe(true);
});
