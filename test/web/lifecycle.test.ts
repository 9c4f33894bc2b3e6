import { describe, expect, it } from 'vitest';
import type { AppOptions } from '../../src/app.ts';
import { ConfigError } from '../../src/config/values/config-error.ts';
import { inlineSecret } from '../../src/config/values/secret.ts';
import { startApp } from '../fixtures/app.ts';
import { accountConfig, config } from '../fixtures/config.ts';

const account = (name: string) => accountConfig({ name, collectors: [] });

/** Resolves after the answers that are already under way. */
async function fetchedLater(): Promise<string> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return 'later';
}

async function start(load: NonNullable<AppOptions['load']>, enableLifecycle = true) {
  const { app, origin } = await startApp(config(account('old')), { load, enableLifecycle });
  const post = async (options: RequestInit = {}) => {
    const response = await fetch(`${origin}/-/reload`, { method: 'POST', ...options });
    return `${response.status} ${await response.text()}`;
  };
  return { app, origin, post };
}

/** A reload that has begun, and ends when the test says so. */
async function startReload() {
  const loading = Promise.withResolvers<void>();
  const loaded = Promise.withResolvers<void>();
  const { app, post } = await start(async () => {
    loading.resolve();
    await loaded.promise;
    return config(account('new'));
  });
  const answer = post();
  await loading.promise;
  return { app, answer, end: loaded.resolve };
}

describe('POST /-/reload', () => {
  it.each(['POST', 'PUT'])('answers %s when the new configuration is in use', async (method) => {
    const { app, post } = await start(async () => config(account('new')));

    const answer = await post({ method });

    expect(answer).toBe('200 configuration reloaded\n');
    expect(app.accounts.map(({ name }) => name)).toEqual(['new']);
  });

  it('answers 500 with the errors of an invalid configuration, and keeps the previous one', async () => {
    const { app, post } = await start(async () => {
      throw new ConfigError([{ source: 'config.yml', place: { line: 1, column: 2 }, key: 'api', message: 'is wrong' }]);
    });

    const answer = await post();

    expect(answer).toBe('500 reload failed, keeping the previous configuration:\nconfig.yml:1:2: api: is wrong\n');
    expect(app.accounts.map(({ name }) => name)).toEqual(['old']);
  });

  it('does not answer before the reload has ended', async () => {
    const { app, answer, end } = await startReload();

    const first = await Promise.race([answer, fetchedLater()]);
    end();

    expect(first).toBe('later');
    expect(await answer).toBe('200 configuration reloaded\n');
    expect(app.accounts.map(({ name }) => name)).toEqual(['new']);
  });

  it('answers 503 if the exporter stops meanwhile', async () => {
    const { app, answer, end } = await startReload();

    const stopped = app.stop();
    end();

    expect(await answer).toBe('503 the exporter is stopping\n');
    await stopped;
  });

  it('discards a body', async () => {
    const { post } = await start(async () => config());

    const answer = await post({ body: '{"a":', headers: { 'content-type': 'application/json' } });

    expect(answer).toMatch(/^200/);
  });

  it('answers other methods with 405', async () => {
    const { origin } = await start(async () => config());

    const response = await fetch(`${origin}/-/reload`);

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, PUT']);
  });
});

it('GET /-/config shows the configuration in use as YAML, without secrets', async () => {
  const secret = { kind: 'password', login: 'u1', password: inlineSecret('hunter2') } as const;
  const { origin, post } = await start(async () =>
    config(accountConfig({ name: 'new', credentials: secret, collectors: [] })),
  );
  const show = async () => {
    const response = await fetch(`${origin}/-/config`);
    const [type, cache] = ['content-type', 'cache-control'].map((name) => response.headers.get(name));
    return { type, cache, text: await response.text() };
  };
  const before = await show();

  await post();
  const after = await show();

  expect(before).toMatchObject({ type: 'text/plain; charset=utf-8', cache: 'no-store' });
  expect(before.text).toContain('- name: old\n');
  expect(after.text).toContain('- name: new\n  login: u1\n  password: <secret>\n');
  expect(after.text).not.toMatch(/old|hunter2/);
});
