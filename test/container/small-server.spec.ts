import { chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readSteps } from '../documentation/page-commands.ts';
import { readText, repository } from '../fixtures/repository.ts';
import { until } from '../fixtures/waiting.ts';
import { type Engine, startEngine } from './engine.ts';

let engine: Engine;
/** A copy of the files that the stack needs. */
let folder: string;

beforeAll(async () => {
  engine = await startEngine(inject('dataFolder'), 'isolated');
  folder = await mkdtemp(join(tmpdir(), 'small-server-'));
  for (const name of ['deploy', 'alerts', 'dashboards']) {
    await cp(join(repository, name), join(folder, name), {
      recursive: true,
      // Skips the settings, accounts and secrets of a developer.
      filter: (path) => !/deploy\/(\.env|accounts|secrets)$/.test(path),
    });
  }
});

afterAll(async () => {
  await engine.shell(folder, 'docker compose -f deploy/compose.yml down --volumes');
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the commands of docs/small-server.md start the whole stack, with Telegram and e-mail', {
  timeout: 600_000,
}, async () => {
  const steps = readSteps(readText('docs/small-server.md'));
  const settings = steps.flatMap((step) => (step.kind === 'file' ? step.content.split('\n') : []));
  const commands = steps.flatMap((step) =>
    step.kind === 'skip' && step.reason.includes('test/container runs it') ? [step.commands] : [],
  );
  await writeFile(join(folder, 'deploy/.env'), [...new Set(settings)].join('\n'));
  await writeAccount();

  const outputs = new Map<string, string>();
  for (const command of commands) {
    // `check` needs an API. The sandbox in the container of the exporter provides it.
    if (command.includes(' check ')) await engine.shell(folder, startSandbox);
    if (command.includes('amtool')) await until(() => engine.shell(folder, command));
    else outputs.set(command, await engine.shell(folder, command, 'a-secret\na-secret\n'));
  }

  const logs = outputs.get(commands.find((one) => one.includes(' up ')) ?? '');
  const alerts = await engine.inNetwork('curl', '-sSf', 'http://127.0.0.1:9093/api/v2/alerts');
  const states = await engine.docker('ps', '--all', '--format', '{{.Names}} {{.Status}}');
  expect(commands.length).toBeGreaterThan(4);
  expect(logs).toContain('Alerts are sent to Telegram chat 123456789 and me@example.com.');
  expect(JSON.parse(alerts)).toMatchObject([
    { labels: { alertname: 'HostingDiskAlmostFull', account: 'test' }, receivers: [{ name: 'page' }] },
  ]);
  expect(outputs.get(commands.at(-1) ?? '')).toContain('All collectors work.');
  expect(states.match(/ Up /g)).toHaveLength(4);
  expect(states).toMatch(/settings\S* Exited \(0\)/);
});

/**
 * Writes the files that `init` would write. `init` cannot reach an API here, because it accepts HTTP only inside its
 * container.
 */
async function writeAccount(): Promise<void> {
  const accounts = join(folder, 'deploy/accounts');
  const config =
    'api: { base_url: "http://127.0.0.1:10381/api" }\naccounts: [{ name: blog, login: blog, password_file: p }]\n';
  await mkdir(accounts);
  await writeFile(join(accounts, 'config.yml'), config);
  await writeFile(join(accounts, 'p'), 'c0ffee&cake=100%\n', { mode: 0o400 });
  await chown(join(accounts, 'p'), 65_532, 65_532);
}

const startSandbox =
  'docker compose -f deploy/compose.yml exec -T -d exporter node /app/dist/main.js sandbox --port=10381; sleep 5';
