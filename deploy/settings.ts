// The service `settings` of the Compose stack. Writes the alert rules, the texts of messages, the dashboards and the configuration of
// Alertmanager to the working directory, from the variables in deploy/.env. If a variable or a file is missing, the service reports
// everything that is missing, writes nothing and exits with code 2. The service never reads a secret: Alertmanager and Grafana read their
// secret files.

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';

interface AlertmanagerConfig {
  readonly receivers: readonly { readonly name: string }[];
  readonly time_intervals: readonly { readonly time_intervals: readonly object[] }[];
}

/** Paths in the container. Tests replace them. */
const { values: paths } = parseArgs({
  options: {
    program: { type: 'string', default: '/app/dist/main.js' },
    dashboards: { type: 'string', default: '/dashboards' },
    secrets: { type: 'string', default: '/run/secrets' },
    'own-config': { type: 'string', default: '/own-alertmanager.yml' },
  },
});

const token = 'telegram.token';
const smtpPassword = 'smtp.password';

/** User IDs of the programs in their images. Each secret should be readable only for the user that needs it. */
const alertmanagerUser = 65_534;
const grafanaUser = 472;

/** The name of a time zone: area and location, as the time zone database writes them. */
const zoneName =
  /^(?:(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)(?:\/[A-Z][a-z]+(?:[A-Z][A-Za-z]*)?(?:[-_][A-Za-z][a-z]*)*){1,2}|Etc\/(?:UTC|GMT(?:[+-]\d+)?)|UTC)$/;

const problems: string[] = [];
const {
  HOSTING_LANGUAGE: language = '',
  TIME_ZONE: zone = 'Europe/Moscow',
  TELEGRAM_CHAT_ID: chat = '',
  EMAIL_TO: to = '',
  EMAIL_FROM: from = '',
  SMTP_SERVER: server = '',
  SMTP_LOGIN: login = '',
  SMTP_TLS: tls = '',
  ALERTMANAGER_CONFIG: ownConfig = '',
  GRAFANA_PASSWORD_FILE: grafanaPassword = '',
  GRAFANA_URL: grafanaUrl = '',
  EXPORTER_URL: exporterUrl = '',
} = process.env;

checkVariables();
if (problems.length > 0) {
  process.stderr.write(`${problems.map((problem) => `error: ${problem}\n`).join('')}`);
  process.exit(2);
}
const links = [
  ...(grafanaUrl === '' ? [] : [`--dashboards=${grafanaUrl}`]),
  ...(exporterUrl === '' ? [] : [`--pages=${exporterUrl}`]),
];
const rules = ['rules', `--language=${language}`, '--output=.', '--account-label=customer', ...links];
const { status } = spawnSync(process.execPath, [paths.program, ...rules], { stdio: ['ignore', 'ignore', 'inherit'] });
if (status !== 0) process.exit(status ?? 1);
copyDashboards();
writeFileSync('alertmanager.yml', ownConfig === '' ? alertmanagerConfig() : readFileSync(paths['own-config'], 'utf8'));
process.stdout.write(`Language: ${language}. ${describeReceivers()}\n`);

