#!/usr/bin/env node
import { readFileSync } from 'node:fs';

const folder = import.meta.dirname;
const { version } = JSON.parse(readFileSync(`${folder}/../package.json`, 'utf8')) as { readonly version: string };

/** Written by the build; a run from the sources has none. */
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
    // The second one means: at once.
    if (stop.signal.aborted) process.exit(1);
    stop.abort();
  });
}

/** While the program is loaded, which takes a while, there is nothing to read again; by itself Node.js would end here. */
let onHangup = () => {};
process.on('SIGHUP', () => onHangup());
const { run } = await import('./cli/run.ts');
// Of a command that reads nothing again the terminal has gone.
onHangup = () => stop.abort();

/** What is no failure: a reader that has seen enough, such as head, and a log whose disk is full for now. */
const bearable = [
  { stream: process.stdout, codes: ['EPIPE'] },
  { stream: process.stderr, codes: ['EPIPE', 'ENOSPC', 'EDQUOT'] },
];
for (const { stream, codes } of bearable) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error;
  });
}

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  build: { version, revision: readRevision(), nodeVersion: process.version },
  signal: stop.signal,
  onReload: (listener) => {
    onHangup = listener;
  },
});
