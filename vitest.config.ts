import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.test-report.json' }]],
    include: ['test/**/*.test.ts'],
    // Most of what takes long waits for time to pass, not for a processor.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
