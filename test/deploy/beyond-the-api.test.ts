import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { promtoolProblems } from '../fixtures/promtool.ts';
import { readText } from '../fixtures/repository.ts';
import { httpServer, listen } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const page = readText('docs/beyond-the-api.md');

/** The code block below the line with a file name. */
function fileOnPage(name: string): string {
  const [, block] = /\n```\w*\n(.*?)^```$/ms.exec(page.split(`\n\`${name}\``)[1] ?? '') ?? [];
  if (block === undefined) throw new Error(`docs/beyond-the-api.md has no block below \`${name}\``);
  return block;
}

/** Runs a script of the page with a home folder and other addresses. Returns its output. */
async function run(
  name: string,
  home: string,
  addresses: Record<string, string> = {},
  args: string[] = [],
  input = '',
) {
  const script = Object.entries(addresses).reduce((text, [from, to]) => text.replaceAll(from, to), fileOnPage(name));
  writeFileSync(join(home, name), script);
  const env = { ...process.env, HOME: home, PATH: `${home}/bin:${process.env['PATH']}` };
  const running = promisify(execFile)('sh', [join(home, name), ...args], { env });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

function write(home: string, path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

const exporterPage = readText('test/golden/provider.txt');

it('hosting-extra.sh writes figures of the hosting account', async () => {
  const home = temporaryFolder();
  const yesterday = new Date(Date.now() - 86_400_000).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: process.env['TZ'] ?? 'UTC',
  });
  const [day, month, year] = yesterday.replace('Sept', 'Sep').split(' ');
  const line = (when: string, bytes: number) =>
    `192.0.2.1 - - [${when}:10:00:00 +0300] "GET / HTTP/1.1" 200 ${bytes} "-" "-"\n`;
  write(
    home,
    'logs/example.com.access.log',
    line(`${day}/${month}/${year}`, 700) + line('01/Jan/2020', 5000) + line(`${day}/${month}/${year}`, 42),
  );
  write(
    home,
    'php-mail.log',
    `[${day}-${month}-${year} 10:00:00 UTC] mail() on [/a.php:1]: To: a@b\n[01-Jan-2020 10:00:00 UTC] mail() on [/a.php:1]: To: a@b\n`,
  );
  write(home, 'site/wp-content/uploads/2026/evil.php', '<?php');
  write(home, 'site/index.php', '<?php');
  utimesSync(join(home, 'site/index.php'), 1e9, 1e9);
  write(home, '.cron-success/backup', '');
  utimesSync(join(home, '.cron-success/backup'), 1.7e9, 1.7e9);
  const output = join(home, 'metrics.txt');

  await run('hosting-extra.sh', home, {}, ['shop', output]);

  const text = readFileSync(output, 'utf8');
  const values = Object.fromEntries(
    [...text.matchAll(/^hosting_extra_(\S+) (\d+)$/gm)].map(([, series, value]) => [series, Number(value)]),
  );
  expect(await promtoolProblems(text)).toBe('');
  expect(values).toMatchObject({
    'php_files_in_uploads{account="shop"}': 1,
    'php_files_changed{account="shop"}': 1,
    'traffic_bytes{account="shop",log="example.com.access.log"}': 742,
    'php_mails{account="shop"}': 1,
    'cron_success_timestamp_seconds{account="shop",task="backup"}': 1_700_000_000,
  });
  expect(values['inodes{account="shop"}']).toBeGreaterThan(12);
  expect(values['folder_bytes{account="shop",folder="site"}']).toBeGreaterThan(0);
});

