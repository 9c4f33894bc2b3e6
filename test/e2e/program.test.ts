import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/src/server.ts';
import { collectors } from '../../src/collectors/list.ts';
import { cleanups } from '../fixtures/cleanups.ts';
import { Process } from '../fixtures/process.ts';
import {
  type Exporter,
  listening,
  mainFile,
  type Settings,
  sandboxSettings,
  startExporter,
  startProgram,
  writeSettings,
} from '../fixtures/program.ts';
import { openSandbox } from '../fixtures/sandbox.ts';
import { freePort } from '../fixtures/servers.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { until } from '../fixtures/waiting.ts';

const sandboxOf = () => openSandbox({ speed: 0 }, cleanups);

/** Settings with only one collector, for tests that need no other. Every further poll costs CPU time. */
function settingsWith(collector: string, sandbox: Sandbox, logins = ['shop']): Settings {
  return {
    ...sandboxSettings(sandbox, logins),
    collectors: Object.fromEntries(collectors.map(({ name }) => [name, { enabled: name === collector }])),
  };
}

describe('a program that receives a signal to stop', () => {
  interface Scraper {
    readonly socket: Socket;
    /** Resolves when the whole response has been read. */
    readonly closed: Promise<unknown>;
    received(): string;
  }

  async function connectTo(address: string): Promise<Scraper> {
    const { hostname, port } = new URL(`http://${address}`);
    const socket = connect(Number(port), hostname);
    cleanups.add(() => socket.destroy());
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    return { socket, closed, received: () => Buffer.concat(chunks).toString('latin1') };
  }

  /** Requests more data than the buffers can hold, and reads only the beginning. */
  async function startScrapes(address: string): Promise<Scraper> {
    const scraper = await connectTo(address);
    // The exporter answers this number of requests at the same time.
    scraper.socket.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(40));
    await new Promise((resolve) => scraper.socket.once('data', resolve));
    scraper.socket.pause();
    return scraper;
  }

  /** Scrapes in progress have a second to finish. On a busy machine, a test may need longer to read them. */
  function stoppedInTime({ program }: Exporter): boolean {
    const times = ['stopping', 'stopped'].map((message) => {
      return Date.parse(new RegExp(`time=(\\S+) level=info msg=${message}`).exec(program.stderr)?.[1] ?? '');
    });
    const [stopping = Number.NaN, stopped = Number.NaN] = times;
    return stopped - stopping < 1000;
  }

  /**
   * Starts the exporter and some scrapes, sends SIGTERM, and reads the scrapes. Repeats everything until it was fast
   * enough.
   */
  function stopDuringScrapes(sandbox: Sandbox) {
    return until('the test reads all scrapes within a second', async () => {
      const exporter = await startExporter(cleanups, sandboxSettings(sandbox, ['blog', 'agency']));
      await until('a large page', async () => (await exporter.page()).includes('hosting_mailboxes{account="agency"'));
      const scraper = await startScrapes(exporter.address);

      exporter.program.send('SIGTERM');
      await exporter.program.printed(/msg=stopping/);
      scraper.socket.resume();
      const exit = await exporter.program.exit;
      // The program ends when the kernel has its responses in buffers. The test has not read all of them yet.
      await scraper.closed;

      return stoppedInTime(exporter) && { exit, answers: scraper.received().split('HTTP/1.1 ').slice(1) };
    });
  }

  it('finishes scrapes, aborts API calls and exits with 0', async () => {
    const sandbox = await sandboxOf();
    sandbox.setFault({ kind: 'silence', login: 'blog' });

    const { exit, answers } = await stopDuringScrapes(sandbox);

    expect(exit).toEqual({ code: 0, signal: null });
    expect(sandbox.calls.filter(({ outcome }) => outcome === 'silence').length).toBeGreaterThan(0);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head, answer).toMatch(/^200 /);
      expect(body, head).toHaveLength(Number(/content-length: (\d+)/i.exec(head)?.[1]));
    }
  });

  it('exits immediately at the second signal', async () => {
    const sandbox = await sandboxOf();

    const exit = await until('the second signal arrives within the second that scrapes have', async () => {
      const exporter = await startExporter(cleanups, sandboxSettings(sandbox, ['agency']));
      await until('a large page', async () => (await exporter.page()).includes('hosting_mailboxes{account="agency"'));
      await startScrapes(exporter.address);
      exporter.program.send('SIGTERM');
      await exporter.program.printed(/msg=stopping/);
      const second = await exporter.program.stop('SIGTERM');
      return !exporter.program.stderr.includes('msg=stopped') && second;
    });

    expect(exit).toEqual({ code: 1, signal: null });
  });
});

