import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cleanups, cleanups } from '../../fixtures/cleanups.ts';
import { fileOnPage } from '../../fixtures/markdown.ts';
import { accountSettings, type Exporter, startExporter } from '../../fixtures/program.ts';
import { readText, repository } from '../../fixtures/repository.ts';
import { openSandbox } from '../../fixtures/sandbox.ts';
import { httpServer } from '../../fixtures/servers.ts';
import { startSmtpServer } from '../../fixtures/smtp-server.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/waiting.ts';

const page = readText('docs/without-prometheus.md');
const shared = new Cleanups();
afterAll(shared.end);

let exporter: Exporter;

/** An exporter whose only account has rejected credentials. */
beforeAll(async () => {
  const sandbox = await openSandbox({}, shared);
  exporter = await startExporter(shared, {
    api: { base_url: sandbox.baseUrl },
    accounts: [{ ...accountSettings(sandbox.account('shop')), password: 'wrong' }],
  });
  await until('the account is rejected', async () => (await exporter.page('/accounts.json')).includes('"auth"'));
});

/** The line of the table for a program. */
function lineOf(program: string): string {
  const [, line = ''] = new RegExp(`^\\| ${program}\\b.* \\| \`(.*)\` \\|$`, 'm').exec(page) ?? [];
  return line.replaceAll('\\|', '|');
}