function checkVariables(): void {
  if (!['en', 'ru'].includes(language)) problem('HOSTING_LANGUAGE', 'is neither en nor ru');
  if (!isTimeZone(zone)) problem('TIME_ZONE', 'is not the name of a time zone, such as Europe/Moscow');
  for (const [name, url] of Object.entries({ GRAFANA_URL: grafanaUrl, EXPORTER_URL: exporterUrl })) {
    if (!/^(?:https?:\/\/[^\s"'{}]+)?$/.test(url)) problem(name, 'is not a URL, such as https://hosting.example.com');
  }
  if (grafanaPassword !== '') requireSecret(basename(grafanaPassword), grafanaUser, 'a new password for Grafana');
  if (ownConfig !== '') {
    const unused = Object.entries({ TELEGRAM_CHAT_ID: chat, EMAIL_TO: to }).filter(([, value]) => value !== '');
    for (const [name] of unused) problem(name, 'is not used with ALERTMANAGER_CONFIG; remove one of the two');
    return;
  }
  checkTelegram();
  checkEmail();
}

function checkTelegram(): void {
  if (chat === '') {
    if (secret(token) !== undefined) problem('TELEGRAM_CHAT_ID', `is missing, but ${pathOf(token)} exists`);
    return;
  }
  if (!/^-?[1-9]\d*$/.test(chat)) problem('TELEGRAM_CHAT_ID', 'is not a number');
  requireSecret(token, alertmanagerUser, 'the token of the bot');
}

function checkEmail(): void {
  if (to === '') {
    for (const [name, value] of Object.entries({
      EMAIL_FROM: from,
      SMTP_SERVER: server,
      SMTP_LOGIN: login,
      SMTP_TLS: tls,
    })) {
      if (value !== '') problem('EMAIL_TO', `is missing, but ${name} is set`);
    }
    if (secret(smtpPassword) !== undefined) problem('EMAIL_TO', `is missing, but ${pathOf(smtpPassword)} exists`);
    return;
  }
  if (!to.includes('@')) problem('EMAIL_TO', 'is not an address, such as me@example.com');
  if (!from.includes('@')) problem('EMAIL_FROM', 'must be the address of the sender');
  if (!/^[^\s:]+:\d+$/.test(server)) problem('SMTP_SERVER', 'must be host and port, such as smtp.example.com:587');
  if (!['', 'on', 'off'].includes(tls)) problem('SMTP_TLS', 'is neither on nor off');
  if (tls === 'off' && login !== '')
    problem('SMTP_LOGIN', 'needs TLS, because the password would be readable; remove SMTP_TLS');
  if (login !== '') requireSecret(smtpPassword, alertmanagerUser, 'the password of SMTP_LOGIN');
  else if (secret(smtpPassword) !== undefined) problem('SMTP_LOGIN', `is missing, but ${pathOf(smtpPassword)} exists`);
}

function problem(variable: string, text: string): void {
  problems.push(`deploy/.env: ${variable} ${text}`);
}

/** Checks that a secret exists and that its program can read it. */
function requireSecret(name: string, user: number, content: string): void {
  const stats = secret(name);
  const fix = `chown ${user} ${pathOf(name)} && chmod 0400 ${pathOf(name)}`;
  if (stats === undefined || stats.size === 0) {
    problems.push(`${pathOf(name)} is missing or empty; write ${content} into it, then run: ${fix}`);
  } else if (stats.uid !== user && (stats.mode & 0o004) === 0) {
    problems.push(`user ${user} cannot read ${pathOf(name)}; run: ${fix}`);
  }
}

function secret(name: string): Stats | undefined {
  return statSync(join(paths.secrets, name), { throwIfNoEntry: false });
}

/** The path of a secret on the host. */
function pathOf(name: string): string {
  return `deploy/secrets/${name}`;
}

/**
 * Whether Alertmanager knows the time zone; with an unknown one, it would not start. It reads the time zone database, whose names are
 * case-sensitive. `Intl` ignores case, and knows further names such as JST.
 */
function isTimeZone(name: string): boolean {
  if (!zoneName.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** Copies the dashboards of the language. Grafana shows home.json first. */
function copyDashboards(): void {
  rmSync('dashboards', { recursive: true, force: true });
  mkdirSync('dashboards');
  for (const path of globSync(join(paths.dashboards, '*.json'))) {
    const name = basename(path);
    if (name.endsWith('-ru.json') === (language === 'ru')) cpSync(path, join('dashboards', name));
  }
  cpSync(join('dashboards', language === 'ru' ? 'hosting-fleet-ru.json' : 'hosting-fleet.json'), 'home.json');
}

/**
 * The example configuration that `rules` has written, plus receivers. Critical alerts reach every receiver. Warnings are sent by e-mail. If
 * there is no e-mail address, they are sent to Telegram without a sound.
 */
function alertmanagerConfig(): string {
  const example = parse(readFileSync('alertmanager.example.yml', 'utf8')) as AlertmanagerConfig;
  const receivers: Readonly<Record<string, object>> = {
    page: { ...telegram(), ...email() },
    mail: to === '' ? telegram({ disable_notifications: true }) : email(),
  };
  return stringify({
    ...example,
    receivers: example.receivers.map(({ name }) => ({ name, ...receivers[name] })),
    time_intervals: example.time_intervals.map((interval) => ({
      ...interval,
      time_intervals: interval.time_intervals.map((times) => ({ ...times, location: zone })),
    })),
  });
}

/** `disable_notifications`: the message makes no sound. */
function telegram(options: { readonly disable_notifications?: boolean } = {}): object {
  if (chat === '') return {};
  const telegramConfig = {
    bot_token_file: `/run/secrets/${token}`,
    chat_id: Number(chat),
    parse_mode: 'HTML',
    message: '{{ template "hosting.telegram" . }}',
    send_resolved: true,
    ...options,
  };
  return { telegram_configs: [telegramConfig] };
}

function email(): object {
  if (to === '') return {};
  const emailConfig = {
    to,
    from,
    smarthost: server,
    // Without this setting, Alertmanager refuses a server that does not offer STARTTLS.
    ...(tls === 'off' && { require_tls: false }),
    ...(login !== '' && { auth_username: login, auth_password_file: `/run/secrets/${smtpPassword}` }),
    headers: { Subject: '{{ template "hosting.title" . }}' },
    html: '{{ template "hosting.email.html" . }}',
    text: '{{ template "hosting.email.text" . }}',
    send_resolved: true,
  };
  return { email_configs: [emailConfig] };
}

function describeReceivers(): string {
  if (ownConfig !== '') return `Alertmanager uses ${ownConfig}.`;
  const names = [chat === '' ? [] : `Telegram chat ${chat}`, to === '' ? [] : to].flat();
  const hint =
    to !== '' && login === '' && tls === '' ? ` If ${server} does not offer STARTTLS, set SMTP_TLS=off.` : '';
  if (names.length > 0) return `Alerts are sent to ${names.join(' and ')}.${hint}`;
  return 'Alerts are sent to no one: set TELEGRAM_CHAT_ID or EMAIL_TO in deploy/.env.';
}
