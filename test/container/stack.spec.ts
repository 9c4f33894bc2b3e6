import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { repository } from '../fixtures/repository.ts';
import { type Engine, startEngine } from './engine.ts';

const file = join(repository, 'deploy/compose.yml');

// Nothing stands in for Grafana: no package of Debian has it.
const demo = ['exporter', 'sandbox', 'prometheus', 'alertmanager'];

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine(inject('dataFolder'), 'own');
});

afterEach(() => engine.compose(file, ['--profile', 'demo', 'down', '--volumes']));

afterAll(() => engine?.stop());

const minute = 60_000;

test('the demo comes up, shows figures that move, and has an alert firing within a quarter of an hour', {
  timeout: 20 * minute,
}, async () => {
  const started = performance.now();
  await engine.compose(file, ['--profile', 'demo', 'up', '--detach', '--no-build', ...demo]);

  const target = await until(async () => {
    const { activeTargets } = await askPrometheus<Targets>('targets');
    return activeTargets.find(({ health }) => health === 'up');
  });
  const { groups } = await askPrometheus<{ readonly groups: readonly unknown[] }>('rules');
  const before = await until(() => figureOf('hosting_account_disk_usage_bytes{account="shop"}'));
  const after = await until(async () => {
    const usage = (await figureOf('hosting_account_disk_usage_bytes{account="shop"}')) ?? 0;
    return usage > before ? usage : undefined;
  });
  const moved = performance.now();
  const [first] = await until(async () => {
    const alerts = await askAlertmanager();
    return alerts.length > 0 ? alerts : undefined;
  });
  const firing = performance.now();
  const alert = await until(async () =>
    (await askAlertmanager()).find(({ labels }) => labels['alertname'] === 'HostingCredentialsRejected'),
  );

  process.stdout.write(
    `figures moved after ${((moved - started) / 1000).toFixed(0)} s, ` +
      `${first?.labels['alertname']} was there after ${((firing - started) / minute).toFixed(1)} min, ` +
      `HostingCredentialsRejected after ${((performance.now() - started) / minute).toFixed(1)} min\n`,
  );
  expect(target.labels).toEqual({ job: 'hosting', instance: 'exporter:10380' });
  expect(groups.length).toBeGreaterThan(0);
  expect(after).toBeGreaterThan(before);
  expect(alert.labels).toMatchObject({ account: 'forgotten', severity: 'warning' });
  const states = await engine.docker('ps', '--all', '--format', '{{.Names}} {{.Status}}');
  expect(states.match(/ Up /g)).toHaveLength(demo.length);
});

test("without the demo the exporter reads one's own folder, and a password that only its user may read", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'exporter-accounts-'));
  await writeFile(
    join(folder, 'config.yml'),
    'api: { base_url: "http://127.0.0.1:1/api" }\naccounts: [{ name: mine, login: u1, password_file: mine.password }]\n',
  );
  await writeFile(join(folder, 'mine.password'), 'secret\n', { mode: 0o400 });
  for (const path of [folder, join(folder, 'config.yml'), join(folder, 'mine.password')]) {
    await chown(path, 65_532, 65_532);
  }

  await engine.compose(file, ['up', '--detach', '--no-build', 'exporter'], { env: { EXPORTER_CONFIG: folder } });
  const page = await until(async () => {
    const text = await engine.inNetwork('curl', '-sS', 'http://127.0.0.1:10380/metrics');
    return text.includes('hosting_up') ? text : undefined;
  });
  const services = await engine.docker('ps', '--format', '{{.Label "com.docker.compose.service"}}');
  await rm(folder, { recursive: true, force: true });

  expect(page).toContain('hosting_up{account="mine"} 0\n');
  expect(services).toBe('exporter\n');
});

interface Targets {
  readonly activeTargets: readonly { readonly health: string; readonly labels: Readonly<Record<string, string>> }[];
}

interface Alert {
  readonly labels: Readonly<Record<string, string>>;
}

async function ask<T>(url: string): Promise<T> {
  return JSON.parse(await engine.inNetwork('curl', '-sSf', url)) as T;
}

function askAlertmanager(): Promise<readonly Alert[]> {
  return ask('http://127.0.0.1:9093/api/v2/alerts');
}

async function askPrometheus<T>(path: string): Promise<T> {
  const { data } = await ask<{ readonly data: T }>(`http://127.0.0.1:9090/api/v1/${path}`);
  return data;
}

async function figureOf(expression: string): Promise<number | undefined> {
  const { result } = await askPrometheus<{ readonly result: readonly { readonly value: readonly [number, string] }[] }>(
    `query?query=${encodeURIComponent(expression)}`,
  );
  const [first] = result;
  return first === undefined ? undefined : Number(first.value[1]);
}

/** Asks every second until there is an answer; the time-out of the test ends it otherwise. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
