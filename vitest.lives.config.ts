import { defineConfig } from 'vitest/config';

/** Weeks of accounts in Prometheus' rule engine, which needs Go: `npm run test:lives`. */
export default defineConfig({
  test: {
    globalSetup: 'test/lives/build.ts',
    include: ['test/lives/**/*.spec.ts'],
    // A world takes up to a minute of CPU.
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});
