import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { basic, closedByServer, readPem, type SecuredApp, startSecuredApp } from '../../fixtures/secured-app.ts';

/** Replaces a file of the folder by another one, as `mv` does. */
function rename({ folder }: SecuredApp, from: string, to: string): void {
  copyFileSync(join(folder, from), join(folder, `${to}.new`));
  renameSync(join(folder, `${to}.new`), join(folder, to));
}

function useFixture({ file }: SecuredApp, fixture: string): void {
  writeFileSync(file, readPem(fixture));
}

const failures = (app: SecuredApp) => app.logLines.filter((line) => line.includes('"level":"error"'));

const reloadMetric = 'hosting_exporter_web_config_last_reload_successful';

describe('a changed web configuration file', () => {
  it('applies to the next connection: client certificates', async () => {
    const app = await startSecuredApp('RequireAndVerifyClientCert.good.yml');
    await expect(app.get()).rejects.toThrow(closedByServer);

    writeFileSync(app.file, `${readPem('tls.good.yml')}  client_auth_type: NoClientCert\n`);
    const opened = await app.get();
    useFixture(app, 'RequireAndVerifyClientCert.good.yml');

    expect(opened.status).toBe(200);
    await expect(app.get()).rejects.toThrow(closedByServer);
    expect(failures(app)).toEqual([]);
  });

  it('applies to the next request of an open connection: users and headers', async () => {
    const app = await startSecuredApp('tls.good.yml');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const before = await app.get('/metrics', { agent });

    useFixture(app, 'users.good.yml');
    const without = await app.get('/metrics', { agent });
    const withLogin = await app.get('/metrics', { agent, headers: basic('dave', 'dave123') });
    writeFileSync(app.file, `${readPem('tls.good.yml')}${readPem('headers.good.yml')}basic_auth_users: {}\n`);
    const after = await app.get('/metrics', { agent });

    expect([before.status, without.status, withLogin.status, after.status]).toEqual([200, 401, 200, 200]);
    expect(after.headers['x-frame-options']).toBe('deny');
    agent.destroy();
  });
});

it('a renewed certificate is used by the next connection, while open connections stay', async () => {
  const app = await startSecuredApp('tls.good.yml');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = await app.get('/metrics', { agent });

  rename(app, 'renewed.crt', 'server.crt');
  rename(app, 'renewed.key', 'server.key');
  const [open, fresh] = [await app.get('/metrics', { agent }), await app.get()];

  expect([before.server, fresh.server]).toEqual(['localhost', 'renewed']);
  expect([open.status, open.reused]).toEqual([200, true]);
  expect(fresh.body).toContain(`${reloadMetric} 1\n`);
  agent.destroy();
});

it('a changed client CA decides about the next connection, even if the client resumes a session', async () => {
  const app = await startSecuredApp('RequireAndVerifyClientCert.good.yml');
  const certificate = { cert: readPem('client.crt'), key: readPem('client.key') };
  const agent = new Agent({ maxCachedSessions: 10, keepAlive: false });
  const before = await app.get('/metrics', { ...certificate, agent });

  rename(app, 'foreign-client.crt', 'authority.crt');

  expect(before.status).toBe(200);
  await expect(app.get('/metrics', { ...certificate, agent })).rejects.toThrow(closedByServer);
});
