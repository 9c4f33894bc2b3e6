import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/pages/format.ts';
import { textsOf } from '../../src/pages/language.ts';
import { changesOf, type FleetReport, fleetOf, fleetReport, reportAccounts } from '../../src/pages/report.ts';
import { reportExitCodes, reportFormats } from '../../src/pages/report-formats.ts';
import { states } from '../../src/pages/view/problems.ts';
import { dateOf } from '../../src/store/daily-memory.ts';
import { dailyMemory, growing } from '../fixtures/daily-memory.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { fakeDate } from '../fixtures/polled-account.ts';
import { type Figure, viewedAccount } from '../fixtures/viewed-account.ts';

const context = pageContext();
const inRussian = pageContext({ language: 'ru', texts: textsOf.ru, format: formatOf('ru', 'UTC') });

type Parts = Parameters<typeof viewedAccount>[0];

const report = (...accounts: readonly Parts[]) => reportAccounts(context, accounts.map(viewedAccount), false);

const disk = (used: number): readonly Figure[] => [
  ['hosting_account_disk_usage_bytes', used * 1e9],
  ['hosting_account_disk_limit_bytes', 100e9],
];
const full: Parts = { name: 'full', labels: { customer: 'acme' }, figures: { account: disk(98) } };
const filling: Parts = { name: 'full', figures: { account: disk(90) } };
const relaxed: Parts = { name: 'full', figures: { account: disk(5) } };
const unreachable: Parts = {
  name: 'full',
  failures: { account: { reason: 'timeout', message: '', accepted: false } },
};

/** The problems of a report about changes, in words. */
const wordsOf = ({ problems }: FleetReport) => problems.map(({ change, text }) => `${change}: ${text}`);

