import { readFileSync } from 'node:fs';
import { limitHeap } from './heap.ts';

limitHeap();

const folder = import.meta.dirname;
const { version } = JSON.parse(readFileSync(`${folder}/../package.json`, 'utf8')) as { readonly version: string };

/** The build writes this file; the sources do not contain it. */
function readRevision(): string {
  try {
    return readFileSync(`${folder}/revision`, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // A second signal stops immediately.
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  });
}

/** Ignores SIGHUP while the modules load. Node.js would exit by default. */
let onHangup = () => {};
process.on('SIGHUP', () => onHangup());
const { run } = await import('./cli/run.ts');
// Commands without reload treat SIGHUP as terminal loss.
onHangup = () => stop.abort();

/** Write errors to ignore: a closed pipe, as with `head`; a full disk under the log, and a terminal that is gone. */
const ignoredErrors = [
  { stream: process.stdout, codes: ['EPIPE'] },
  { stream: process.stderr, codes: ['EPIPE', 'ENOSPC', 'EDQUOT', 'EIO'] },
];
for (const { stream, codes } of ignoredErrors) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error;
  });
}

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened only by a command that reads it.
  get stdin() {
    return process.stdin;
  },
  build: { version, revision: readRevision(), nodeVersion: process.version },
  pid: process.pid,
  signal: stop.signal,
  onReload: (listener) => {
    onHangup = listener;
  },
});

/** Milliseconds that a reader has to take the rest of the output after a signal to stop. */
const readerGrace = 500;

/** Without it, output that no one reads keeps the process alive. */
function limitExit(): void {
  setTimeout(() => process.exit(process.stdout.writableLength > 0 ? 1 : undefined), readerGrace).unref();
}

if (stop.signal.aborted) limitExit();
else stop.signal.addEventListener('abort', limitExit);
