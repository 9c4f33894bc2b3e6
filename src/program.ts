import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';

// Set these flags before modules load, to use less memory. The young generation stays at 1 MB instead of growing to 32 MB. The old
// generation grows by half instead of fourfold before the next collection.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=50');

const folder = import.meta.dirname;
const { version } = JSON.parse(readFileSync(`${folder}/../package.json`, 'utf8')) as { readonly version: string };

/** Reads the revision from a file that the build writes. A checkout of the sources does not contain this file. */
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

// Ignore SIGHUP while modules load, because Node.js exits on SIGHUP by default.
let onHangup = () => {};
process.on('SIGHUP', () => onHangup());
const [{ run }, { safeOutput }] = await Promise.all([import('./cli/run.ts'), import('./cli/terminal.ts')]);
// Commands without reload treat SIGHUP as terminal loss.
onHangup = () => stop.abort();

/** Errors that must not end the process: a pipe closed by `head`, a full disk under the log, and a lost terminal. */
const ignoredErrors = [
  { stream: process.stdout, codes: ['EPIPE'] },
  { stream: process.stderr, codes: ['EPIPE', 'ENOSPC', 'EDQUOT', 'EIO'] },
];
for (const { stream, codes } of ignoredErrors) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error;
  });
}

const stdout = safeOutput(process.stdout);
const stderr = safeOutput(process.stderr);
if (process.stderr.isTTY) {
  // Escape the error, because its message may contain text of the API. Node.js would print the text unchanged.
  process.on('uncaughtException', (error) => {
    stderr.write(`${inspect(error)}\n`);
    process.exit(1);
  });
}

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  stdout,
  stderr,
  // A getter, because Node.js opens stdin when the property is first read.
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

/** Exits 500 ms after a signal to stop, because unread output would keep the process alive. */
function limitExit(): void {
  setTimeout(() => process.exit(process.stdout.writableLength > 0 ? 1 : undefined), 500).unref();
}

if (stop.signal.aborted) limitExit();
else stop.signal.addEventListener('abort', limitExit);
