import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../fixtures/repository.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const passing = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const failing = {
  ...passing,
  numFailedTests: 2,
  testResults: [{ name: 'a.test.ts', status: 'failed', message: '', assertionResults: [{ status: 'failed' }] }],
};
const brokenFile = {
  ...passing,
  testResults: [{ name: 'a.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] }],
};
const skipping = { ...passing, numPendingTests: 1, numTodoTests: 2 };
const nothing = { ...passing, numPassedTests: 0 };

/** The exit code and the last line for these reports, each with the exit code of its command; undefined is a missing report. */
function summaryOf(...reports: readonly (readonly [report: unknown, exitCode: number])[]) {
  const folder = temporaryFolder();
  const argv = reports.map(([report, exitCode], index) => {
    const file = join(folder, `${index}.json`);
    if (report !== undefined) writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
    return `${file}=${exitCode}`;
  });
  const { status, stdout } = spawnSync(process.execPath, [join(repository, '.ci/summary.mjs'), ...argv], {
    encoding: 'utf8',
  });
  return [status, stdout.trimEnd().split('\n').at(-1)];
}

/** The report of a run that passed, with its exit code. */
const ok = [passing, 0] as const;

test.each([
  ['reports', [ok, ok], 0, '10 passed, 0 failed'],
  ['a failure', [ok, [failing, 1]], 1, '10 passed, 2 failed'],
  ['skipped tests', [[skipping, 0], ok], 0, '10 passed, 0 failed, 3 skipped'],
  ['a missing report as a failure', [ok, [undefined, 0]], 1, '5 passed, 1 failed'],
  ['a truncated report as a failure', [ok, ['{"numPassedTests', 0]], 1, '5 passed, 1 failed'],
  ['a report without results as a failure', [ok, [{}, 0]], 1, '5 passed, 1 failed'],
  ['a file whose tests did not run as a failure', [ok, [brokenFile, 1]], 1, '10 passed, 1 failed'],
  ['a command that failed outside its tests', [[passing, 1], ok], 1, '10 passed, 1 failed'],
  ['no test as a failure', [[nothing, 0]], 1, '0 passed, 0 failed'],
] as const)('counts %s', (_, reports, status, line) => {
  expect(summaryOf(...reports)).toEqual([status, line]);
});
