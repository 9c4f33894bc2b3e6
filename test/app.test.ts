import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AppOptions } from '../src/app.ts';
import { ConfigError } from '../src/config/values/config-error.ts';
import { WatchedWebConfig } from '../src/web/config/watched-web-config.ts';
import { startApp } from './fixtures/app.ts';
import { accountConfig, config } from './fixtures/config.ts';
import { fakeClock } from './fixtures/polled-account.ts';
import { scriptedApi } from './fixtures/scripted-api.ts';
import { get } from './fixtures/secured-app.ts';
import { temporaryFolder } from './fixtures/temporary-folder.ts';
import { until } from './fixtures/waiting.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A budget in which the second call waits until the end of the test, also on a busy machine. */
const onceAnHour = 1 / 60;

describe('readiness', () => {
  it('is 503 until every account has been polled, while /metrics already answers', async () => {
    const api = await scriptedApi();
    const accounts = ['a', 'b'].map((name) =>
      accountConfig({ name, api: { baseUrl: api.baseUrl }, collectors: ['databases'] }),
    );
    const { app, origin } = await startApp(config(...accounts));
    const ready = async () => {
      const response = await fetch(`${origin}/-/ready`);
      return `${response.status} ${await response.text()}`;
    };

    const before = await ready();
    const page = await fetch(`${origin}/metrics`);
    await app.accounts[0]?.pollOnce();
    const between = await ready();
    await app.accounts[1]?.pollOnce();

    expect(page.status).toBe(200);
    expect(await page.text()).toContain('hosting_up{account="a"} 0\n');
    expect(before).toBe('503 waiting for the first poll of every account\n');
    expect(between).toBe('503 waiting for the first poll of every account\n');
    expect(await ready()).toBe('200 ready\n');
  });

  it('does not depend on the provider: a failed first poll counts', async () => {
    const api = await scriptedApi({ 'mysql/getList': { status: 500 } });
    const account = accountConfig({ api: { baseUrl: api.baseUrl }, collectors: ['databases'] });
    const { app, origin } = await startApp(config(account));

    await app.accounts[0]?.pollOnce();

    expect((await fetch(`${origin}/-/ready`)).status).toBe(200);
    expect((await fetch(`${origin}/-/healthy`)).status).toBe(200);
  });
});

it.each([
  [59_999, [200, 'healthy\n']],
  [60_000, [503, 'the scheduler has stopped\n']],
])('health is that of the scheduler: %i ms after its last sign of life, the answer is %j', async (silence, answer) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { app } = await startApp(config());

  vi.advanceTimersByTime(silence);

  const { statusCode, body } = await app.web.inject('/-/healthy');
  expect([statusCode, body]).toEqual(answer);
});

