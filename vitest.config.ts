import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.test-report.json' }]],
    include: ['test/**/*.test.ts'],
    // Slow tests mostly wait for timers and other processes, so more workers than cores save time.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
