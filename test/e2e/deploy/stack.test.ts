import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startAlertmanager } from '../../fixtures/alertmanager.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import type { DebianServer } from '../../fixtures/debian-server.ts';
import { type Exporter, startDemo } from '../../fixtures/program.ts';
import { type Prometheus, runPrometheus } from '../../fixtures/prometheus.ts';
import { readYaml } from '../../fixtures/repository.ts';
import { partOf, type SmtpServer, startSmtpServer, subjectOf } from '../../fixtures/smtp-server.ts';
import { runSettings } from '../../fixtures/stack-settings.ts';
import { until } from '../../fixtures/waiting.ts';
import { adaptedCopy } from './adapted-copy.ts';

// The exporter of deploy/compose.demo.yml and the other services of deploy/compose.yml, run by Debian's programs with the files of the
// stack, in Russian. The copies replace host names and paths of the containers, and shorten intervals from minutes to seconds.

const cleanups = new Cleanups();
afterAll(cleanups.end);

let exporter: Exporter;
let prometheus: Prometheus;
let alertmanager: DebianServer;
let smtp: SmtpServer;

beforeAll(async () => {
  const { services } = readYaml<ComposeFile>('deploy/compose.demo.yml');
  exporter = await startDemo(
    cleanups,
    services.exporter.command.filter((word) => !/^--(?:web|sandbox|history)/.test(word)),
  );
  smtp = await startSmtpServer(cleanups);
  const settings = await runSettings(
    cleanups,
    {
      HOSTING_LANGUAGE: 'ru',
      EMAIL_TO: 'me@example.com',
      EMAIL_FROM: 'alerts@example.com',
      SMTP_SERVER: smtp.address,
      SMTP_LOGIN: 'alerts@example.com',
    },
    { secrets: { 'smtp.password': 'mail-password' } },
  );
  // The mail server of the test has no TLS.
  const config = settings.alertmanagerConfig().replace('group_wait: 1m', 'group_wait: 1s');
  alertmanager = await startAlertmanager(cleanups, `global: { smtp_require_tls: false }\n${config}`, settings.folder);
  const rules = join(settings.folder, 'adapted.rules.yml');
  writeFileSync(
    rules,
    readFileSync(join(settings.folder, 'hosting.rules.yml'), 'utf8')
      .replaceAll('for: 10m', 'for: 1s')
      .replaceAll(/^ {4}interval: \d+m$/gm, '    interval: 1s'),
  );
  prometheus = await runPrometheus(
    cleanups,
    adaptedCopy(cleanups, 'deploy/prometheus/prometheus.yml', {
      'exporter:10380': exporter.address,
      'alertmanager:9093': alertmanager.address,
      '/settings/hosting.rules.yml': rules,
      'scrape_interval: 30s': 'scrape_interval: 1s',
      'evaluation_interval: 30s': 'evaluation_interval: 1s',
    }),
  );
});

interface ComposeFile {
  readonly services: { readonly exporter: { readonly command: readonly string[] } };
}

async function valuesByAccount(metric: string): Promise<Readonly<Record<string, number>>> {
  const series = await prometheus.query(metric);
  return Object.fromEntries(series.map(({ labels, value }) => [labels['account'] ?? '', value]));
}

it('shows the demo accounts, and the one with an invalid password as down', async () => {
  await until('every account was polled', async () => {
    expect(await valuesByAccount('hosting_up')).toEqual({ blog: 1, shop: 1, agency: 1, unlimited: 1, forgotten: 0 });
    return true;
  });
});

it('sends a firing alert to Alertmanager', async () => {
  const alert = await until('the alert has arrived', async () => {
    const response = await fetch(`http://${alertmanager.address}/api/v2/alerts`);
    const alerts = (await response.json()) as readonly Alert[];
    return alerts.find(({ labels }) => labels['alertname'] === 'HostingCredentialsRejected');
  });

  expect(alert?.labels).toMatchObject({ account: 'forgotten', severity: 'warning', job: 'hosting' });
  expect(alert?.receivers).toEqual([{ name: 'mail' }]);
  expect(alert?.status.state).toBe('active');
});

it('sends the alert by e-mail, in Russian', async () => {
  const mail = await until('the mail', () =>
    smtp.mails.find((one) => partOf(one, 'text/plain').includes('HostingCredentialsRejected')),
  );

  expect(mail).toMatchObject({
    from: 'alerts@example.com',
    to: ['me@example.com'],
    login: 'alerts@example.com:mail-password',
  });
  expect(subjectOf(mail)).toBe('🟡 Предупреждение (forgotten): API хостинга не принимает пароль.');
  expect(partOf(mail, 'text/plain')).toMatch(/ · Что делать: \S+\/runbooks\/ru\/HostingCredentialsRejected\.md/);
});

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
  readonly receivers: readonly { readonly name: string }[];
  readonly status: { readonly state: string };
}