describe('a report', () => {
  it('has the most urgent account first, and leaves out unknown figures', async () => {
    const { time, state, counts, accounts, problems } = await report({ name: 'fine' }, full);

    expect({ time, state, counts }).toEqual({
      time: new Date(context.now).toISOString(),
      state: 'critical',
      counts: { critical: 1, warning: 0, failing: 0, partly: 0, waiting: 0, ok: 1 },
    });
    expect(JSON.parse(JSON.stringify(accounts))).toEqual([
      {
        account: 'full',
        dates: [],
        state: 'critical',
        labels: { customer: 'acme' },
        figures: { updated: expect.stringMatching(/Z$/), diskUsedBytes: 98e9, diskLimitBytes: 100e9 },
        domains: [],
      },
      {
        account: 'fine',
        dates: [],
        state: 'ok',
        labels: {},
        figures: { updated: expect.stringMatching(/Z$/) },
        domains: [],
      },
    ]);
    expect(problems).toMatchObject([{ account: 'full', kind: 'disk', text: 'Disk 98% full', collectors: ['account'] }]);
  });

  it('has the balance, the load of the last days and all domains', async () => {
    const days = (count: number) => context.now / 1000 + count * 86_400;
    const { accounts } = await report({
      name: 'shop',
      figures: {
        account: [
          ['hosting_account_balance', -17.5],
          ['hosting_account_daily_charge', 49.1],
          ['hosting_account_load_limit', 80],
        ],
        site_load_detail: [['hosting_site_load_recent_average', 240, { site_id: '1', site: 'a' }]],
        domains: [
          ['hosting_domain_info', 1, { domain: 'a.example', registrar: 'r', status: '' }],
          ['hosting_domain_expiry_timestamp_seconds', days(90), { domain: 'a.example' }],
          ['hosting_domain_auto_renew', 1, { domain: 'a.example' }],
          ['hosting_domain_info', 1, { domain: 'u.host.example', registrar: '', status: '' }],
          ['hosting_domain_auto_renew', 0, { domain: 'u.host.example' }],
        ],
        sites: [
          [
            'hosting_site_domain_info',
            1,
            { site_id: '1', domain: 'a.example', php_version: '7.4', ssl_status: 'none' },
          ],
          ['hosting_site_domain_https', 0, { site_id: '1', domain: 'a.example' }],
        ],
      },
    });

    expect(accounts[0]?.figures).toMatchObject({
      balance: -17.5,
      dailyCharge: 49.1,
      recentLoad: 240,
      planLoadLimit: 80,
    });
    expect(JSON.parse(JSON.stringify(accounts[0]?.domains))).toEqual([
      {
        domain: 'a.example',
        expires: new Date(days(90) * 1000).toISOString(),
        days: 90,
        renewsAutomatically: true,
        https: false,
        php: '7.4',
        phpUnsupported: true,
      },
      { domain: 'u.host.example' },
    ]);
  });

  it('counts the midnights in the time zone of the account, in texts, in JSON and for nagios', async () => {
    fakeDate('2026-06-03T20:00Z');
    const at = (time: string) => Date.parse(time) / 1000;
    const accounts = ['UTC', 'Asia/Tokyo'].map((timeZone) => {
      const account: readonly Figure[] = [['hosting_account_block_timestamp_seconds', at('2026-06-04T14:00Z')]];
      const expiry = ['hosting_domain_expiry_timestamp_seconds', at('2026-06-09T00:00Z'), { domain: 'a' }] as const;
      return viewedAccount({ timeZone, figures: { account: [...disk(5), ...account], domains: [expiry] } });
    });
    const page = pageContext();

    const reported = await reportAccounts(page, accounts, false);

    const domains = ['6', '5'].map((days) => `Domain a expires in ${days} days`);
    const payments = ['tomorrow', 'today'].map((day) => `Without payment, the account will be suspended ${day}`);
    expect(reported.problems.map(({ text }) => text)).toEqual([...payments, ...domains]);
    expect(reported.accounts.map((one) => one.domains?.[0]?.days)).toEqual([6, 5]);
    expect(reportFormats.nagios(page, reported)).toMatch(/domain days'=6.*domain days'=5/);
  });

  it('about some accounts counts only these', async () => {
    const { state, counts, problems } = fleetOf(
      await report({ name: 'fine' }, full),
      ({ account }) => account === 'fine',
    );

    expect({ state, critical: counts.critical, ok: counts.ok, problems }).toEqual({
      state: 'ok',
      critical: 0,
      ok: 1,
      problems: [],
    });
  });

  it('without accounts is not OK', async () => {
    expect((await report()).state).toBe('waiting');
  });
});

describe('changes', () => {
  it('begin with all problems', async () => {
    const { changes, open } = changesOf(await report(full), []);

    expect([changes.state, wordsOf(changes)]).toEqual(['critical', ['new: Disk 98% full']]);
    expect(open).toHaveLength(1);
  });

  it('do not repeat a problem whose figure changes, unless it becomes more urgent', async () => {
    const { open: critical } = changesOf(await report(full), []);
    const { changes, open } = changesOf(await report(filling), critical);

    expect([changes.state, wordsOf(changes)]).toEqual(['ok', []]);
    expect(wordsOf(changesOf(await report(full), open).changes)).toEqual(['new: Disk 98% full']);
  });

  it('name an ended problem once, and do not count it', async () => {
    const { open: before } = changesOf(await report(full), []);
    const { changes, open } = changesOf(await report(relaxed), before);

    expect([changes.state, wordsOf(changes)]).toEqual(['ok', ['ended: Disk 98% full']]);
    expect(open).toEqual([]);
  });

  it.each<[string, Parts]>([
    ['the API does not answer', unreachable],
    ['the collector has not been polled since the restart', { name: 'full', polled: false }],
    ['the API does not report the figure', { name: 'full', figures: { account: [['hosting_account_load_limit', 5]] } }],
    ['its figure has expired', { name: 'full', missing: { account: 1 } }],
  ])('do not say that a problem has ended while %s', async (_, unknown) => {
    const { open: before } = changesOf(await report(full), []);
    const { changes, open } = changesOf(await report(unknown), before);

    expect(wordsOf(changes).filter((text) => text.startsWith('ended'))).toEqual([]);
    expect(wordsOf(changesOf(await report(relaxed), open).changes)).toContain('ended: Disk 98% full');
  });

  it('say nothing about accounts that are no longer configured', async () => {
    const { open: before } = changesOf(await report(full), []);

    expect(changesOf(await report({ name: 'other' }), before)).toMatchObject({ changes: { problems: [] }, open: [] });
  });
});

