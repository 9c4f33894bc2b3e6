import { defineConfig } from 'vitest/config';

/** The folder in src that `npm run mutation` mutates. */
const folder = process.env['MUTATION_FOLDER'] ?? '';

/** Folders whose integration tests count as well, because they are as fast as unit tests. */
const withIntegrationTests: readonly string[] = ['polling'];

export default defineConfig({
  test: {
    include: [
      `test/unit/${folder}/**/*.test.ts`,
      ...(withIntegrationTests.includes(folder) ? [`test/integration/${folder}/**/*.test.ts`] : []),
    ],
    setupFiles: 'test/fixtures/fewer-runs.ts',
    testTimeout: 600_000,
  },
});