it('site-targets.sh writes a target for each domain of a site', async () => {
  const home = temporaryFolder();
  const exporter = await httpServer((_request, response) => response.end(exporterPage));

  await run('site-targets.sh', home, { 'http://localhost:10380': exporter }, [join(home, 'sites.yml')]);

  const lines = readFileSync(join(home, 'sites.yml'), 'utf8').split('\n');
  expect(lines).toContain('- { targets: ["https://teapots.example"], labels: { account: "shop" } }');
  expect(lines.length - 1).toBe(exporterPage.match(/^hosting_site_domain_info\{/gm)?.length);
});

it('mailboxes.sh prints the quota of mailboxes', async () => {
  const home = temporaryFolder();
  const port = await imapServer();
  const netrc = `machine 127.0.0.1 login info@example.com password secret\n`;
  writeFileSync(join(home, 'mailboxes.netrc'), netrc, { mode: 0o600 });
  const addresses = { 'imaps://': 'imap://', 'imap.example.com': `127.0.0.1:${port}` };

  const text = await run('mailboxes.sh', home, addresses, [], 'shop info@example.com\n');

  expect(await promtoolProblems(text)).toBe('');
  expect(text.match(/^hosting_.*$/gm)).toEqual([
    'hosting_extra_mailbox_used_bytes{account="shop",mailbox="info@example.com"} 10485760',
    'hosting_extra_mailbox_limit_bytes{account="shop",mailbox="info@example.com"} 1073741824',
  ]);
});

it('registered-elsewhere.sh prints when domains expire by their registry', async () => {
  const home = temporaryFolder();
  const domains = ['a.example', 'b.example', 'c.ru'].map(
    (name) => `hosting_domain_under_control{account="shop",domain="${name}"} 0\n`,
  );
  const server = await httpServer((request, response) => {
    if (request.url?.startsWith('/api/metrics')) return response.end(`${domains.join('')}${exporterPage}`);
    response.statusCode = request.url === '/api/domain/a.example' ? 200 : 404;
    return response.end(JSON.stringify({ events: [{ eventAction: 'expiration', eventDate: '2027-01-02T03:04:05Z' }] }));
  });
  write(home, 'bin/whois', '#!/bin/sh\nprintf "domain: C.RU\\npaid-till:     2027-03-01T21:00:00Z\\n"\n');
  chmodSync(join(home, 'bin/whois'), 0o755);

  const text = await run('registered-elsewhere.sh', home, {
    'http://localhost:10380': server,
    'https://rdap.org': server,
  });

  expect(await promtoolProblems(text)).toBe('');
  expect(text.match(/^hosting_.*$/gm)).toEqual([
    `hosting_extra_domain_expiry_timestamp_seconds{account="shop",domain="a.example"} ${Date.parse('2027-01-02T03:04:05Z') / 1000}`,
    `hosting_extra_domain_expiry_timestamp_seconds{account="shop",domain="c.ru"} ${Date.parse('2027-03-01T21:00:00Z') / 1000}`,
  ]);
});

it('the configuration of Prometheus is valid, and each rule fires', () => {
  const folder = temporaryFolder();
  const [, hostingExtra = ''] = /```yaml\n# prometheus\.yml\n(.*?)```/s.exec(page) ?? [];
  write(folder, 'sites.yml', fileOnPage('sites.yml'));
  write(folder, 'extra.yml', hostingExtra);
  write(folder, 'extra.rules.yml', fileOnPage('extra.rules.yml'));
  const labels = 'account="shop"';
  const series = [
    [`probe_success{job="sites",instance="https://a.example",${labels}}`, '0x9999'],
    [`probe_ssl_earliest_cert_expiry{job="sites",instance="https://a.example",${labels}}`, '1000000x9999'],
    [`hosting_extra_inodes{${labels}}`, '240000x9999'],
    [`hosting_extra_php_files_in_uploads{${labels}}`, '1x9999'],
    [`hosting_extra_cron_success_timestamp_seconds{${labels},task="backup"}`, '0x9999'],
    [`hosting_extra_updated_timestamp_seconds{${labels}}`, '0x9999'],
    [`hosting_extra_mailbox_used_bytes{${labels},mailbox="a@b.c"}`, '95x9999'],
    [`hosting_extra_mailbox_limit_bytes{${labels},mailbox="a@b.c"}`, '100x9999'],
    [`hosting_extra_domain_expiry_timestamp_seconds{${labels},domain="a.example"}`, '1000000x9999'],
  ];
  const alerts = fileOnPage('extra.rules.yml').match(/(?<=alert: )\w+/g) ?? [];
  const test = {
    rule_files: ['extra.rules.yml'],
    evaluation_interval: '30m',
    tests: [
      {
        interval: '1m',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: alerts.map((alert) => ({
          expr: `count by (alertname, account) (ALERTS{alertname="${alert}",alertstate="firing"})`,
          eval_time: '60h',
          exp_samples: [{ labels: `{alertname="${alert}",${labels}}`, value: 1 }],
        })),
      },
    ],
  };
  write(folder, 'test.yml', JSON.stringify(test));
  const promtool = (...args: string[]) =>
    execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  expect(alerts).toHaveLength(8);
  expect(promtool('check', 'config', '--syntax-only', 'sites.yml')).toContain('SUCCESS');
  expect(promtool('check', 'config', '--syntax-only', 'extra.yml')).toContain('SUCCESS');
  expect(promtool('check', 'rules', 'extra.rules.yml')).toContain('SUCCESS');
  expect(promtool('test', 'rules', 'test.yml')).toContain('SUCCESS');
});

/** An IMAP server with one mailbox, which has used 10 of 1024 MiB. Returns its port. */
async function imapServer(): Promise<number> {
  const answers: readonly (readonly [RegExp, string])[] = [
    [/^CAPABILITY/i, '* CAPABILITY IMAP4rev1 QUOTA\r\n'],
    [/^LOGIN "?info@example\.com"? "?secret"?/i, ''],
    [/^GETQUOTAROOT INBOX/i, '* QUOTAROOT INBOX "User quota"\r\n* QUOTA "User quota" (STORAGE 10240 1048576)\r\n'],
    [/^LOGOUT/i, '* BYE\r\n'],
  ];
  const server = createServer((socket) => {
    socket.write('* OK ready\r\n');
    socket.on('data', (data) => {
      const [, tag, command = ''] = /^(\S+) (.*)\r\n$/.exec(data.toString()) ?? [];
      const [, answer] = answers.find(([pattern]) => pattern.test(command)) ?? [];
      socket.write(answer === undefined ? `${tag} NO\r\n` : `${answer}${tag} OK done\r\n`);
    });
  });
  return listen(server);
}
