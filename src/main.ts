#!/usr/bin/env node
// Old versions of Node.js parse this file and its static import: no top-level await, no new syntax, no new API.
import { validateNodeVersion } from './node-version.ts';

const problem = validateNodeVersion(process.version);
if (problem === undefined) {
  void import('./program.ts');
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
}