describe('the pages', () => {
  /** The exporter with a configuration file and a web configuration file, whose newest reloads /status shows. */
  async function startWithFiles(options: AppOptions = {}, content = '') {
    const file = join(temporaryFolder(), 'web.yml');
    writeFileSync(file, content);
    const { app, origin } = await startApp(config(accountConfig({ collectors: [] })), {
      ...options,
      configFile: '/etc/exporter.yml',
      webConfig: new WatchedWebConfig(file),
    });
    const textOf = async (path: string) => {
      const page = await (await fetch(`${origin}${path}`)).text();
      return page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    };
    const reloads = async () =>
      [...(await textOf('/status')).matchAll(/onfiguration file: (\S+).*?Last reload: (\w+)/g)].map(
        ([, path, outcome]) => [path, outcome],
      );
    const metrics = async () =>
      (await (await fetch(`${origin}/metrics`)).text()).match(
        /(?<=^hosting_exporter_)(?:web_)?config_\S+successful .$/gm,
      );
    return { app, origin, file, textOf, reloads, metrics };
  }

  it('show the newest reload of each file, which metrics and a warning report as well', async () => {
    const results = [new ConfigError([{ source: 'config.yml', message: 'is empty' }])];
    const { app, file, textOf, reloads, metrics } = await startWithFiles({
      load: async () => {
        const [error] = results.splice(0, 1);
        if (error !== undefined) throw error;
        return config(accountConfig({ collectors: [] }));
      },
    });
    const states: unknown[] = [];
    const record = async () => {
      const hasWarning = (await textOf('/')).includes('The last configuration reload failed');
      states.push([await reloads(), await metrics(), hasWarning]);
    };
    await record();

    await app.reloads.request();
    await record();
    writeFileSync(file, 'http_server_config: {headers: {X-Frame-Options: deny}}\n');
    await record();
    await app.reloads.request();
    await record();

    const metric = (config: number) => [
      `config_last_reload_successful ${config}`,
      'web_config_last_reload_successful 1',
    ];
    const shown = (config: string, web: string) => [
      ['/etc/exporter.yml', config],
      [file, web],
    ];
    expect(states).toEqual([
      [shown('none', 'none'), metric(1), false],
      [shown('failed', 'none'), metric(0), true],
      [shown('failed', 'succeeded'), metric(0), true],
      [shown('succeeded', 'succeeded'), metric(1), false],
    ]);
  });

  it('are refused for a wrong host before the login', async () => {
    const users = `basic_auth_users: { alice: "$2b$10$${'a'.repeat(53)}" }\n`;
    const { origin } = await startWithFiles({ allowedHosts: ['metrics.example'] }, users);
    const statusFor = async (host: string) => (await get(`${origin}/metrics`, { headers: { host } })).status;

    expect([await statusFor('evil.example'), await statusFor('metrics.example')]).toEqual([403, 401]);
  });

  it('show the start of the exporter, and the metrics show the times of the newest reloads', async () => {
    fakeClock('2026-06-03T12:00:00Z');
    const { app, file, textOf } = await startWithFiles();

    await vi.advanceTimersByTimeAsync(2 * hour);
    await app.reloads.request();
    await vi.advanceTimersByTimeAsync(hour);
    writeFileSync(file, 'http_server_config: {headers: {X-Frame-Options: deny}}\n');
    const page = await textOf('/metrics');

    const times = page
      .match(/(?<=_last_reload_success_timestamp_seconds )\d\S+/g)
      ?.map((seconds) => Number(seconds) * 1000);
    expect(times).toEqual(['2026-06-03T14:00:00Z', '2026-06-03T15:00:00Z'].map(Date.parse));
    expect(await textOf('/status')).toContain('Uptime 3 h');
  });

  it.each([
    ['time zone of all accounts', 'Asia/Omsk', '18:00:00 GMT+6'],
    ['time zone UTC if accounts have different ones', 'Europe/Moscow', '12:00:00 UTC'],
  ])('have times in the %s', async (_which, timeZone, time) => {
    fakeClock('2026-06-03T12:00:00Z');
    const accounts = ['Asia/Omsk', timeZone].map((zone, index) =>
      accountConfig({ name: `account${index}`, api: { timeZone: zone }, collectors: [] }),
    );
    const { app } = await startApp(config(...accounts));

    const { body } = await app.web.inject('/status');

    expect(body).toContain(`title="3 Jun 2026, ${time}"`);
  });
});

describe('stopping the program', () => {
  const isRefused = async (origin: string) => {
    const status = await fetch(origin).then(
      ({ status }) => status,
      () => undefined,
    );
    return status === undefined;
  };

  it('keeps the address for health checks open until the reload in progress has ended', async () => {
    const loading = Promise.withResolvers<void>();
    let isLoading = false;
    const { app, origin } = await startApp(config(), {
      load: async () => {
        isLoading = true;
        await loading.promise;
        return config();
      },
    });
    onTestFinished(() => loading.resolve());
    const health = await app.healthListeners.open('127.0.0.1:0');
    const reloaded = app.reloads.request();
    await until(() => isLoading);

    const stopped = app.stop();
    await until(() => isRefused(origin));
    const during = await fetch(`${health}/-/ready`);
    loading.resolve();
    await Promise.all([stopped, reloaded]);

    expect(during.status).toBe(503);
    await expect(fetch(health)).rejects.toThrow('fetch failed');
  });

  it('does not fail if a second stop is requested', async () => {
    const { app } = await startApp(config(accountConfig({ collectors: [] })));

    const outcomes = await Promise.allSettled([app.stop(), app.stop()]);
    outcomes.push(...(await Promise.allSettled([app.stop()])));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(app.web.server.listening).toBe(false);
  });
});

it('a stalled connection is closed after a minute without progress of the request or the response', async () => {
  const { app, origin } = await startApp(config());
  const accepted = new Promise<Socket>((resolve) => app.web.server.once('connection', resolve));
  const client = connect(Number(new URL(origin).port), '127.0.0.1');
  const closed = new Promise((resolve) => client.on('close', resolve));
  client.on('error', () => {});
  client.write('GET /metrics HTTP/1.1\r\n');
  const socket = await accepted;

  expect(socket.timeout).toBe(60_000);
  // What Node.js does after this time without traffic.
  socket.emit('timeout');
  await closed;
});

