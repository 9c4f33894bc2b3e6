import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { derive } from '../../src/rules/derive.ts';
import { readSteps } from '../documentation/page-commands.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { readText } from '../fixtures/repository.ts';
import { runSettings, type StackSettings } from '../fixtures/stack-settings.ts';
import { run } from '../rules/run-tool.ts';
import { uncommented } from '../rules/uncommented.ts';

const cleanups = new Cleanups();
afterAll(cleanups.end);

interface Receiver {
  readonly name: string;
  readonly telegram_configs?: readonly Readonly<Record<string, unknown>>[];
  readonly email_configs?: readonly Readonly<Record<string, unknown>>[];
}

interface Config {
  readonly templates: readonly string[];
  readonly route: unknown;
  readonly inhibit_rules: unknown;
  readonly receivers: readonly Receiver[];
  readonly time_intervals: readonly { readonly time_intervals: readonly { readonly location: string }[] }[];
}

const example = parse(uncommented(readText('alerts/alertmanager.example.yml'))) as Config;

const telegram = { TELEGRAM_CHAT_ID: '-1001234' };
const email = {
  EMAIL_TO: 'me@example.com',
  EMAIL_FROM: 'alerts@example.com',
  SMTP_SERVER: 'smtp.example.com:587',
  SMTP_LOGIN: 'alerts@example.com',
};
const secrets = { 'telegram.token': '123:token', 'smtp.password': 'secret' };
const combinations = [
  { language: 'en', name: 'no receiver', zone: 'Etc/GMT+3', variables: {}, page: [], mail: [], files: {} },
  { language: 'ru', name: 'no receiver', zone: 'Europe/Kyiv', variables: {}, page: [], mail: [], files: {} },
  {
    language: 'ru',
    name: 'Telegram',
    zone: 'Asia/Omsk',
    variables: telegram,
    page: ['telegram_configs'],
    mail: ['telegram_configs'],
    files: { 'telegram.token': '123:token' },
  },
  {
    language: 'en',
    name: 'e-mail',
    zone: 'America/Port-au-Prince',
    variables: email,
    page: ['email_configs'],
    mail: ['email_configs'],
    files: { 'smtp.password': 'secret' },
  },
  {
    language: 'en',
    name: 'Telegram and e-mail',
    zone: 'Asia/Omsk',
    variables: { ...telegram, ...email },
    page: ['telegram_configs', 'email_configs'],
    mail: ['email_configs'],
    files: secrets,
  },
];

const settingsOf = new Map<string, Promise<StackSettings>>();

/** Runs once for each language and combination, because the tests only read the result. */
function settingsFor(language: string, wanted: string): Promise<StackSettings> {
  const combination = combinations.find((one) => one.language === language && one.name === wanted);
  if (combination === undefined) throw new Error(`no combination ${wanted} in ${language}`);
  const { variables, files, zone } = combination;
  const key = `${language} ${wanted}`;
  const settings =
    settingsOf.get(key) ??
    runSettings(cleanups, { ...variables, HOSTING_LANGUAGE: language, TIME_ZONE: zone }, { secrets: files });
  settingsOf.set(key, settings);
  return settings;
}

describe('the settings of the stack', () => {
  it.each(combinations)('make a valid configuration of Alertmanager in $language for $name', async (combination) => {
    const { language, name } = combination;

    const settings = await settingsFor(language, name);
    expect(settings.stderr).toBe('');
    const file = join(settings.folder, 'checked.yml');
    writeFileSync(file, settings.alertmanagerConfig());
    const amtool = await run('amtool', 'check-config', file);

    expect(amtool.code, amtool.output).toBe(0);
    const config = readConfig(settings.folder);
    expect(config.receivers.map(({ name, ...kinds }) => [name, ...Object.keys(kinds)])).toEqual([
      ['page', ...combination.page],
      ['mail', ...combination.mail],
      ['blackhole'],
    ]);
    expect(config.templates).toEqual([language === 'ru' ? 'templates/hosting.ru.tmpl' : 'templates/hosting.tmpl']);
    expect(config.time_intervals.flatMap((one) => one.time_intervals.map(({ location }) => location))).toEqual([
      combination.zone,
    ]);
    expect({ ...config, receivers: [], templates: [], time_intervals: [] }).toEqual({
      ...example,
      receivers: [],
      templates: [],
      time_intervals: [],
    });
  });

  it.each(['en', 'ru'])('contain rules and dashboards of the language %s only', async (language) => {
    const { folder, stdout } = await settingsFor(language, 'no receiver');
    const written = derive({ language: language === 'ru' ? 'ru' : 'en', accountLabels: ['customer'] });
    const dashboards = globSync(join(folder, 'dashboards/*')).map((path) => /-ru\.json$/.test(path));

    expect(alertsIn(readFileSync(join(folder, 'hosting.rules.yml'), 'utf8'))).toEqual(
      alertsIn(written.get('hosting.rules.yml') ?? ''),
    );
    expect(dashboards).toEqual(Array.from({ length: 4 }, () => language === 'ru'));
    expect(readFileSync(join(folder, 'home.json'), 'utf8')).toContain(
      `"uid": "hosting-fleet${language === 'ru' ? '-ru' : ''}"`,
    );
    expect(stdout).toContain('Alerts are sent to no one: set TELEGRAM_CHAT_ID or EMAIL_TO in deploy/.env.');
  });
});