describe('the format', () => {
  it('text has one line per problem, in both languages', async () => {
    const { changes } = changesOf(await report(full, { name: 'fine' }), []);

    expect(reportFormats.text(context, changes)).toBe('1 of 2 accounts needs attention\nnew: full: Disk 98% full\n');
    expect(reportFormats.text(inRussian, changes)).toMatch(/^Требует внимания 1 аккаунт из 2\nновое: full: /);
  });

  it('csv quotes every cell, and no cell is a formula', async () => {
    const text = reportFormats.csv(context, await report({ name: '=SUM("a")', figures: { account: disk(98) } }));

    const [header = '', row = ''] = text.split('\r\n');
    expect(header).toMatch(/^"account","state","problems","updated","diskUsedBytes"/);
    expect(row).toMatch(/^"'=SUM\(""a""\)","critical","Disk 98% full",".*Z","98000000000","100000000000",""/);
    for (const name of ['@SUM(1)', '+1', '-1'])
      expect(reportFormats.csv(context, await report({ name })), name).toContain(`"'${name}"`);
    // For spreadsheets that split cells at semicolons.
    expect(reportFormats.csv(context, await report({ name: 'a;=1+1,-2' }))).toContain(`"a;'=1+1,'-2"`);
  });

  it('nagios has the load, the balance, the charge, and the days until payment and expiry and since the newest backup', async () => {
    const figures = {
      account: [
        ['hosting_account_balance', 620.53],
        ['hosting_account_daily_charge', 20],
        ['hosting_account_block_timestamp_seconds', context.now / 1000 + 30.5 * 86_400],
        ['hosting_account_load_limit', 80],
      ],
      site_load: [['hosting_site_load_average', 52, { site_id: '1', site: 'a' }]],
      site_load_detail: [['hosting_site_load_recent_average', 40, { site_id: '1', site: 'a' }]],
      backups: [['hosting_backup_last_timestamp_seconds', context.now / 1000 - 86_400, { kind: 'files' }]],
      domains: [['hosting_domain_expiry_timestamp_seconds', context.now / 1000 + 90 * 86_400, { domain: 'a.example' }]],
    } as const;

    expect(reportFormats.nagios(context, await report({ name: 'shop', figures }))).toContain(
      "'shop load'=52;;;0;80 'shop recent load'=40;;;0;80 'shop balance'=620.53 'shop daily charge'=20 'shop paid days'=31 'shop domain days'=90 'shop backup days'=1\n",
    );
  });

  it('nagios is one line with performance data, without its separators in names', async () => {
    const text = reportFormats.nagios(context, await report({ ...full, name: "a|b'c=d" }));

    expect(text).toBe(
      "HOSTING CRITICAL: Your account needs attention; a/b'c=d: Disk 98% full | " +
        "critical=1 warning=0 failing=0 partly=0 waiting=0 ok=0 'a_b_c_d disk'=98000000000B;;;0;100000000000\n",
    );
  });
});

