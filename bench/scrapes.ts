import { setTimeout } from 'node:timers/promises';
import { accountSeeds, cpuTime, type ScriptServer, scrape, startScript, startUnlimitedSandbox } from './processes.ts';
import { median, milliseconds, times } from './table.ts';

/** What was measured, the result, the goal, and details. */
export type Row = readonly [what: string, measured: string, goal: string, method: string];

const encodings = ['identity', 'gzip'] as const;

/** The flags of Node.js that src/program.ts sets. */
const exporterFlags = ['--semi-space-growth-factor=1', '--heap-growing-percent=50'];

/** Measures scrapes of 20 accounts, compared with scrapes of a static file and of prom-client's metrics of its own process. */
export async function measureUsualScrapes(): Promise<readonly Row[]> {
  const rounds = 200;
  await using exporter = await startExporter('fleet', 20);
  await exporter.ask('poll all');
  await using fixed = await startScript('compared.ts', ['static', exporter.url]);
  await using own = await startScript('compared.ts', ['process', exporter.url]);
  const servers = [exporter, fixed, own];
  const rows: Row[] = [];
  for (const [state, goals] of [
    ['unchanged page', ['1.3×', '1.3×']],
    ['one account polled', ['1.5×', '2×']],
  ] as const) {
    for (const [index, encoding] of encodings.entries()) {
      const before = async () => {
        if (state === 'one account polled') await exporter.ask('poll next');
      };
      await measureCpu(servers, encoding, rounds / 4, before);
      const [ours = 0, ...others] = await measureCpu(servers, encoding, rounds, before);
      const [file = 0, metrics = 0] = others;
      const method = `${milliseconds(ours)}; static file ${milliseconds(file)}, process metrics ${milliseconds(metrics)}`;
      const what = `scrape of 20 accounts, ${state}, ${formatOf(encoding)}`;
      rows.push([what, times(ours / (file + metrics)), `at most ${goals[index]}`, method]);
    }
  }
  return rows;
}

/** Measures scrapes of 1000 accounts, compared with prom-client, and the longest block meanwhile. Polls all accounts before each scrape. */
export async function measureLargeScrapes(): Promise<readonly Row[]> {
  const rounds = 7;
  await using exporter = await startExporter('fleet', 1000);
  await exporter.ask('poll all');
  await using client = await startScript('compared.ts', ['prom-client', exporter.url]);
  const series = (await scrape(exporter.url, 'identity')).toString('utf8').match(/^[^#\n]/gm)?.length ?? 0;
  const rows: Row[] = [];
  for (const encoding of encodings) {
    const servers = [exporter, client];
    const pollEach = async () => {
      await exporter.ask('poll each');
    };
    await measureCpu(servers, encoding, 2, pollEach);
    await exporter.ask('measure blocks');
    const [ours = 0, theirs = 0] = await measureCpu(servers, encoding, rounds, pollEach);
    const what = `scrape of 1000 accounts, each polled, ${formatOf(encoding)}`;
    const method = `${milliseconds(ours)}; prom-client ${milliseconds(theirs)}; ${series} series`;
    rows.push([what, times(theirs / ours), `at least ${encoding === 'gzip' ? 12 : 15}×`, method]);
    const block = Number(await exporter.ask('longest block'));
    rows.push([
      `longest block meanwhile, ${formatOf(encoding)}`,
      milliseconds(block),
      'at most 60 ms',
      'polls and scrapes',
    ]);
  }
  return rows;
}

/** Measures polls of long lists. */
export async function measureLists(): Promise<readonly Row[]> {
  const lists = ['sites', 'databases', 'site_load', 'database_load'];
  const rounds = 20;
  /** Polls before the measurement, until V8 has compiled the code. An exporter with 20 accounts needs five hours for as many. */
  const firstRounds = 100;
  const rows: Row[] = [];
  {
    await using exporter = await startExporter('large', 300);
    const taken = new Map(lists.map((name): [string, number[]] => [name, []]));
    for (let round = -firstRounds; round < rounds; round += 1) {
      for (const name of lists) {
        const before = cpuTime(exporter.pid);
        await exporter.ask(name);
        await setTimeout(2);
        if (round >= 0) taken.get(name)?.push(cpuTime(exporter.pid) - before);
      }
    }
    const each = [...taken].map(([name, values]) => ({ name, cpu: median(values) }));
    const sum = each.reduce((total, { cpu }) => total + cpu, 0);
    const method = each.map(({ name, cpu }) => `${name} ${milliseconds(cpu)}`).join(', ');
    rows.push(['poll of the lists of 300 sites and databases', milliseconds(sum), 'at most 10 ms', method]);
  }
  await using exporter = await startExporter('large', 10_000);
  const blocks: string[] = [];
  let longest = 0;
  for (const name of lists) {
    const polls: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await exporter.ask('measure blocks');
      await exporter.ask(name);
      polls.push(Number(await exporter.ask('longest block')));
    }
    longest = Math.max(longest, ...polls);
    blocks.push(`${name} ${milliseconds(Math.max(...polls))}`);
  }
  rows.push(['longest block, list of 10 000 elements', milliseconds(longest), 'at most 300 ms', blocks.join(', ')]);
  return rows;
}

/** Starts the exporter with the accounts of a sandbox. The sandbox runs in this process. */
export async function startExporter(kind: string, count: number): Promise<ScriptServer> {
  const sandbox = await startUnlimitedSandbox(accountSeeds(kind, count));
  const exporter = await startScript('exporter.ts', [sandbox.baseUrl, kind, `${count}`], exporterFlags);
  const stop = async () => {
    await exporter[Symbol.asyncDispose]();
    await sandbox.close();
  };
  return { ...exporter, [Symbol.asyncDispose]: stop };
}

/** The median CPU time of a scrape of each server, in milliseconds. Other load on the machine affects all servers equally. */
async function measureCpu(
  servers: readonly ScriptServer[],
  encoding: (typeof encodings)[number],
  rounds: number,
  beforeRound: () => Promise<void>,
): Promise<readonly number[]> {
  const taken = servers.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    await beforeRound();
    for (const [index, { pid, url }] of servers.entries()) {
      await setTimeout(2);
      const before = cpuTime(pid);
      await scrape(url, encoding);
      await setTimeout(2);
      taken[index]?.push(cpuTime(pid) - before);
    }
  }
  return taken.map(median);
}

function formatOf(encoding: (typeof encodings)[number]): string {
  return encoding === 'gzip' ? 'gzip' : 'text';
}