it('the receivers are those of the example, with their own addresses and the secrets in files', async () => {
  const { folder, stdout } = await settingsFor('en', 'Telegram and e-mail');
  const [page] = readConfig(folder).receivers;
  const configOf = (name: string) => example.receivers.find((one) => one.name === name);

  const silent = (await settingsFor('ru', 'Telegram')).folder;
  const sounds = readConfig(silent).receivers.map(
    ({ telegram_configs: all = [] }) => all[0]?.['disable_notifications'],
  );
  expect(sounds).toEqual([undefined, true, undefined]);
  expect(page?.telegram_configs).toEqual(
    configOf('page')?.telegram_configs?.map(({ bot_token: _, ...others }) => ({
      ...others,
      bot_token_file: '/run/secrets/telegram.token',
      chat_id: -1_001_234,
    })),
  );
  expect(page?.email_configs).toEqual(
    configOf('mail')?.email_configs?.map((one) => ({
      ...one,
      to: 'me@example.com',
      from: 'alerts@example.com',
      smarthost: 'smtp.example.com:587',
      auth_username: 'alerts@example.com',
      auth_password_file: '/run/secrets/smtp.password',
    })),
  );
  expect(stdout).toBe('Language: en. Alerts are sent to Telegram chat -1001234 and me@example.com.\n');
});

it('docs/small-server.md shows valid variables', async () => {
  const files = readSteps(readText('docs/small-server.md')).flatMap((step) =>
    step.kind === 'file' ? [step.content] : [],
  );
  const lines = files.join('').trim().split('\n');
  const secretFiles = { 'grafana.password': 'password', 'telegram.token': 'token', 'smtp.password': 'password' };

  const settings = await runSettings(
    cleanups,
    {
      HOSTING_LANGUAGE: 'ru',
      GRAFANA_PASSWORD_FILE: 'grafana.password',
      ...Object.fromEntries(lines.map((line) => line.split('='))),
    },
    { secrets: secretFiles },
  );

  expect(settings.stderr).toBe('');
  expect(readConfig(settings.folder).receivers[0]).toMatchObject({
    telegram_configs: [{ chat_id: 123_456_789 }],
    email_configs: [{ to: 'me@example.com' }],
  });
});

it('a mail server without a login needs no password, and without STARTTLS needs SMTP_TLS=off', async () => {
  const { SMTP_LOGIN: _, ...relay } = email;

  const [standard, off] = await Promise.all(
    [{}, { SMTP_TLS: 'off' }].map((variables) =>
      runSettings(cleanups, { HOSTING_LANGUAGE: 'en', ...relay, ...variables }),
    ),
  );

  expect(standard?.stderr).toBe('');
  expect(readConfig(standard?.folder ?? '').receivers[0]?.email_configs?.[0]).not.toHaveProperty('auth_password_file');
  expect(standard?.stdout).toContain('does not offer STARTTLS, set SMTP_TLS=off.');
  expect(off?.stdout).not.toContain('STARTTLS');
  expect(readConfig(off?.folder ?? '').receivers[0]?.email_configs?.[0]).toMatchObject({ require_tls: false });
});

