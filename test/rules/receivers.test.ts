import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { derive } from '../../src/rules/derive.ts';
import { type Language, languages } from '../../src/rules/languages.ts';
import { startAlertmanager } from '../fixtures/alertmanager.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { codeBlocks } from '../fixtures/markdown.ts';
import type { Notification } from '../fixtures/receiver.ts';
import { listen } from '../fixtures/servers.ts';
import { partOf, type SmtpServer, startSmtpServer, subjectOf } from '../fixtures/smtp-server.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';
import { alertsPage } from './pages.ts';
import { inFolder, run } from './run-tool.ts';
import { uncommented } from './uncommented.ts';

const token = '123456:a-telegram-token';
const cleanups = new Cleanups();

/** What an HTTP endpoint received. */
interface Call {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

/** An Alertmanager with all receivers of the example, and what they received. */
interface Installation {
  readonly address: string;
  readonly calls: readonly Call[];
  readonly smtp: SmtpServer;
}

interface Example {
  readonly route: object;
  readonly receivers: readonly {
    readonly name: string;
    readonly telegram_configs?: readonly object[];
    readonly webhook_configs?: readonly object[];
    readonly email_configs?: readonly object[];
    readonly slack_configs?: readonly object[];
  }[];
}

const bundles = new Map(languages.map((language) => [language, derive({ language })]));

function exampleIn(language: Language): string {
  return uncommented(bundles.get(language)?.get('alertmanager.example.yml') ?? '');
}

describe.each(languages)('the receivers of the example in %s', (language) => {
  let installation: Installation;

  beforeAll(async () => {
    installation = await start(language);
    await raise([
      alert('HostingDiskAlmostFull', 'critical', 'a & b', {
        summary: 'Almost full <1>.',
        description: 'Account a & b uses 96 % <of> its quota.',
      }),
      alert('HostingDomainExpiring', 'warning', 'shop', {
        summary: 'A domain expires.',
        description: 'Домен пример.example & <others>.',
      }),
    ]);
  });

  it('are accepted by amtool once they are uncommented', async () => {
    const { code, output } = await inFolder([['alertmanager.yml', exampleIn(language)]], (path) =>
      run('amtool', 'check-config', join(path, 'alertmanager.yml')),
    );

    expect(code, output).toBe(0);
    expect(exampleIn(language)).not.toMatch(/password: /);
  });

  it('send a page to Telegram, with valid HTML and local time', async () => {
    await until('the message', () => callsOf(`/bot${token}/sendMessage`).length > 0);

    const [call] = callsOf(`/bot${token}/sendMessage`);
    expect(call?.body).toMatchObject({ chat_id: '123456789', parse_mode: 'HTML' });
    expect(telegramText(call)).toBe(
      {
        en: [
          '<b>🔴 Critical (a &amp; b, acme): Almost full &lt;1&gt;.</b>',
          'Account a &amp; b uses 96 % ‹of› its quota.',
          '<b>First step:</b> Free some space now: delete old plugin backups, logs and caches. Then find out what grows.',
          '<i>since 12:30 MSK, 1 March, do not wait until morning</i> · <a href="https://grafana.example/d/x?var-account=shop">Dashboard</a> · <a href="https://runbooks.example/HostingDiskAlmostFull.md">What to do</a>',
        ],
        ru: [
          '<b>🔴 Критично (a &amp; b, acme): Almost full &lt;1&gt;.</b>',
          'Account a &amp; b uses 96 % ‹of› its quota.',
          '<b>С чего начать:</b> Освободите немного места прямо сейчас: удалите старые копии плагинов, журналы и кэш. Потом ищите, что растёт.',
          '<i>с 12:30 MSK, 01.03.2026, не откладывайте до утра</i> · <a href="https://grafana.example/d/x?var-account=shop">Дашборд</a> · <a href="https://runbooks.example/HostingDiskAlmostFull.md">Что делать</a>',
        ],
      }[language].join('\n'),
    );
  });

  it('send a page to a webhook, with the credentials', async () => {
    await until('the webhook', () => callsOf('/webhook').length > 0);

    const [call] = callsOf('/webhook');
    expect(call?.authorization).toBe('Bearer pager-token');
    expect(call?.body).toMatchObject({ receiver: 'page', status: 'firing' } satisfies Partial<Notification>);
  });

  it('send a mail with login, subject, text and HTML', async () => {
    await until('the mail', () => installation.smtp.mails.length > 0);

    const [mail] = installation.smtp.mails;
    if (mail === undefined) throw new Error('no mail');
    const html = partOf(mail, 'text/html');
    const plain = partOf(mail, 'text/plain');
    const subject = { en: '🟡 Warning (shop): A domain expires.', ru: '🟡 Предупреждение (shop): A domain expires.' };
    expect(mail).toMatchObject({
      from: 'alertmanager@example.com',
      to: ['hosting@example.com'],
      login: 'alertmanager@example.com:smtp-password',
    });
    expect(subjectOf(mail)).toBe(subject[language]);
    expect(html).toContain('Домен пример.example &amp; ‹others›.');
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('<a href="https://runbooks.example/HostingDomainExpiring.md">');
    expect(html).toContain('<a href="https://hosting.example/accounts/shop">');
    expect(plain).toContain(subject[language]);
    expect(plain).toContain('Домен пример.example & ‹others›.');
    expect(plain).toContain({ en: 'March, can wait until morning', ru: '2026, можно подождать до утра' }[language]);
    expect(`${html}${plain}`).not.toMatch(/no value|ZgotmplZ|\{\{/);
  });

  it('send a message to Slack, without markup from names', async () => {
    await until('the message', () => callsOf('/slack').length > 0);

    const [call] = callsOf('/slack');
    expect(call?.body).toMatchObject({
      channel: '#hosting',
      attachments: [
        {
          color: '#bf8700',
          title: expect.stringContaining('(shop): A domain expires.'),
          title_link: 'https://runbooks.example/HostingDomainExpiring.md',
          text: expect.stringMatching(
            /^Домен пример\.example & ‹others›\.\n.+: .+\n_.* MSK, .*_ · <https:\S+\|\S+> · <https:.*>$/,
          ),
        },
      ],
    });
  });

  it('shorten a message about many accounts, so that Telegram accepts it', async () => {
    const total = { en: '(40 accounts)', ru: '(40 аккаунтов)' }[language];
    const texts = () => callsOf(`/bot${token}/sendMessage`).map(telegramText);
    await raise(
      Array.from({ length: 40 }, (_, index) =>
        alert('HostingExporterDown', 'critical', `account-${index}`, {
          summary: 'Exporter is down.',
          description: 'Длинный текст. '.repeat(36),
        }),
      ),
    );

    await until('the message', () => texts().some((one) => one.includes(total)));

    const shortened = texts().find((one) => one.includes(total)) ?? '';
    expect(shortened.length).toBeLessThan(4096);
    expect(shortened).toContain(
      {
        en: ' <a href="https://grafana.example/d/x?var-account=shop">and 34 more</a>\n',
        ru: ' <a href="https://grafana.example/d/x?var-account=shop">и ещё 34</a>\n',
      }[language],
    );
    expect(shortened.match(/<a /g)).toHaveLength(2);
    expect(shortened.split('\n').length).toBeLessThanOrEqual(5);
  });

  it('name the most urgent domain first, and each domain with its days', async () => {
    const days = {
      'a.example': ['012', 'in 13 days'],
      'b.example': ['-01', 'today'],
      'c.example': ['003', 'in 4 days'],
    };
    await raise(
      Object.entries(days).map(([domain, [order = '', figure = '']]) => {
        const description = `${domain} ends ${figure}.`;
        const texts = { summary: 'Domains end.', description, order, figure };
        const one = alert('HostingDomainExpiring', 'warning', 'three', texts);
        return { ...one, labels: { ...one.labels, domain } };
      }),
    );
    const also = { en: 'Also', ru: 'Также' }[language];

    const all = { en: '(three; 3 domains)', ru: '(three; 3 домена)' }[language];

    // If Alertmanager receives an old alert, it sends it immediately, perhaps without the other two, and all three a second later.
    const withAll = () => callsOf('/slack').find(({ body }) => JSON.stringify(body).includes(all));
    await until('the message', () => withAll() !== undefined);

    expect(JSON.stringify(withAll()?.body)).toContain(
      `b.example ends today.\\n${also}: c.example, in 4 days; a.example, in 13 days\\n`,
    );
  });

  it('have no empty link for the test alert of the manual, which has no runbook', async () => {
    const one = alert('HostingDiskAlmostFull', 'critical', 'test', {});
    await raise([{ ...one, annotations: { summary: 'Test' } }]);
    const texts = () => callsOf(`/bot${token}/sendMessage`).map(telegramText);

    await until('the message', () => texts().some((text) => text.includes('(test)')));

    const sent = texts().find((text) => text.includes('(test)'));
    expect(sent).toContain(': Test</b>\nTest\n');
    expect(sent).not.toContain('<a ');
  });

  it('say when everything is resolved, and how long it lasted', async () => {
    const before = callsOf('/slack').length;
    const resolved = alert('HostingDomainExpiring', 'warning', 'shop', {
      summary: 'A domain expires.',
      description: 'Домен пример.example & <others>.',
    });
    await raise([{ ...resolved, endsAt: '2026-03-01T12:30:00Z' }]);

    const ofShop = () =>
      callsOf('/slack')
        .slice(before)
        .find(({ body }) => JSON.stringify(body).includes('(shop)'));
    await until('the message', () => ofShop() !== undefined);

    expect(ofShop()?.body).toMatchObject({
      attachments: [
        {
          color: '#1a7f37',
          title: { en: '✅ Resolved (shop): A domain expires.', ru: '✅ Снято (shop): A domain expires.' }[language],
          text: {
            en: '✅ shop.example: lasted 3 h\n<https://hosting.example/accounts/shop|Page> · <https://runbooks.example/HostingDomainExpiring.md|What to do>',
            ru: '✅ shop.example: длилось 3 ч\n<https://hosting.example/accounts/shop|Страница> · <https://runbooks.example/HostingDomainExpiring.md|Что делать>',
          }[language],
        },
      ],
    });
  });

  function callsOf(path: string): readonly Call[] {
    return installation.calls.filter((call) => call.path === path);
  }

  async function raise(alerts: readonly object[]): Promise<void> {
    const response = await fetch(`http://${installation.address}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(alerts),
    });
    expect(response.status).toBe(200);
  }
});

it('docs/alerts.md shows the receiver for e-mail as the example has it', () => {
  const shown = codeBlocks(alertsPage().replaceAll(/^ {3}/gm, ''), 'yaml').find((yaml) =>
    yaml.includes('email_configs'),
  );

  const { receivers } = parse(exampleIn('en')) as Example;
  const { name, email_configs } = receivers.find((receiver) => receiver.name === 'mail') ?? {};
  expect(parse(shown ?? '')).toEqual([{ name, email_configs }]);
});

afterAll(cleanups.end);

function telegramText(call: Call | undefined): string {
  return (call?.body as { readonly text?: string } | undefined)?.text ?? '';
}

function alert(alertname: string, severity: string, account: string, annotations: { readonly [name: string]: string }) {
  return {
    labels: {
      alertname,
      severity,
      job: 'hosting',
      account,
      ...(account === 'a & b' && { customer: 'acme' }),
      ...(alertname === 'HostingDomainExpiring' && { domain: 'shop.example' }),
    },
    annotations: {
      ...annotations,
      runbook_url: `https://runbooks.example/${alertname}.md`,
      dashboard_url: 'https://grafana.example/d/x?var-account=shop',
      ...(account === 'shop' && { page_url: 'https://hosting.example/accounts/shop' }),
    },
    startsAt: '2026-03-01T09:30:00Z',
  };
}

/** Starts Alertmanager with the uncommented example. Only addresses, secret files and delays differ. */
async function start(language: Language): Promise<Installation> {
  const calls: Call[] = [];
  const smtp = await startSmtpServer(cleanups);
  const url = await startEndpoints(calls);
  const folder = temporaryFolder(cleanups);
  const write = (path: string, content: string) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const credentials = write('pager.token', 'pager-token');
  const smtpPassword = write('smtp.password', 'smtp-password');
  const slackUrl = write('slack.url', `${url}/slack`);
  for (const [path, content] of bundles.get(language) ?? []) if (path.startsWith('templates/')) write(path, content);
  const example = parse(exampleIn(language)) as Example;
  const receivers = example.receivers.map((receiver) => ({
    ...receiver,
    ...(receiver.telegram_configs && {
      telegram_configs: receiver.telegram_configs.map((one) => ({ ...one, bot_token: token, api_url: url })),
    }),
    ...(receiver.webhook_configs && {
      webhook_configs: receiver.webhook_configs.map((one) => ({
        ...one,
        url: `${url}/webhook`,
        http_config: { authorization: { credentials_file: credentials } },
      })),
    }),
    ...(receiver.email_configs && {
      email_configs: receiver.email_configs.map((one) => ({
        ...one,
        smarthost: smtp.address,
        auth_password_file: smtpPassword,
        require_tls: false,
      })),
    }),
    ...(receiver.slack_configs && {
      slack_configs: receiver.slack_configs.map((one) => ({ ...one, api_url_file: slackUrl })),
    }),
  }));
  const route = { ...example.route, group_wait: '1s', group_interval: '1s' };
  const config = stringify({ ...example, route, receivers });
  const { address } = await startAlertmanager(cleanups, config, folder, { environment: { TZ: 'Europe/Moscow' } });
  return { address, calls, smtp };
}

/** Telegram, Slack and a webhook on one port. */
async function startEndpoints(calls: Call[]): Promise<string> {
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        calls.push({
          path: request.url ?? '',
          authorization: request.headers.authorization,
          body: JSON.parse(body) as unknown,
        });
        const isTelegram = request.url?.startsWith('/bot') === true;
        response.setHeader('content-type', isTelegram ? 'application/json' : 'text/plain');
        response.end(isTelegram ? '{"ok":true,"result":{"message_id":1,"date":0,"chat":{"id":1}}}' : 'ok');
      },
      () => response.destroy(),
    );
  });
  return `http://127.0.0.1:${await listen(server, cleanups)}`;
}
