import { copyFileSync, cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import { mainFile, startProgram, writeSettings } from '../fixtures/program.ts';
import { type Prometheus, startPrometheus } from '../fixtures/prometheus.ts';
import { readText, readYaml, repository } from '../fixtures/repository.ts';
import { basic, get, readPem, webConfigFolder } from '../fixtures/secured-app.ts';
import { freePort } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

/** An account that is never polled, so that no API is needed. */
function idleSettings(): string {
  return writeSettings(cleanups, {
    api: { base_url: 'https://api.example.com' },
    accounts: [{ name: 'shop', login: 'u1', password: 'p' }],
    collectors: Object.fromEntries(
      [...readText('docs/configuration.md').matchAll(/^\| `(\w+)` \| `\d+[mhd]`/gm)].map(([, name = '']) => [
        name,
        { enabled: false },
      ]),
    ),
  });
}

async function startExporter(flags: readonly string[]): Promise<{ readonly program: Process; readonly url: string }> {
  const argv = [`--config.file=${idleSettings()}`, '--web.listen-address=127.0.0.1:0', ...flags];
  const program = startProgram(cleanups, argv);
  const [, url = ''] = await program.printed(/metrics=(https?:\/\/[^/]+)/);
  return { program, url };
}

/** The files that the examples name, with certificates of the fixtures. */
function securedFolder(): string {
  const folder = temporaryFolder(cleanups);
  cpSync(join(repository, 'deploy/web-config'), folder, { recursive: true });
  const copies = {
    'server.crt': 'exporter.crt',
    'server.key': 'exporter.key',
    'authority.crt': 'clients-ca.crt',
    'client.crt': 'prometheus.crt',
    'client.key': 'prometheus.key',
  };
  for (const [from, to] of Object.entries(copies)) copyFileSync(join(webConfigFolder, from), join(folder, to));
  // Both certificates sign themselves.
  writeFileSync(join(folder, 'exporter-ca.crt'), `${readPem('server.crt')}${readPem('renewed.crt')}`);
  writeFileSync(join(folder, 'exporter.password'), 'example');
  return folder;
}

interface ScrapeFile {
  readonly scrape_configs: readonly Readonly<Record<string, unknown>>[];
}

/** The scrape configuration of an example, for an exporter at another address. The job is named after the example. */
function scrapeConfig({ name, folder, url }: SecuredExporter): Readonly<Record<string, unknown>> {
  const file = JSON.stringify(readYaml<ScrapeFile>(`deploy/prometheus/secured/${name}.yml`))
    .replaceAll(/"(exporter-ca\.crt|prometheus\.crt|prometheus\.key|exporter\.password)"/g, `"${folder}/$1"`)
    .replace('exporter.example.com:10380', new URL(url).host)
    .replace('"1m"', '"2s","scrape_timeout":"2s"');
  const { scrape_configs } = JSON.parse(file) as ScrapeFile;
  expect(scrape_configs).toMatchObject([{ job_name: 'hosting' }]);
  return { ...scrape_configs[0], job_name: name };
}

/** The failed scrapes in a log of Prometheus, without scrapes that were only late because the machine was busy. */
function failuresIn(log: string): readonly string[] {
  const lines = log.split('\n').filter((line) => line.includes('msg="Scrape failed"'));
  return lines.filter((line) => !line.includes('context deadline exceeded'));
}

interface SecuredExporter {
  /** Name of the example. */
  readonly name: string;
  readonly folder: string;
  readonly url: string;
}

const examples = ['tls', 'client-certificate', 'basic-auth'];

it('the examples of a secured exporter let only Prometheus scrape while the certificate is replaced', async () => {
  const exporters = await Promise.all(
    examples.map(async (name): Promise<SecuredExporter> => {
      const folder = securedFolder();
      return { name, folder, ...(await startExporter([`--web.config.file=${folder}/${name}.yml`])) };
    }),
  );
  const allUp = Object.fromEntries(examples.map((name) => [name, 1]));
  const startScraping = async () => {
    const prometheus = await startPrometheus(cleanups, exporters.map(scrapeConfig));
    await until('Prometheus has scraped every exporter', async () => {
      expect(await byJob(prometheus, 'up')).toEqual(allUp);
      return true;
    });
    return prometheus;
  };
  const prometheus = await startScraping();
  const scrapes = () => byJob(prometheus, 'sum by (job) (sum_over_time(up[1h]))');
  const logBefore = prometheus.process.stderr.length;

  for (const file of ['crt', 'key']) {
    for (const { folder } of exporters) {
      copyFileSync(join(webConfigFolder, `renewed.${file}`), join(folder, 'new'));
      renameSync(join(folder, 'new'), join(folder, `exporter.${file}`));
    }
    const before = await scrapes();
    await until('Prometheus has scraped every exporter twice', async () => {
      const after = await scrapes();
      return examples.every((name) => (after[name] ?? 0) >= (before[name] ?? Number.NaN) + 2);
    });
  }

  // The first Prometheus keeps its connections, so only another Prometheus receives the new certificate.
  await startScraping();
  const certificate = {
    cert: readPem('client.crt'),
    key: readPem('client.key'),
    headers: basic('prometheus', 'example'),
  };
  const answers = exporters.map(async ({ name, url }) => {
    const [known, stranger] = await Promise.allSettled([get(`${url}/metrics`, certificate), get(`${url}/metrics`)]);
    expect(known, name).toMatchObject({ status: 'fulfilled', value: { status: 200, server: 'renewed' } });
    return [name, stranger.status === 'fulfilled' ? stranger.value.status : 'refused'];
  });
  expect(failuresIn(prometheus.process.stderr.slice(logBefore))).toEqual([]);
  expect(Object.fromEntries(await Promise.all(answers))).toEqual({
    tls: 200,
    'client-certificate': 'refused',
    'basic-auth': 401,
  });
});

/** The value of each series of the result, by job. */
async function byJob({ query }: Prometheus, expression: string): Promise<Readonly<Record<string, number>>> {
  return Object.fromEntries((await query(expression)).map(({ labels, value }) => [labels['job'], value]));
}

describe('systemd-socket-activate', () => {
  it.each([
    ['only on loopback and a Unix socket', '127.0.0.1', 0],
    ['on all interfaces, too', '0.0.0.0', 1],
  ])('passes all sockets on to an exporter that listens %s', async (_, host, warnings) => {
    const [first, second] = [await freePort(), await freePort()];
    const socketPath = join(temporaryFolder(cleanups), 'exporter.sock');
    const listen = [`127.0.0.1:${first}`, `${host}:${second}`, socketPath].flatMap((address) => ['-l', address]);
    const exporter = [process.execPath, mainFile, `--config.file=${idleSettings()}`, '--web.systemd-socket'];
    const program = new Process(cleanups, 'systemd-socket-activate', [...listen, ...exporter]);
    await program.printed(/Listening on/);

    const answers = await Promise.all(
      [`http://127.0.0.1:${first}`, `http://127.0.0.1:${second}`, 'http://localhost'].map((url) => {
        const options = url === 'http://localhost' ? { socketPath } : {};
        return until('it answers', () => get(`${url}/-/healthy`, options).catch(() => undefined));
      }),
    );
    const exit = await program.stop();

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(exit.code).toBe(0);
    expect(program.stderr.match(/listens on all interfaces without a login/g) ?? []).toHaveLength(warnings);
  });

  it('keeps the port open while the exporter restarts, so that no scrape fails', async () => {
    const port = await freePort();
    const folder = temporaryFolder(cleanups);
    const processId = join(folder, 'pid');
    // Holds the socket as systemd does, and starts the exporter again after each exit.
    const start = `sh -c 'echo $$ > ${processId}; LISTEN_PID=$$ exec "$@"' sh "$@"`;
    const restart = `trap 'kill $(cat ${processId}); exit' TERM; while :; do ${start} & wait $!; done`;
    const exporter = [process.execPath, mainFile, `--config.file=${idleSettings()}`, '--web.systemd-socket'];
    const supervisor = ['-l', `127.0.0.1:${port}`, 'sh', '-c', restart, 'sh', ...exporter];
    const program = new Process(cleanups, 'systemd-socket-activate', supervisor);
    cleanups.add(() => program.stop());
    await program.printed(/Listening on/);
    const scrape = async () => (await get(`http://127.0.0.1:${port}/metrics`)).status;
    expect(await scrape()).toBe(200);

    const statuses: number[] = [];
    for (let restarts = 0; restarts < 2; restarts += 1) {
      const earlier = readFileSync(processId, 'utf8');
      process.kill(Number(earlier), 'SIGTERM');
      do statuses.push(await scrape());
      while (readFileSync(processId, 'utf8') === earlier);
      statuses.push(await scrape());
    }

    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
