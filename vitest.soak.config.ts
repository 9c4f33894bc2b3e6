import { defineConfig } from 'vitest/config';

/** Load for minutes on the built program: `npm run soak`. */
export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.soak-report.json' }]],
    include: ['test/soak/**/*.test.ts'],
    // Each test needs both cores of a small machine.
    fileParallelism: false,
  },
});