it('a program that receives SIGHUP keeps running if its modules are still loading', async () => {
  const sandbox = await sandboxOf();
  const file = writeSettings(cleanups, settingsWith('account', sandbox));
  // Sends the signal when the first module is loaded.
  const hook = `import { registerHooks } from 'node:module';
      registerHooks({
        load(url, context, next) {
          if (url.endsWith('/cli/run.js')) process.kill(process.pid, 'SIGHUP');
          return next(url, context);
        },
      });`;
  const program = new Process(cleanups, process.execPath, [
    `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    mainFile,
    `--config.file=${file}`,
    '--web.listen-address=127.0.0.1:0',
  ]);

  const exporter = await listening(program);

  expect(await exporter.status('/-/healthy')).toBe(200);
  expect(await program.stop()).toEqual({ code: 0, signal: null });
});

it('once prints the page even if its log cannot be written', async () => {
  const sandbox = await sandboxOf();
  sandbox.setFault({ kind: 'http_500', method: 'mysql/getList' });
  const file = writeSettings(cleanups, settingsWith('databases', sandbox));
  const argv = [process.execPath, mainFile, 'once', `--config.file=${file}`];
  const program = new Process(cleanups, 'sh', ['-c', 'exec "$0" "$@" 2>/dev/full', ...argv]);

  const exit = await program.exit;

  expect(exit).toEqual({ code: 1, signal: null });
  expect(program.stdout).toContain('hosting_exporter_collector_success{account="shop",collector="databases"} 0\n');
});

describe('an interrupted command', () => {
  // A command that cannot reload stops when its terminal is lost.
  it.each(['SIGINT', 'SIGHUP'] as const)('by %s exits with 1, without a page and a stack trace', async (signal) => {
    const sandbox = await sandboxOf();
    sandbox.setFault({ kind: 'silence' });
    const file = writeSettings(cleanups, sandboxSettings(sandbox, ['shop']));
    const program = startProgram(cleanups, ['once', `--config.file=${file}`]);
    await until('a call is pending', () => sandbox.calls.length > 0);

    const exit = await program.stop(signal);

    expect(exit).toEqual({ code: 1, signal: null });
    expect(program.stdout).toBe('');
    expect(program.stderr).toBe('');
  });

  it('exits with 0 if its stdout is closed', async () => {
    const sandbox = await sandboxOf();
    sandbox.setFault({ kind: 'latency', latency: 200, method: 'backup', login: 'agency' });
    const file = writeSettings(cleanups, settingsWith('backups', sandbox, ['agency']));
    const program = startProgram(cleanups, ['once', `--config.file=${file}`]);
    program.closeStdout();

    const exit = await program.exit;

    expect(program.stderr).toBe('');
    expect(exit).toEqual({ code: 0, signal: null });
  });
});

describe('a program whose log cannot be written', () => {
  it('keeps serving if its terminal disappears', async () => {
    const sandbox = await sandboxOf();
    const file = writeSettings(cleanups, settingsWith('account', sandbox));
    const flags = `--config.file=${file} --web.listen-address=127.0.0.1:0`;
    // Prints the process id of the program, because the child process of the test is the terminal.
    const command = `echo "pid=$$"; exec ${process.execPath} ${mainFile} ${flags}`;
    const terminal = new Process(cleanups, 'script', ['--quiet', '--command', command, '/dev/null']);
    const [, id] = await terminal.printed(/pid=(\d+)/);
    const pid = Number(id);
    cleanups.add(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
    const exporter = await listening(terminal);

    await terminal.stop('SIGKILL');
    for (let reload = 0; reload < 3; reload += 1) {
      process.kill(pid, 'SIGHUP');
      await pause(200);
    }

    expect(await exporter.status('/-/healthy')).toBe(200);
    process.kill(pid, 'SIGTERM');
    await until('the program has exited', () => !isAlive(pid));
  });

  it('exits after SIGTERM if its log is not read', async () => {
    const sandbox = await sandboxOf();
    const file = writeSettings(cleanups, settingsWith('account', sandbox));
    const fifo = join(temporaryFolder(cleanups), 'log');
    execFileSync('mkfifo', [fifo]);
    fill(fifo);
    const address = `127.0.0.1:${await freePort()}`;
    const argv = [process.execPath, mainFile, `--config.file=${file}`, `--web.listen-address=${address}`];
    const program = new Process(cleanups, 'sh', ['-c', `exec "$0" "$@" 2<>${fifo}`, ...argv]);
    await until('ready', async () => (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok === true);

    const exit = await program.stop();

    expect(exit).toEqual({ code: 0, signal: null });
  });

  function isAlive(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  /** Fills the buffer of a FIFO, and keeps the FIFO open so that the bytes stay. */
  function fill(fifo: string): void {
    const handle = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    cleanups.add(() => closeSync(handle));
    const bytes = Buffer.alloc(4096, 'x');
    expect(() => {
      for (;;) writeSync(handle, bytes);
    }).toThrow('EAGAIN');
  }
});

it('exits with 2 and one line on an old Node.js', async () => {
  const oldVersion = `Object.defineProperty(process, 'version', { value: 'v22.18.0' })`;
  const program = new Process(cleanups, process.execPath, [
    `--import=data:text/javascript,${oldVersion}`,
    mainFile,
    '--help',
  ]);

  expect(await program.exit).toEqual({ code: 2, signal: null });
  expect(program.stderr).toBe('hosting-account-exporter needs Node.js 22.19 or newer; this is v22.18.0\n');
  expect(program.stdout).toBe('');
});

it('logs with priorities only if stderr is the journal', async () => {
  const sandbox = await sandboxOf();
  const file = writeSettings(cleanups, settingsWith('account', sandbox));
  const command = `exec ${process.execPath} ${mainFile} --config.file=${file} --web.listen-address=127.0.0.1:0`;

  const lines = async (journal: string) => {
    const program = new Process(cleanups, 'sh', ['-c', `export JOURNAL_STREAM=${journal}; ${command}`]);
    await until('the start is logged', () => program.stderr.includes('msg=started'));
    await program.stop();
    return program.stderr.split('\n').filter((line) => line.includes('msg=started'));
  };

  expect(await lines('$(stat --dereference --format=%d:%i /dev/stderr)')).toEqual([expect.stringMatching(/^<6>time=/)]);
  expect(await lines('8:1')).toEqual([expect.stringMatching(/^time=/)]);
});
