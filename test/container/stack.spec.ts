import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { repository } from '../fixtures/repository.ts';
import { until } from '../fixtures/waiting.ts';
import { type Engine, startEngine } from './engine.ts';

const file = join(repository, 'deploy/compose.yml');
const demoFile = join(repository, 'deploy/compose.demo.yml');

// Grafana is missing because Debian has no package for it. Prometheus requires the service that imports the history, so
// Compose also starts that service.
const demo = ['exporter', 'prometheus', 'alertmanager'];

const alertmanagerUrl = 'http://127.0.0.1:9093/api/v2';

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(inject('dataFolder'), 'isolated');
});

afterEach(async () => {
  await engine.compose(demoFile, ['down', '--volumes']);
  await engine.compose(file, ['down', '--volumes'], {
    env: { EXPORTER_CONFIG: '/nonexistent' },
  });
});

afterAll(() => engine?.stop());

const minute = 60_000;

test('the demo starts, shows growing disk usage and fires an alert', {
  timeout: 20 * minute,
}, async () => {
  const started = performance.now();
  await engine.compose(demoFile, ['up', '--detach', '--no-build', ...demo]);

  const target = await until(async () => {
    const { activeTargets } = await fetchPrometheus<Targets>('targets');
    return activeTargets.find(({ health }) => health === 'up');
  });
  const monthAgo = await until(() => queryValue('count(hosting_site_load_daily{account="shop"} offset 27d)'));
  const { groups } = await fetchPrometheus<{ readonly groups: readonly unknown[] }>('rules');
  const before = await until(() => queryValue('hosting_account_disk_usage_bytes{account="shop"}'));
  const after = await until(async () => {
    const usage = (await queryValue('hosting_account_disk_usage_bytes{account="shop"}')) ?? 0;
    return usage > before ? usage : undefined;
  });
  const changed = performance.now();
  const first = await until('an alert', async () => (await fetchAlerts())[0], 20 * minute);
  const firing = performance.now();
  const isRejection = ({ labels }: Alert) => labels['alertname'] === 'HostingCredentialsRejected';
  const alert = await until('the rejection', async () => (await fetchAlerts()).find(isRejection), 20 * minute);

  process.stdout.write(
    `disk usage changed after ${((changed - started) / 1000).toFixed(0)} s, ` +
      `${first.labels['alertname']} arrived after ${((firing - started) / minute).toFixed(1)} min, ` +
      `HostingCredentialsRejected after ${((performance.now() - started) / minute).toFixed(1)} min\n`,
  );
  expect(target.labels).toEqual({ job: 'hosting', instance: 'exporter:10380' });
  expect(monthAgo).toBeGreaterThan(0);
  expect(groups.length).toBeGreaterThan(0);
  expect(after).toBeGreaterThan(before);
  expect(alert.labels).toMatchObject({ account: 'forgotten', severity: 'warning' });
  const states = await engine.docker('ps', '--all', '--format', '{{.Names}} {{.Status}}');
  expect(states.match(/ Up /g)).toHaveLength(demo.length);
  for (const name of demo) {
    expect(states, name).toMatch(new RegExp(`[-_]${name}[-_]\\d+ Up .*\\(healthy\\)`));
  }
});

test('without a configuration, the stack stops and says what to set', async () => {
  const { message } = await engine
    .compose(file, ['up', '--detach', '--no-build'], { env: { EXPORTER_CONFIG: '' } })
    .then(
      () => new Error('it ran'),
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );

  expect(message).toContain('EXPORTER_CONFIG');
  expect(message).toContain('start deploy/compose.demo.yml instead');
});