const mailUnit = readText('deploy/systemd/hosting-account-report-mail.service');
const withMsmtp = /^printf 'Subject:.*$/m;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Prepares a shell. The shell finds the program, and its memory files are in a temporary folder. */
function prepare() {
  const folder = temporaryFolder(cleanups);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'hosting-account-exporter');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${join(repository, 'dist/main.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  const adapt = (script: string) =>
    script
      .replaceAll('http://localhost:10380', exporter.url)
      .replaceAll('/var/lib/hosting-account-report', folder)
      .replaceAll('/usr/local/bin/', `${bin}/`);
  const shell = (script: string) =>
    new Promise<Ran>((resolve) => {
      const env = { ...process.env, HOME: folder, PATH: `${bin}:${process.env['PATH']}` };
      const options = { env, encoding: 'utf8' } as const;
      execFile('sh', ['-c', adapt(script)], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  return { folder, shell, memory: () => readdirSync(folder).includes('problems.json') };
}

const news = 'Your account needs attention\nnew: shop: The API rejects the login or password';

describe('the recipes of docs/without-prometheus.md', () => {
  it('cron: a problem is printed once', async () => {
    const { shell } = prepare();
    const [, command = ''] = / exporter (hosting-account-exporter report .*)$/m.exec(page) ?? [];

    expect(await shell(command)).toEqual({ code: 3, stdout: `${news}\n`, stderr: '' });
    expect(await shell(command)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('msmtp sends a problem once', async () => {
    const { folder, shell, memory } = prepare();
    const server = await startSmtpServer(cleanups);
    const [host, port] = server.address.split(':');
    const settings = [
      `host ${host}`,
      `port ${port}`,
      'from exporter@example.com',
      'auth plain',
      'user u',
      'password p',
    ];
    const account = ['account default', ...settings, 'tls off', 'auto_from off', ''].join('\n');
    writeFileSync(join(folder, '.msmtprc'), account, { mode: 0o600 });
    const script = fileOnPage(page, 'send-report.sh');

    expect(await shell(script)).toMatchObject({ code: 0, stderr: '' });
    expect(await shell(script)).toMatchObject({ code: 0, stderr: '' });

    expect(server.mails).toMatchObject([{ to: ['admin@example.com'], login: 'u:p' }]);
    expect(server.mails[0]?.source).toContain('Subject: Hosting accounts\n');
    expect(server.mails[0]?.source.replaceAll('\r', '')).toContain(news);
    expect(memory()).toBe(true);
  });

  it('a script that failed to send reports everything again', async () => {
    const { folder, shell, memory } = prepare();
    writeFileSync(join(folder, '.msmtprc'), 'account default\nhost 127.0.0.1\nport 1\nfrom a@example.com\n', {
      mode: 0o600,
    });

    expect((await shell(fileOnPage(page, 'send-report.sh'))).code).toBe(1);
    expect(memory()).toBe(false);
  });

  it.each(['Apprise', 'ntfy'])('%s sends the text to an HTTP server', async (program) => {
    const { folder, shell } = prepare();
    const bodies: string[] = [];
    const url = await httpServer((_request, response, body) => {
      bodies.push(body);
      response.end('{}');
    });
    writeFileSync(join(folder, 'apprise.conf'), `${url.replace('http:', 'json:')}\n`);
    const line = lineOf(program)
      .replace('/etc/apprise.conf', join(folder, 'apprise.conf'))
      .replace('https://ntfy.sh/your-secret-topic', url);
    const script = fileOnPage(page, 'send-report.sh').replace(withMsmtp, () => line);
    expect(script).toContain(line);

    expect(await shell(script)).toMatchObject({ code: 0 });

    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain('new: shop: The API rejects the login or password');
  });

  it('a dead man’s switch receives the exit code and the text', async () => {
    const { shell } = prepare();
    const pings: string[] = [];
    const url = await httpServer((request, response, body) => {
      pings.push(`${request.url} ${body}`);
      response.end('OK');
    });

    const { code } = await shell(fileOnPage(page, 'ping.sh').replace('https://hc-ping.com', url));

    expect(code).toBe(0);
    expect(pings).toEqual([
      '/api/00000000-0000-0000-0000-000000000000/3 Your account needs attention\nshop: The API rejects the login or password',
    ]);
  });

  it('Uptime Kuma receives the state and the text', async () => {
    const { shell } = prepare();
    const pings: string[] = [];
    const url = await httpServer((request, response) => {
      pings.push(request.url ?? '');
      response.end('OK');
    });
    const [line = ''] = /curl [^`]*api\/push\/TOKEN/.exec(page) ?? [];

    await shell(fileOnPage(page, 'ping.sh').replace(/^curl .*$/m, () => line.replace('https://kuma.example.com', url)));

    const query = new URL(pings[0] ?? '', url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ status: 'down', msg: expect.stringContaining('shop: The API') });
  });

  it('the plugin runner of Debian understands the exit code and the line', async () => {
    const { shell } = prepare();
    const [, command = ''] = /command_line {2}(.*)$/m.exec(page) ?? [];

    const plugin = command.replace('$ARG1$', 'shop');
    const { code, stdout } = await shell(
      `/usr/lib/nagios/plugins/negate --timeout=600 --substitute --unknown=WARNING ${plugin}`,
    );

    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^HOSTING WARNING: Your account needs attention; shop: The API rejects .* \| critical=0 .*\n$/,
    );
  });
});

it.each([
  ['keeps the memory of what it has sent', 0, true],
  ['that failed makes the next run report everything again', 1, false],
])('the mail of systemd %s', async (_what, code, isKept) => {
  const { folder, shell, memory } = prepare();
  const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/ms.exec(mailUnit) ?? [];
  writeFileSync(join(folder, 'bin/sendmail'), `#!/bin/sh\ncat > ${folder}/mail\nexit ${code}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'report.txt'), 'new: shop: too full\n');
  writeFileSync(join(folder, 'problems.json'), '[]');

  // systemd joins the lines, and reads two backslashes as one.
  const line = command.replaceAll('\\\n', ' ').replaceAll('\\\\', '\\').replace('/usr/sbin/', '');
  const ran = await shell(line);

  expect(ran.code).toBe(code);
  expect(readFileSync(join(folder, 'mail'), 'utf8')).toMatch(/^To: root\nSubject: .*\n\nnew: shop: too full\n$/s);
  expect(memory()).toBe(isKept);
});

it('systemd accepts the units', () => {
  const folder = temporaryFolder();
  const names = [
    'hosting-account-report.service',
    'hosting-account-report.timer',
    'hosting-account-report-mail.service',
  ];
  for (const name of names) {
    const text = readText(`deploy/systemd/${name}`).replaceAll('/usr/bin/node ', `${process.execPath} `);
    writeFileSync(join(folder, name), text);
  }

  const files = names.map((name) => join(folder, name));
  expect(execFileSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});
