import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { readOr } from './config/values/expected-error.ts';
import { packageFolder } from './config/values/package-folder.ts';

// To save memory, keep the young generation at 1 MB. Set the flag before modules load.
setFlagsFromString('--semi-space-growth-factor=1');

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // A second signal ends the process immediately.
  process.on(signal, () => (stop.signal.aborted ? process.exit(1) : stop.abort()));
}

// Ignore SIGHUP while modules load, because Node.js exits on SIGHUP by default.
let onHangup = () => {};
process.on('SIGHUP', () => onHangup());
const [{ run }, { safeOutput }] = await Promise.all([import('./cli/run.ts'), import('./cli/terminal.ts')]);
// Commands without reload treat SIGHUP as terminal loss.
onHangup = () => stop.abort();

const stdout = safeOutput(process.stdout, ['EPIPE']);
const stderr = safeOutput(process.stderr, ['EPIPE', 'ENOSPC', 'EDQUOT', 'EIO']);
process.on('uncaughtException', (error) => {
  // An uncaught ConfigError means that the output cannot be written, for example because the disk is full.
  const isExpected = error.name === 'ConfigError';
  stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exit(isExpected ? 2 : 1);
});

const { version } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as { version: string };
const revision = readOr('unknown', () => readFileSync(new URL('../revision', import.meta.url), 'utf8').trim());
process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  stdout,
  stderr,
  stdin: () => process.stdin,
  build: { version, revision, nodeVersion: process.version },
  pid: process.pid,
  signal: stop.signal,
  onReload: (listener) => {
    onHangup = listener;
  },
});

// Unread output must not keep the process alive after a signal to stop.
const exit = () => process.exit(process.stdout.writableLength > 0 ? 1 : process.exitCode);
if (stop.signal.aborted) exit();
else stop.signal.addEventListener('abort', exit);
