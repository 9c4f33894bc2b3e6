// Sums the JSON reports of vitest: node summary.mjs REPORT=EXIT_CODE... Prints `N passed, N failed` as the last line.
// Everything that is not a passed test counts as a failure: a missing report, a file whose tests did not run, and a command
// that failed although no test did. Exits with 1 if there is a failure, or if nothing passed.
import { readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
let skipped = 0;

for (const argument of process.argv.slice(2)) {
  const [, file, exitCode] = /^(.+)=(\d+)$/.exec(argument) ?? [];
  const report = read(file);
  if (report === undefined) {
    print(`${file} is missing or incomplete: the run ended before it was written.`);
    failed += 1;
    continue;
  }
  const failedFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  for (const { name, message } of failedFiles) print(`${name} failed outside its tests: ${message}`);
  const failures = report.numFailedTests + failedFiles.length;
  const isUnexplained = failures === 0 && exitCode !== '0';
  if (isUnexplained) print(`The command that wrote ${file} failed outside the tests.`);
  passed += report.numPassedTests;
  failed += failures + (isUnexplained ? 1 : 0);
  skipped += report.numPendingTests + report.numTodoTests;
}

print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function print(line) {
  process.stdout.write(`${line}\n`);
}

function read(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(report.testResults) ? report : undefined;
  } catch {
    return undefined;
  }
}
