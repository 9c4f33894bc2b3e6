import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../fixtures/repository.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

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

test('sums the reports', () => {
  expect(summaryOf([passing, 0], [passing, 0])).toEqual([0, '10 passed, 0 failed']);
  expect(summaryOf([passing, 0], [failing, 1])).toEqual([1, '10 passed, 2 failed']);
  expect(summaryOf([skipping, 0], [passing, 0])).toEqual([0, '10 passed, 0 failed, 3 skipped']);
});

test.each([
  ['a missing report', undefined],
  ['a truncated report', JSON.stringify(passing).slice(0, 20)],
  ['a report without results', {}],
])('counts %s as a failure', (_, report) => {
  expect(summaryOf([passing, 0], [report, 0])).toEqual([1, '5 passed, 1 failed']);
});

test('counts a file whose tests did not run as a failure', () => {
  expect(summaryOf([passing, 0], [brokenFile, 1])).toEqual([1, '10 passed, 1 failed']);
});

test('counts a command that failed outside its tests as a failure', () => {
  expect(summaryOf([passing, 1], [passing, 0])).toEqual([1, '10 passed, 1 failed']);
});

test('fails if no test ran', () => {
  expect(summaryOf([nothing, 0])).toEqual([1, '0 passed, 0 failed']);
});
