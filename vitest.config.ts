import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/sequencer.ts';

/** All tests of `npm test`. The soak has its own command, `npm run soak`, because it takes as long as all other tests. */
export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.test-report.json' }]],
    include: ['test/{unit,integration,e2e}/**/*.test.ts', 'sandbox/test/*.test.ts'],
    setupFiles: 'test/fixtures/unchanged-process.ts',
    // Slow tests mostly wait for timers and other processes, so more workers than cores save time.
    maxWorkers: 6,
    // A worker loads the program once for all of its files, which halves the CPU time of the unit tests.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // Longer than any wait of a test, whose message says what it waited for.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    // Alertmanager mutes an alert only some time after the one that inhibits it.
    expect: { poll: { timeout: 300_000 } },
  },
});
