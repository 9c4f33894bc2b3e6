import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { SlowestFirst } from './test/sequencer.ts';

const fast = ['{sandbox/,}test/**/*.test.ts'];
/** Slow tests, and the tests of libraries that `npm run mutation` installs. */
const excluded = ['test/soak/**', '**/node_modules/**'];

/** Tests of properties, of which `npm test` tries a fifth of the cases. */
const properties = globSync(fast).filter((file) => readFileSync(file, 'utf8').includes('propertyRuns('));

const minute = 60_000;
const timeouts = (milliseconds: number) => ({ testTimeout: milliseconds, hookTimeout: milliseconds });

/** All tests of `npm test`. The others have their own commands, because they are slow or need other programs. */
const tests: TestProjectInlineConfiguration = {
  test: {
    name: 'tests',
    include: fast,
    exclude: excluded,
    setupFiles: 'test/fixtures/unchanged-process.ts',
    // Slow tests mostly wait for timers and other processes, so more workers than cores save time.
    maxWorkers: 6,
    // A worker loads the program once for all of its files, which halves the CPU time of quick tests.
    isolate: false,
    // Longer than any wait of a test, whose message says what it waited for.
    ...timeouts(30 * minute),
    // Alertmanager mutes an alert only some time after the one that inhibits it.
    expect: { poll: { timeout: 5 * minute } },
  },
};

const others: readonly TestProjectInlineConfiguration[] = [
  {
    // Load for minutes on the built program, and all cases of the properties.
    test: {
      name: 'soak',
      include: ['test/soak/**/*.test.ts', ...properties],
      env: { PROPERTY_RUNS: 'all' },
      // Each test needs both cores of a small machine.
      fileParallelism: false,
      ...timeouts(15 * minute),
    },
  },
  {
    // A shifted clock. Left out are tests that read no clock: the package, and promtool, which evaluates rules at times that
    // the tests give.
    test: {
      name: 'clock',
      include: fast,
      exclude: [
        ...excluded,
        'test/e2e/deploy/**',
        'test/e2e/package.test.ts',
        'test/cli/history/imported.test.ts',
        'test/cli/sandbox-tls.test.ts',
        'test/rules/promtool.test.ts',
      ],
      execArgv: ['--import=./test/clock/shifted-clock.ts'],
      maxWorkers: 4,
      ...timeouts(3 * minute),
    },
  },
  {
    // Clients of others against the sandbox, which need Python and Go.
    test: {
      name: 'clients',
      globalSetup: 'test/clients/install.ts',
      include: ['test/clients/**/*.spec.ts'],
      ...timeouts(2 * minute),
    },
  },
  {
    // The image, the Compose stack and the systemd unit, which need root, a Docker engine and Debian's archive.
    test: {
      name: 'container',
      globalSetup: 'test/container/prepare.ts',
      include: ['test/container/**/*.spec.ts'],
      fileParallelism: false,
      testTimeout: 2 * minute,
      hookTimeout: 20 * minute,
    },
  },
  // The Helm chart, which needs Helm.
  { test: { name: 'helm', include: ['test/helm/**/*.spec.ts'] } },
  {
    // Weeks of accounts in Prometheus' rule engine, which needs Go. A world takes up to a minute of CPU.
    test: {
      name: 'lives',
      globalSetup: 'test/lives/build.ts',
      include: ['test/lives/**/*.spec.ts'],
      maxWorkers: 2,
      ...timeouts(60 * minute),
    },
  },
];

/** Without --project, vitest would run the other projects, too. */
const isChosen = process.argv.some((argument) => argument.startsWith('--project'));

export default defineConfig({
  test: {
    projects: isChosen ? [tests, ...others] : [tests],
    reporters: ['default', 'json'],
    outputFile: { json: '.test-report.json' },
    sequence: { sequencer: SlowestFirst },
  },
});
