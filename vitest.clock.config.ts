import { defineConfig } from 'vitest/config';

/**
 * Tests with a shifted clock: `npm run test:clock`. Left out are tests in which Prometheus compares its clock, which cannot
 * be shifted, with times that the exporter exports, and those that do not start the exporter.
 */
export default defineConfig({
  test: {
    include: ['test/{unit,integration,e2e}/**/*.test.ts'],
    exclude: ['test/e2e/chain/**', 'test/e2e/deploy/**', 'test/e2e/package.test.ts'],
    execArgv: ['--import=./test/clock/shifted-clock.ts'],
    maxWorkers: 4,
    // Longer than any wait of a test, whose message says what it waited for.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
