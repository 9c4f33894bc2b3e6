// The built program polls a few accounts as fast as it can. Every tenth call fails, in all ways that do not pause an
// account. The heap must not grow with the number of calls. A second run with an artificial leak shows that the
// comparison can fail.
import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { fleetAccounts } from '../../sandbox/src/accounts/fleet.ts';
import { collectors } from '../../src/collectors/list.ts';
import { Cleanups } from '../fixtures/cleanups.ts';
import { accountSettings } from '../fixtures/program.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { listen } from '../fixtures/servers.ts';
import { until } from '../fixtures/waiting.ts';
import { bytesPerCall, type HeapReading } from './heap-trend.ts';
import { startProbedExporter } from './probed-exporter.ts';

const cleanups = new Cleanups();

afterAll(cleanups.end);

const accountCount = 10;
const callsPerRound = 4000;
const rounds = 9;

/**
 * Rounds before the first reading. During these rounds, V8 compiles all code and discards code that only runs at the
 * start.
 */
const warmUpRounds = 4;

interface Answer {
  readonly status: number;
  readonly body: string;
}

const failures: readonly (Answer | 'reset')[] = [
  { status: 500, body: '<h1>Error</h1>' },
  { status: 200, body: '<h1>Welcome</h1>' },
  { status: 200, body: '{"status":"succ' },
  { status: 200, body: '{"status":"success","result":"unexpected"}' },
  { status: 200, body: '{"status":"error","error_code":"METHOD_FAILED","error_text":"failed"}' },
  { status: 200, body: '{"status":"error","error_code":"MAINTENANCE","error_text":"unknown"}' },
  'reset',
];

/** An API that records the answers of a sandbox and repeats them, which is faster than computing them. */
async function startRecordedApi(sandboxUrl: string) {
  const recorded = new Map<string, Promise<Answer>>();
  let calls = 0;
  const record = async (path: string, body: string, headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(`${sandboxUrl}${path}`, { method: 'POST', body, headers });
    return { status: response.status, body: await response.text() };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      calls += 1;
      const failure = calls % 10 === 0 ? failures[(calls / 10) % failures.length] : undefined;
      if (failure === 'reset') {
        response.destroy();
        return;
      }
      const path = (request.url ?? '').replace('/api', '');
      const body = Buffer.concat(chunks).toString('utf8');
      const key = `${path} ${body}`;
      if (failure === undefined && !recorded.has(key)) {
        recorded.set(key, record(path, body, { 'content-type': String(request.headers['content-type']) }));
      }
      const answer = failure ?? (await recorded.get(key));
      response.writeHead(answer?.status ?? 500).end(answer?.body);
    });
  });
  return { baseUrl: `http://127.0.0.1:${await listen(server, cleanups)}/api`, calls: () => calls };
}

/** Heap readings of a program that makes calls without a pause. */
async function readingsOf(probeEnvironment: Readonly<Record<string, string>>): Promise<readonly HeapReading[]> {
  const sandbox = await openSandbox({ accounts: fleetAccounts(accountCount), speed: 0 }, cleanups);
  const api = await startRecordedApi(sandbox.baseUrl);
  const settings = {
    api: { base_url: api.baseUrl, requests_per_minute: 60_000 },
    accounts: sandbox.accounts.map((account) => accountSettings(account)),
    collectors: Object.fromEntries(
      collectors.map(({ name }) => [name, { enabled: true, every: '1s', max_age: '10m' }]),
    ),
  };
  const exporter = await startProbedExporter(cleanups, settings, probeEnvironment);
  const readings: HeapReading[] = [];
  for (let round = 1; round <= warmUpRounds + rounds; round += 1) {
    const target = round * callsPerRound;
    await until(`${target} calls`, () => api.calls() >= target, 600_000);
    const { heapUsed } = await exporter.probe();
    if (round > warmUpRounds) readings.push({ calls: api.calls(), heapUsed });
  }
  const heap = readings.map(({ heapUsed }) => (heapUsed / 1024 ** 2).toFixed(2)).join(', ');
  process.stdout.write(
    `${api.calls()} calls; heap in MiB: ${heap}; ${bytesPerCall(readings).toFixed(1)} bytes per call\n`,
  );
  return readings;
}

// Both programs mostly wait for their schedules.
describe.concurrent('the heap', { timeout: 1_200_000 }, () => {
  it('does not grow with the number of calls', async () => {
    expect(bytesPerCall(await readingsOf({}))).toBeLessThan(50);
  });

  it('grows visibly if each call leaks 100 bytes', async () => {
    expect(bytesPerCall(await readingsOf({ PROBE_LEAK: 'on' }))).toBeGreaterThan(50);
  });
});