describe('a reload', () => {
  it('does not end readiness while new accounts are polled for the first time', async () => {
    const api = await scriptedApi({ 'mysql/getList': 'silence' });
    const account = (name: string) => accountConfig({ name, api: { baseUrl: api.baseUrl }, collectors: ['databases'] });
    const { app, origin } = await startApp(config());
    const before = await fetch(`${origin}/-/ready`);

    await app.apply(config(account('new')));
    const after = await fetch(`${origin}/-/ready`);

    expect([before.status, after.status]).toEqual([200, 200]);
  });

  it('keeps the budget and the figures of an account that changed', async () => {
    const api = await scriptedApi();
    const account = (interval: number) =>
      accountConfig({
        name: 'shop',
        api: { baseUrl: api.baseUrl, requestsPerMinute: onceAnHour },
        collectors: {
          databases: { schedule: { kind: 'every', interval } },
          ...(interval > day && { sites: { schedule: { kind: 'every', interval } } }),
        },
      });
    const { app, origin } = await startApp(config(account(day)));
    await app.accounts[0]?.pollOnce();
    app.start();

    for (let reload = 1; reload <= 20; reload += 1) await app.apply(config(account(day + reload)));

    const page = async () => (await fetch(`${origin}/metrics`)).text();
    expect(await page()).toContain('hosting_databases{account="shop"} 0\n');
    // The account waits for its start, and then its call for the budget.
    await until(async () => (await page()).includes('hosting_exporter_api_queue_length{account="shop"} 1\n'));
    expect(app.accounts).toHaveLength(1);
    expect(api.newCalls()).toEqual(['mysql/getList']);
  });

  it('keeps all figures on the page while a reload replaces many accounts, and lets scrapes continue', async () => {
    const api = await scriptedApi();
    const names = Array.from({ length: 60 }, (_, index) => `account-${index}`);
    const settings = (settlingTime: number) =>
      config(
        ...names.map((name) =>
          accountConfig({ name, api: { baseUrl: api.baseUrl, settlingTime }, collectors: ['databases', 'sites'] }),
        ),
      );
    const { app } = await startApp(settings(0));
    await Promise.all(app.accounts.map((account) => account.pollOnce()));
    const figures = async () => {
      const page = await app.page.render({ format: 'text', encoding: 'identity' }, {});
      return page.toString().match(/^hosting_(?:up|sites|databases)\{.*/gm);
    };
    const before = await figures();
    const meanwhile: Awaited<ReturnType<typeof figures>>[] = [];

    let isApplied = false;
    const applied = app.apply(settings(1)).then(() => {
      isApplied = true;
    });
    while (!isApplied) {
      meanwhile.push(await figures());
      await setImmediate();
    }
    await applied;

    expect(before).toHaveLength(3 * names.length);
    expect(meanwhile.length).toBeGreaterThan(1);
    for (const page of [...meanwhile, await figures()]) expect(page?.toSorted()).toEqual(before?.toSorted());
  });

  it('warns each time of settings that need a restart, and shows the settings in use', async () => {
    const { app, origin, logLines } = await startApp(config());
    const [used, { web }] = [config(), config()];
    const warningsAfter = async (changes: object) => {
      const before = logLines.length;
      await app.apply({ ...used, ...changes });
      const added = logLines.slice(before).map((line) => JSON.parse(line));
      return added.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
    };
    const otherPath = { web: { ...web, telemetryPath: '/m' } };

    const warnings = [
      await warningsAfter({}),
      await warningsAfter(otherPath),
      await warningsAfter(otherPath),
      await warningsAfter({ web: { ...web, listenAddresses: ['127.0.0.1:1'] } }),
      await warningsAfter({ stateDirectory: '/var/lib/other' }),
      await warningsAfter({}),
    ];

    const [webSettings, directory] = [
      'changed web settings take effect after a restart',
      'a changed state directory takes effect after a restart',
    ];
    expect(warnings).toEqual([[], [webSettings], [webSettings], [webSettings], [directory], []]);
    await app.apply({ ...used, ...otherPath });
    expect(await (await fetch(`${origin}/-/config`)).text()).toContain('telemetry_path: /metrics\n');
  });

  it('names added, removed and changed accounts, and shortens long lists', async () => {
    const account = (name: string, requestsPerMinute = 30) =>
      accountConfig({ name, api: { requestsPerMinute }, collectors: [] });
    const many = Array.from({ length: 25 }, (_, index) => account(`new${index}`));
    const { app, logLines } = await startApp(config(account('kept'), account('gone'), account('changed')));

    await app.apply(config(account('kept'), account('changed', 20), ...many));

    expect(JSON.parse(logLines.at(-1) ?? '')).toMatchObject({
      level: 'info',
      msg: 'configuration reloaded',
      accounts: 27,
      added: 'new0, new1, new2, new3, new4, new5, new6, new7, new8, new9 and 15 more',
      removed: 'gone',
      changed: 'changed',
    });
  });

  it('applies the lowest budget of accounts with the same login, in any order', async () => {
    const api = await scriptedApi();
    const account = (name: string, requestsPerMinute: number) =>
      accountConfig({ name, api: { baseUrl: api.baseUrl, requestsPerMinute }, collectors: ['databases'] });
    const { app } = await startApp(config(account('a', 60_000), account('b', 30)));
    const budgets = () => app.accounts.map(({ load }) => load.budget);
    const before = budgets();

    await app.apply(config(account('a', 40), account('b', 50)));
    const lowered = budgets();
    await app.apply(config(account('b', 50)));

    expect([before, lowered, budgets()]).toEqual([[30, 30], [40, 40], [50]]);
  });
});
