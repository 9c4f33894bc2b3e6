import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseSocketAddress } from '../../../src/cli/healthy.ts';
import { run } from '../../../src/cli/run.ts';
import { Cleanups } from '../../fixtures/cleanups.ts';
import { recordedContext } from '../../fixtures/command-context.ts';
import { passedTimeouts } from '../../fixtures/passed-timeouts.ts';
import { makePrivateAuthority } from '../../fixtures/private-authority.ts';
import { Process } from '../../fixtures/process.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const cleanups = new Cleanups();
afterEach(cleanups.end);

/**
 * Answers the health check with a status, or not at all if the status is `silence`. With several statuses, it listens on as many
 * ports. Without one, it listens nowhere.
 */
const program = `
const { HOST, STATUS = '', TLS } = process.env;
const { createServer } = require(TLS ? 'node:https' : 'node:http');
const { readFileSync } = require('node:fs');
const options = TLS ? { key: readFileSync(TLS + '/server.key'), cert: readFileSync(TLS + '/server.pem') } : {};
const statuses = STATUS.split(' ').filter(Boolean);
const ports = [];
if (statuses.length === 0) setInterval(() => {}, 1000);
if (statuses.length === 0) console.log('ready');
for (const status of statuses) {
  const answer = (request, response) => {
    if (status === 'silence') return;
    response.writeHead(request.url === '/-/healthy' ? Number(status) : 404).end();
  };
  createServer(options, answer).listen(0, HOST || '127.0.0.1', function () {
    if (ports.push(this.address().port) === statuses.length) console.log('ready at ' + ports[0]);
  });
}
`;

/** A folder with a program whose processes count as exporters. */
function install(): string {
  const folder = temporaryFolder(cleanups);
  writeFileSync(join(folder, 'main.js'), program);
  writeFileSync(join(folder, 'package.json'), '{}');
  return folder;
}

async function start(
  folder: string,
  environment: Readonly<Record<string, string>>,
  ...argv: readonly string[]
): Promise<{ readonly pid: number; readonly port: string | undefined }> {
  const exporter = new Process(cleanups, process.execPath, ['main.js', ...argv], { folder, environment });
  const [, port] = await exporter.printed(/ready(?: at (\d+))?\n/);
  return { pid: exporter.pid, port };
}

/** Asks from a process of the same program that does not listen. */
async function health(folder: string) {
  const { pid } = await start(folder, {});
  const context = recordedContext({ pid });
  const code = await run(['healthy'], context);
  return [code, context.printed.stdout];
}

describe('healthy', () => {
  // A request for a login means that the exporter is alive.
  it.each(['200', '401'])('accepts the status %s', async (STATUS) => {
    const folder = install();
    await start(folder, { STATUS });

    expect(await health(folder)).toEqual([0, 'healthy\n']);
  });

  it.each(['503', '404'])('does not accept the status %s, and names process, address and answer', async (STATUS) => {
    const folder = install();
    const { pid, port } = await start(folder, { STATUS });

    expect(await health(folder)).toEqual([1, `not healthy: process ${pid}: 127.0.0.1:${port}: status ${STATUS}\n`]);
  });

  it.each([['check'], ['once', '--log.level=debug'], ['sandbox'], ['healthy'], ['history']])(
    'ignores a process that runs %s beside the server',
    async (...argv) => {
      const folder = install();
      await start(folder, { STATUS: '200' }, '--config.file', 'check');
      await start(folder, { STATUS: '404' }, ...argv);
      await start(folder, {}, ...argv);

      expect(await health(folder)).toEqual([0, 'healthy\n']);
    },
  );

  it.each([[], ['serve'], ['demo'], ['--config.file', 'check']])(
    'asks a process with the arguments %j',
    async (...argv) => {
      const folder = install();
      const { pid } = await start(folder, { STATUS: '503' }, ...argv);

      expect(await health(folder)).toEqual([1, expect.stringContaining(`process ${pid}: `)]);
    },
  );

  it('finds an exporter that listens only on IPv6', async () => {
    const folder = install();
    await start(folder, { STATUS: '200', HOST: '::1' });

    expect(await health(folder)).toEqual([0, 'healthy\n']);
  });

  it('asks an exporter with TLS, although its certificate has another name', async () => {
    const folder = install();
    makePrivateAuthority(folder);
    await start(folder, { STATUS: '200', TLS: folder });

    expect(await health(folder)).toEqual([0, 'healthy\n']);
  });

  it('gives an exporter four seconds to answer, and then does not try TLS', async () => {
    const folder = install();
    const { pid, port } = await start(folder, { STATUS: 'silence' });
    const timeouts = passedTimeouts();

    const outcome = await health(folder);

    expect(outcome).toEqual([1, `not healthy: process ${pid}: 127.0.0.1:${port}: no answer within 4 s\n`]);
    expect(timeouts).toEqual([4000]);
  });

  it('says that no exporter is listening, and ignores itself and other programs', async () => {
    const other = install();
    await start(other, { STATUS: '200' });

    expect(await health(install())).toEqual([1, 'no exporter is listening\n']);
  });

  it.each([
    ['200', '503'],
    ['503', '200'],
  ])('is not healthy if one of two exporters is not, with the statuses %s and %s', async (...statuses) => {
    const folder = install();
    const exporters = [];
    for (const STATUS of statuses) exporters.push({ STATUS, ...(await start(folder, { STATUS })) });

    const { pid, port } = exporters.find(({ STATUS }) => STATUS === '503') ?? {};
    expect(await health(folder)).toEqual([1, `not healthy: process ${pid}: 127.0.0.1:${port}: status 503\n`]);
  });

  it.each(['200 503', '503 200'])('is healthy if one of its ports is, with the statuses %s', async (STATUS) => {
    const folder = install();
    await start(folder, { STATUS });

    expect(await health(folder)).toEqual([0, 'healthy\n']);
  });
});

it.each([
  ['0100007F:288C', { host: '127.0.0.1', port: 10_380 }],
  ['00000000:0050', { host: '127.0.0.1', port: 80 }],
  ['00000000000000000000000000000000:288C', { host: '::1', port: 10_380 }],
  ['B80D01200000000000000000010000FE:01BB', { host: '2001:db8:0:0:0:0:fe00:1', port: 443 }],
])('reads the socket address %s', (text, address) => {
  expect(parseSocketAddress(text)).toEqual(address);
});
