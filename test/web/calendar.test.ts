import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import type { App } from '../../src/app.ts';
import { applyFlags } from '../../src/cli/config-flags.ts';
import { calendarOf } from '../../src/pages/calendar.ts';
import { reportAccounts } from '../../src/pages/report.ts';
import { pollAll, startApp } from '../fixtures/app.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { config, sandboxAccountConfig } from '../fixtures/config.ts';
import { pageContext } from '../fixtures/page-context.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { viewedAccount } from '../fixtures/viewed-account.ts';

const cleanups = new Cleanups();
let sandbox: Sandbox;
let app: App;
let prefixed: App;

beforeAll(async () => {
  sandbox = await openSandbox({ dialect: 'provider' }, cleanups);
  const accounts = ['shop', 'blog', 'unlimited'].map((name) => ({
    ...sandboxAccountConfig(sandbox, name, { collectors: ['account', 'domains'] }),
    labels: { customer: name === 'shop' ? 'acme' : 'other' },
  }));
  const settings = config(...accounts);
  const flags = { 'web.externalUrl': 'https://example.com/hosting', 'web.routePrefix': '/inner' };
  const plain = await startApp(settings, { cleanups, allowedHosts: ['pages.example'] });
  const below = await startApp(applyFlags(settings, flags), { cleanups });
  await Promise.all([plain, below].map(pollAll));
  app = plain.app;
  prefixed = below.app;
});

afterAll(cleanups.end);

async function read(path: string, { host = 'pages.example', from = app } = {}) {
  const { statusCode, headers, body } = await from.web.inject({ url: path, headers: { host } });
  return { status: statusCode, type: headers['content-type'], etag: headers['etag'], body };
}

/** The events as an independent parser reads them. */
function eventsIn(body: string) {
  return new ICAL.Component(ICAL.parse(body)).getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      summary: event.summary,
      date: String(event.startDate),
      isAllDay: event.startDate.isDate,
      url: component.getFirstPropertyValue('url'),
      reminders: component.getAllSubcomponents('valarm').map((alarm) => String(alarm.getFirstPropertyValue('trigger'))),
    };
  });
}

describe('/calendar.ics', () => {
  it('has the end of payment and the expiry of each domain as days, with reminders of what needs a hand', async () => {
    const { type, body } = await read('/calendar.ics?label_customer=acme');
    const [shop] = app.accounts.filter(({ name }) => name === 'shop');
    const days = new Map(
      sandbox.account('shop').domains.map(({ fqdn, expiresAt = 0 }) => [fqdn, new Date(expiresAt).toISOString()]),
    );
    const day = (fqdn: string) => days.get(fqdn)?.slice(0, 10);

    const events = eventsIn(body);

    expect(type).toBe('text/calendar; charset=utf-8');
    expect(shop?.timeZone).toBe('UTC');
    expect(events.map(({ uid: _, ...event }) => event)).toMatchObject([
      { summary: 'shop: payment due', isAllDay: true, reminders: ['-P7D', '-P1D'] },
      { summary: 'shop: domain teapots.example expires', date: day('teapots.example'), reminders: ['-P7D', '-P1D'] },
      {
        ...{ summary: 'shop: domain teapots-wholesale.example expires', date: day('teapots-wholesale.example') },
        ...{ isAllDay: true, reminders: [], url: 'http://pages.example/accounts/shop' },
      },
    ]);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(3);
  });

  it('keeps the UIDs and the entity tag, also in another language', async () => {
    const [first, again, russian] = [
      await read('/calendar.ics'),
      await read('/calendar.ics'),
      await read('/calendar.ics?language=ru'),
    ];
    const uids = (body: string) => eventsIn(body).map(({ uid }) => uid);

    expect(again.etag).toBe(first.etag);
    expect(uids(russian.body)).toEqual(uids(first.body));
    expect(russian.body).toContain('shop: срок оплаты');
  });

  it.each([
    ['q=quiet-garden', ['blog']],
    ['state=critical&label_customer=acme', []],
    ['label_customer=other', ['blog', 'unlimited']],
  ])('has only the accounts that the list shows for %s', async (query, names) => {
    const { body } = await read(`/calendar.ics?${query}`);

    expect(new Set(eventsIn(body).map(({ summary }) => summary.split(':')[0]))).toEqual(new Set(names));
  });

  it('links to the external URL, and is served below the route prefix', async () => {
    const { body } = await read('/inner/calendar.ics', { from: prefixed, host: 'internal:10380' });
    const { body: page } = await read('/inner/?label_customer=acme&lang=ru&sort=disk', { from: prefixed });

    expect(eventsIn(body).find(({ summary }) => summary.startsWith('shop'))?.url).toBe(
      'https://example.com/hosting/accounts/shop',
    );
    expect(page).toContain('href="/hosting/calendar.ics?label_customer=acme&amp;language=ru"');
    expect((await read('/calendar.ics', { from: prefixed })).status).toBe(404);
  });

  it('requires an allowed host, and repeats no login of the header Host', async () => {
    expect((await read('/calendar.ics', { host: 'evil.example' })).status).toBe(403);
    const { app: from } = await startApp(config());
    const { body } = await read('/calendar.ics', { from, host: 'user:secret@pages.example' });
    expect(body).not.toContain('secret');
  });
});

it('writes odd names so that they are read back', () => {
  const account = 'a, b; "c"\\ ёлка\nBEGIN:VEVENT';
  const dates = [{ kind: 'domain' as const, item: 'x.example', date: '2026-12-01', text: 'expires', renews: false }];
  const counts = { critical: 0, warning: 0, failing: 0, partly: 0, waiting: 0, ok: 1 };
  const accounts = [{ account, state: 'ok' as const, labels: {}, figures: {}, dates }];
  const report = { time: '2026-11-27T10:00:00.000Z', state: 'ok' as const, counts, problems: [], accounts };

  const events = eventsIn(calendarOf(pageContext(), report));

  expect(events).toMatchObject([{ summary: `${account}: expires`, date: '2026-12-01', url: null }]);
});

it('reminds of a domain that would renew automatically if the account is not paid or the renewal failed', async () => {
  const now = Date.parse('2026-11-27T10:00:00Z');
  const accountOf = (suspendedIn: number, status: string) =>
    viewedAccount({
      timeZone: 'Asia/Tokyo',
      figures: {
        account: [['hosting_account_block_timestamp_seconds', now / 1000 + suspendedIn]],
        domains: [
          ['hosting_domain_auto_renew', 1, { domain: 'x.example' }],
          [
            'hosting_domain_expiry_timestamp_seconds',
            Date.parse('2026-12-09T15:00:00Z') / 1000,
            { domain: 'x.example' },
          ],
          ['hosting_domain_expiry_timestamp_seconds', 0, { domain: 'forgotten.example' }],
          ['hosting_domain_renewal_info', 1, { domain: 'x.example', status }],
        ],
      },
    });
  const datesOf = async (suspendedIn: number, status: string) => {
    const { accounts } = await reportAccounts(pageContext({ now }), [accountOf(suspendedIn, status)], false);
    return accounts[0]?.dates?.map(({ date, renews }) => [date, renews]);
  };

  expect(await datesOf(86_400, 'pending')).toEqual([
    ['2026-11-28', undefined],
    ['2026-12-10', true],
  ]);
  expect((await datesOf(-86_400, 'pending'))?.[1]).toEqual(['2026-12-10', false]);
  expect((await datesOf(86_400, 'error'))?.[1]).toEqual(['2026-12-10', false]);
});