test('without the demo, the exporter reads a mounted folder with a private password file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'exporter-accounts-'));
  await writeFile(
    join(folder, 'config.yml'),
    'api: { base_url: "http://127.0.0.1:1/api" }\naccounts: [{ name: mine, login: u1, password_file: mine.password }]\n',
  );
  await writeFile(join(folder, 'mine.password'), 'secret\n', { mode: 0o400 });
  for (const path of [folder, join(folder, 'config.yml'), join(folder, 'mine.password')]) {
    await chown(path, 65_532, 65_532);
  }

  await engine.compose(file, ['up', '--detach', '--no-build', 'exporter'], {
    env: { EXPORTER_CONFIG: folder },
  });
  const page = await until(async () => {
    const text = await engine.inNetwork('curl', '-sS', 'http://127.0.0.1:10380/metrics');
    return text.includes('hosting_up') ? text : undefined;
  });
  const services = await engine.docker('ps', '--format', '{{.Label "com.docker.compose.service"}}');
  await rm(folder, { recursive: true, force: true });

  expect(page).toContain('hosting_up{account="mine"} 0\n');
  expect(services).toBe('exporter\n');
});

test('the stack says which file is missing, then runs in Russian with a token that only Alertmanager can read', {
  timeout: 5 * minute,
}, async () => {
  const secrets = await mkdtemp(join(tmpdir(), 'stack-secrets-'));
  const env = {
    EXPORTER_CONFIG: secrets,
    SECRETS: secrets,
    HOSTING_LANGUAGE: 'ru',
    TELEGRAM_CHAT_ID: '42',
  };
  const up = () => engine.compose(file, ['up', '--detach', '--no-build', 'prometheus', 'alertmanager'], { env });
  const writeSecret = async (name: string, user: number) => {
    await writeFile(join(secrets, name), 'a-secret\n', { mode: 0o400 });
    await chown(join(secrets, name), user, user);
  };
  await chmod(secrets, 0o755);
  await writeSecret('grafana.password', 472);

  const failed = await up().then(
    () => false,
    () => true,
  );
  const advice = await engine.compose(file, ['logs', 'settings'], { env });
  await writeSecret('telegram.token', 65_534);
  await up();
  const { config } = await until(() => fetchJson<{ readonly config: AlertmanagerConfig }>(`${alertmanagerUrl}/status`));
  const { groups } = await until(() => fetchPrometheus<RuleGroups>('rules?type=alert'));
  const token = await engine.compose(file, ['exec', '-T', 'alertmanager', 'cat', '/run/secrets/telegram.token'], {
    env,
  });
  const containers = (await engine.docker('ps', '--all', '--quiet')).trim().split('\n');
  const inspected = await engine.docker('inspect', ...containers);
  await rm(secrets, { recursive: true, force: true });

  expect(failed).toBe(true);
  expect(advice).toContain('deploy/secrets/telegram.token is missing');
  expect(config.original).toContain('bot_token_file: /run/secrets/telegram.token');
  expect(config.original).toContain('templates/hosting.ru.tmpl');
  expect(groups.flatMap(({ rules }) => rules.map(({ annotations }) => annotations['summary']))).toContain(
    'API хостинга не принимает пароль.',
  );
  expect(token).toBe('a-secret\n');
  expect(inspected).not.toContain('a-secret');
});

interface AlertmanagerConfig {
  readonly original: string;
}

interface RuleGroups {
  readonly groups: readonly {
    readonly rules: readonly { readonly annotations: Readonly<Record<string, string>> }[];
  }[];
}

interface Targets {
  readonly activeTargets: readonly { readonly health: string; readonly labels: Readonly<Record<string, string>> }[];
}

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
}

async function fetchJson<T>(url: string): Promise<T> {
  return JSON.parse(await engine.inNetwork('curl', '-sSf', url)) as T;
}

function fetchAlerts(): Promise<readonly Alert[]> {
  return fetchJson(`${alertmanagerUrl}/alerts`);
}

async function fetchPrometheus<T>(path: string): Promise<T> {
  const { data } = await fetchJson<{ readonly data: T }>(`http://127.0.0.1:9090/api/v1/${path}`);
  return data;
}

async function queryValue(expression: string): Promise<number | undefined> {
  const { result } = await fetchPrometheus<{
    readonly result: readonly { readonly value: readonly [number, string] }[];
  }>(`query?query=${encodeURIComponent(expression)}`);
  const [first] = result;
  return first === undefined ? undefined : Number(first.value[1]);
}