it('an own configuration of Alertmanager is used without changes', async () => {
  const ownConfig = '# mine\nroute: { receiver: mine }\nreceivers: [{ name: mine }]\n';

  const { folder } = await runSettings(
    cleanups,
    { HOSTING_LANGUAGE: 'ru', ALERTMANAGER_CONFIG: './mine.yml' },
    { ownConfig },
  );

  expect(readFileSync(join(folder, 'alertmanager.yml'), 'utf8')).toBe(ownConfig);
});

describe('the settings of the stack report', () => {
  const { 'telegram.token': token, 'smtp.password': password } = secrets;

  it.each([
    [
      'MSK+3',
      { HOSTING_LANGUAGE: 'de', GRAFANA_PASSWORD_FILE: '/run/secrets/grafana.password' },
      {},
      [
        'HOSTING_LANGUAGE is neither en nor ru',
        'deploy/secrets/grafana.password is missing or empty; write a new password for Grafana into it, then run: chown 472',
      ],
    ],
    ['JST', { ...email, SMTP_TLS: 'off' }, { 'smtp.password': password }, ['SMTP_LOGIN needs TLS']],
    [
      'Europe/moscow',
      { EMAIL_TO: 'a@b', EMAIL_FROM: 'a@b', SMTP_SERVER: 'relay:25', SMTP_TLS: 'no' },
      {},
      ['SMTP_TLS is neither on nor off'],
    ],
    [
      'europe/Moscow',
      telegram,
      { 'telegram.token': '', 'smtp.password': password },
      [
        'telegram.token is missing or empty; write the token of the bot into it',
        'EMAIL_TO is missing, but deploy/secrets/smtp.password exists',
      ],
    ],
    [
      'Europe/MOSCOW',
      { ...email, TELEGRAM_CHAT_ID: '@me' },
      { 'telegram.token': token },
      [
        'TELEGRAM_CHAT_ID is not a number',
        'smtp.password is missing or empty; write the password of SMTP_LOGIN into it',
      ],
    ],
    [
      'SystemV/AST4',
      { EMAIL_TO: 'me@example.com' },
      secrets,
      [
        'TELEGRAM_CHAT_ID is missing, but deploy/secrets/telegram.token exists',
        'EMAIL_FROM must be the address of the sender',
        'SMTP_SERVER must be host and port, such as smtp.example.com:587',
        'SMTP_LOGIN is missing, but deploy/secrets/smtp.password exists',
      ],
    ],
    [
      '+03:00',
      { ...telegram, ALERTMANAGER_CONFIG: './mine.yml' },
      { 'telegram.token': token },
      ['TELEGRAM_CHAT_ID is not used with ALERTMANAGER_CONFIG; remove one of the two'],
    ],
  ])('time zone %s, which Alertmanager rejects, and %j with secrets %j', async (zone, variables, files, problems) => {
    const all = { HOSTING_LANGUAGE: 'en', TIME_ZONE: zone, ...variables };
    const settings = await runSettings(cleanups, all, { secrets: files });

    const texts = ['TIME_ZONE is not the name of a time zone, such as Europe/Moscow', ...problems];
    const lines = settings.stderr.trim().split('\n');
    expect(settings.exit.code).toBe(2);
    expect(lines).toEqual(expect.arrayContaining(texts.map((text) => expect.stringContaining(text))));
    expect(lines).toHaveLength(texts.length);
    expect(globSync(join(settings.folder, '*'))).toEqual([]);
  });

  it('a secret that the program cannot read', async () => {
    const { stderr } = await runSettings(
      cleanups,
      { HOSTING_LANGUAGE: 'en', ...telegram },
      { secrets: { 'telegram.token': token }, mode: 0o400 },
    );

    expect(stderr).toBe(
      'error: user 65534 cannot read deploy/secrets/telegram.token; run: chown 65534 deploy/secrets/telegram.token && chmod 0400 deploy/secrets/telegram.token\n',
    );
  });
});

function readConfig(folder: string): Config {
  return parse(readFileSync(join(folder, 'alertmanager.yml'), 'utf8')) as Config;
}

/** Names and texts of the alerts. */
function alertsIn(rules: string): readonly unknown[] {
  const { groups } = parse(rules) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert?: string; readonly annotations?: unknown }[];
    }[];
  };
  return groups.flatMap((group) => group.rules).flatMap((rule) => (rule.alert === undefined ? [] : [rule]));
}
