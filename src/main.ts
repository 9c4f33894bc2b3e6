#!/usr/bin/env node
// Old versions of Node.js must be able to parse this file and its static import, so that the version check can print its message.
// Before this check, use no top-level await, no new syntax and no new API.
import module from 'node:module';
import { validateNodeVersion } from './cli/node-version.ts';

// Without a listener, SIGUSR1 opens the debugger, which can read all secrets.
if (process.platform !== 'win32') process.on('SIGUSR1', () => {});

const problem = validateNodeVersion(process.version);
if (problem === undefined) {
  // The cache is next to the program, because other users may write to the default folder in /tmp.
  if (import.meta.filename.endsWith('.js')) module.enableCompileCache(`${import.meta.dirname}/../compile-cache`);
  void import('./program.ts');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