describe('the trends', () => {
  const day = 86_400_000;
  const date = dateOf(Date.now(), 'UTC');
  const growth: Parts = {
    name: 'shop',
    collectors: ['account', 'sites'],
    figures: { account: disk(90), sites: [['hosting_sites', 0]] },
  };
  const memory = dailyMemory({
    date,
    disk: growing(10, 89e9, 1e9),
    lists: { 1: { disk: { shop: 87e9 }, sites: {} }, 7: { disk: { shop: 50e9 }, sites: { 9: 'old.example' } } },
  });
  const trends = (language = context) =>
    reportAccounts(language, [viewedAccount({ ...growth, memory }), viewedAccount({ name: 'new' })], true);

  it('say which domains use a PHP version without security fixes', async () => {
    const domain = (name: string, php: string): Figure => [
      'hosting_site_domain_info',
      1,
      { site_id: '1', domain: name, php_version: php, ssl_status: '' },
    ];
    const sites = [domain('old.example', '7.4'), domain('new.example', '99.1'), domain('unknown.example', '')];
    const account = viewedAccount({ name: 'shop', figures: { account: disk(1), sites } });

    const text = reportFormats.text(context, await reportAccounts(context, [account], true));

    expect(text).toContain('PHP without security fixes:\nshop: old.example (7.4)\n');
    expect(reportFormats.text(context, await report({ figures: { sites } }))).not.toContain('PHP');
  });

  it('say in how many days the disk is full, and what changed', async () => {
    const report = await trends();
    const [first, second] = report.accounts;

    expect(first).toMatchObject({
      figures: { diskFullDays: 10, diskFullOn: expect.stringMatching(/Z$/) },
      changes: {
        yesterday: [{ kind: 'disk', name: 'shop', before: 87e9, after: 90e9, text: 'Disk used: +3\u00a0GB' }],
        lastWeek: [
          { kind: 'disk', text: 'Disk used: +40\u00a0GB' },
          { kind: 'sites', name: 'old.example', before: 'old.example', text: 'Sites: − old.example' },
        ],
      },
    });
    expect(Date.parse(String(first?.figures['diskFullOn'])) - Date.now()).toBeCloseTo(10 * day, -5);
    expect(JSON.parse(JSON.stringify(second))).toMatchObject({ changes: {} });
    // `report --url` reads it as the exporter sent it.
    const sent = JSON.parse(JSON.stringify(report));
    expect(fleetReport.parse(sent)).toEqual(sent);
  });

  it('follow the problems in text, and are columns in csv', async () => {
    const report = await trends();

    expect(reportFormats.text(context, report)).toBe(
      '1 of 2 accounts needs attention\nshop: Disk 90% full\nshop: At this rate, the disk will be full in 10 days\n' +
        '\nDisk full at this rate:\nshop: in 10 days\n' +
        '\nSince yesterday:\nshop: Disk used: +3\u00a0GB\n' +
        '\nSince last week:\nshop: Disk used: +40\u00a0GB\nshop: Sites: − old.example\n',
    );
    expect(reportFormats.text(inRussian, await trends(inRussian))).toMatch(/\nshop: через 10 дней\n/);
    expect(reportFormats.csv(context, report)).toContain(
      ',"Disk used: +3\u00a0GB","Disk used: +40\u00a0GB\nSites: − old.example","",""\r\n',
    );
    expect(reportFormats.nagios(context, report)).not.toContain('GB');
  });

  it('are not among the changes of problems', async () => {
    const { changes } = changesOf(await report({ ...growth, memory }), []);

    expect(reportFormats.text(context, changes).split('\n').slice(1)).toEqual([
      'new: shop: Disk 90% full',
      'new: shop: At this rate, the disk will be full in 10 days',
      '',
    ]);
  });
});

it('only an OK report has the exit code 0', () => {
  expect(states.filter((state) => reportExitCodes[state] === 0)).toEqual(['ok']);
});

const expiring = (domain: string): Parts => ({
  name: 'shop',
  figures: { domains: [['hosting_domain_expiry_timestamp_seconds', context.now / 1000 + 100_000, { domain }]] },
});

it.each(['text', 'csv', 'html', 'nagios'] as const)('control characters add no line to format %s', async (format) => {
  const linesOf = async (domain: string) =>
    reportFormats[format](context, await report(expiring(domain))).split(/[\n\r\u2028]/);

  const [plain, forged] = [await linesOf('a.example'), await linesOf('a.example\nblog: fine\u2028\u001b[2J\u202e')];

  expect(forged.join()).toContain('a.example blog: fine');
  expect(forged).toHaveLength(plain.length);
  for (const control of ['\u001b', '\u202e']) expect(forged.join()).not.toContain(control);
});
